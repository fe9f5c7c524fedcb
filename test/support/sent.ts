// Watches what this isolate sends to its databases, by every binding, also by those that a test or a request makes for itself.

import { env } from "cloudflare:workers";

/** How often something was sent, how often it may have changed a schema, and how often rows; and what is under way. */
export const sent = { trips: 0, schemas: 0, rows: 0, pending: 0 };

const ON_SCHEMAS = /^\s*(create|drop|alter|(insert into|update|delete from)\W+schema_version)\b/im;
const READS = /^\s*(select|explain)\b/i;

type Answer = { meta?: { changes?: number } } | null | undefined;
type Send = (...args: unknown[]) => Promise<unknown>;

/** A statement that is answered without figures has changed rows unless it only reads. */
function changesRows(text: string, answer: unknown): boolean {
	const changes = (answer as Answer)?.meta?.changes;
	return changes === undefined ? !READS.test(text) : changes > 0;
}

async function noting(texts: readonly string[], send: () => Promise<unknown>): Promise<unknown> {
	sent.trips++;
	if (texts.some((text) => ON_SCHEMAS.test(text))) sent.schemas++;
	sent.pending++;
	try {
		const answer = await send();
		const answers = texts.length === 1 ? [answer].flat() : (answer as unknown[]);
		if (texts.some((text, index) => changesRows(text, answers[index]))) sent.rows++;
		return answer;
	} catch (error) {
		sent.rows++;
		throw error;
	} finally {
		sent.pending--;
	}
}

function watch(prototype: object, member: string, textsOf: (self: unknown, first: unknown) => readonly string[]): void {
	const send = (prototype as Record<string, Send | undefined>)[member];
	if (!send) throw new Error(`${member} is not where it was expected`);
	Object.defineProperty(prototype, member, {
		value(...args: unknown[]) {
			return noting(textsOf(this, args[0]), () => send.apply(this, args));
		},
	});
}

/** The statements that the service itself has sent, with the parameters of their last use: it alone sends batches in sessions. */
export const served = new Map<string, readonly unknown[]>();

/** A member that D1 does not document, so that its absence must be noticed. */
function textOf(statement: unknown): string {
	const text = (statement as { statement: unknown }).statement;
	if (typeof text !== "string") throw new Error("a prepared statement has no text where it was expected");
	return text;
}
const textsIn = (_: unknown, statements: unknown): string[] => (statements as readonly unknown[]).map(textOf);

const prototypeOf = (it: unknown) => Object.getPrototypeOf(it) as object;

/** A database sends its own statements by a session that derives from this. */
const isSession = (sender: unknown): boolean => prototypeOf(sender) === prototypeOf(env.DB.withSession());

function servedIn(sender: unknown, statements: unknown): string[] {
	if (isSession(sender))
		for (const statement of statements as readonly { params?: readonly unknown[] }[]) served.set(textOf(statement), statement.params ?? []);
	return textsIn(sender, statements);
}

let watching = false;
/** From now on, until the isolate ends. */
export function watchDatabases(): void {
	if (watching) return;
	watching = true;
	for (const member of ["all", "run", "raw", "first"]) watch(prototypeOf(env.DB.prepare("")), member, (self) => [textOf(self)]);
	watch(prototypeOf(env.DB), "exec", (_, text) => [String(text)]);
	watch(prototypeOf(env.DB), "batch", textsIn);
	watch(prototypeOf(env.DB.withSession()), "batch", servedIn);
}
