// Calls operations over HTTP in real workerd, and fails on every answer that the operation does not declare.

import { expect } from "vitest";
import type * as z from "zod";
import { ErrorBody } from "../../src/http/answers/error-body";
import type { Caller } from "../../src/http/callers/access";
import { errorsOf, isTagged, mayBeHeld, type Operation, reasonsOf, type Schema, type Schemas, successesOf } from "../../src/http/operation";
import { ORIGIN, serve, serveToTheEnd, type Vars } from "./serve";

export { ORIGIN };

type Part<S> = keyof S & ("path" | "query" | "body");
type Sends<S, K extends keyof S> = S[K] extends Schema ? z.input<S[K]> : never;
type CanBeLeftOut<S, K extends keyof S> =
	undefined extends Sends<S, K> ? true : K extends "query" ? (Record<never, never> extends Sends<S, K> ? true : false) : false;
/** What an operation takes; a body or query that it can do without may be left out. */
type Input<S> = { [K in Part<S> as CanBeLeftOut<S, K> extends true ? never : K]: Sends<S, K> } & {
	[K in Part<S> as CanBeLeftOut<S, K> extends true ? K : never]?: Sends<S, K>;
};
type Sent = { path?: Record<string, string>; query?: Record<string, string | number | readonly string[] | undefined>; body?: unknown };
type Options = {
	/** The caller's credential: a bearer token, or an API key (`sk_…`). */
	as?: string;
	headers?: Record<string, string>;
	/** Overrides configuration variables. The call then also waits for the work that continues after the response. */
	vars?: Vars;
};

export type Answer<B> =
	| { ok: true; status: number; body: B; headers: Headers; text: string }
	| { ok: false; status: number; body: ErrorBody; headers: Headers; text: string };

/** Calls an operation with typed input. */
export function call<C extends Caller, S extends Schemas, R extends Schema | null>(
	op: Operation<C, S, R>,
	input: Input<S> & Options,
): Promise<Answer<R extends Schema ? z.output<R> : null>> {
	return send(op as never, input as never) as never;
}

/** Calls an operation with any input, for tests of input that the types forbid. */
export async function send(
	op: Operation,
	{ path = {}, query = {}, body, as, headers = {}, vars }: Sent & Options,
): Promise<Answer<unknown>> {
	const pathname = op.path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
	const search = new URLSearchParams(
		Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((one) => [name, String(one)]))),
	);
	const request = new Request(`${ORIGIN}${pathname}${search.size > 0 ? `?${search}` : ""}`, {
		method: op.method,
		headers: {
			...(as !== undefined && (as.startsWith("sk_") ? { "x-api-key": as } : { authorization: `Bearer ${as}` })),
			...(body !== undefined && { "content-type": op.ndjson ? "application/x-ndjson" : "application/json" }),
			...headers,
		},
		...(body !== undefined && { body: textOf(op, body) }),
	});
	const response = await (vars ? serveToTheEnd(request, vars) : serve(request));
	const text = await response.text();
	const json: unknown = text === "" ? null : JSON.parse(text);
	const facts = { status: response.status, headers: response.headers, text };
	if (response.ok)
		expect([...successesOf(op).keys(), ...(mayBeHeld(op) ? [202] : [])], `${op.id} answered ${response.status}`).toContain(response.status);
	if (response.status === 200 && isTagged(op)) expect(response.headers.has("etag"), `${op.id} has an entity tag`).toBe(true);
	// A held call answers with a request for approval instead of the operation's own body.
	if (response.status === 202 && mayBeHeld(op) && (json as { approval_type?: string }).approval_type === "OPERATION")
		return { ok: true, body: json, ...facts };
	if (response.ok) return { ok: true, body: op.response ? (op.response as z.ZodType).parse(json) : json, ...facts };
	const error = ErrorBody.parse(json);
	// The missing thing stands in the path, or the operation says it; what exists in no such environment says nothing.
	if (response.status === 404 && !op.only) expect(error.description, `${op.id} says what it has not found`).not.toBe("Not found");
	expect(errorsOf(op), `${op.id} answered ${error.code}`).toContain(error.code);
	expect(reasonsOf(op), `${op.id} refused with ${error.reason}`).toContain(error.reason);
	return { ok: false, body: error, ...facts };
}

/** The body as it is sent; a text is one already. */
function textOf({ ndjson }: Pick<Operation, "ndjson">, body: unknown): string {
	if (typeof body === "string") return body;
	if (!ndjson || !Array.isArray(body)) return JSON.stringify(body);
	return body.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The body of a successful answer; fails the test on any other. */
export function expectOk<B>(answer: Answer<B>): B {
	if (!answer.ok) throw new Error(`expected success, got ${answer.status} ${answer.text}`);
	return answer.body;
}

/** Sends it again each time that the answer asks for that, because others have changed the same rows: at most four times. */
export async function untilDecided<B>(sendOnce: () => Promise<Answer<B>>): Promise<Answer<B>> {
	for (let sent = 1; ; sent++) {
		const answer = await sendOnce();
		if (answer.ok || answer.body.sub_code !== "CONCURRENT_CHANGE" || sent === 4) return answer;
	}
}
