// One life of an isolate. All that the Worker does outside itself leaves it through its bindings, `waitUntil` and `fetch`: a life wraps
// these, numbers each effect as a point, and lets the one at a given point fail.

import type { Fetch } from "../../src/runtime/ports";

/**
 * `before`, `after`: the caller sees an error; the effect has not, or has happened. `dies-…`: the isolate ends there. `late-…`: the caller
 * sees an error, and the effect happens just before the same point of a later life, or after all. `twice`: it happens twice. `evicted`:
 * the Durable Object loses its memory just before. `flickers-…`: D1 fails in words by which it may be asked again, and has not, or has done it.
 */
export const KINDS = [
	"before",
	"after",
	"dies-before",
	"dies-after",
	"late-mid",
	"late-end",
	"twice",
	"evicted",
	"flickers-before",
	"flickers-after",
] as const;
export type Kind = (typeof KINDS)[number];
export type Fault = { readonly at: number; readonly kind: Kind };

type Seam = "database" | "queue" | "object" | "outside";
export type Point = { readonly n: number; readonly seam: Seam; readonly what: string; readonly writes: boolean };

/** The kinds of faults that a point can have. A read changes nothing, so how it fails makes no difference. */
export function kindsAt({ seam, writes }: Point): readonly Kind[] {
	if (!writes) return seam === "database" ? ["before", "flickers-before"] : ["before"];
	return KINDS.filter((kind) => {
		if (kind === "twice") return mayRepeat(seam);
		return kind === "evicted" ? seam === "object" : !isFlicker(kind) || seam === "database";
	});
}

export const isFlicker = (kind: Kind): boolean => kind.startsWith("flickers-");

/** Whether what stands between the service and this sends something twice by itself. A database and an object never do. */
const mayRepeat = (seam: Seam) => seam === "queue" || seam === "outside";

/** An effect that is still under way when its caller has given up. */
export type Late = { readonly what: string; readonly kind: "late-mid" | "late-end"; readonly land: () => Promise<unknown> };

/** What a life reaches, and what outlives it. */
export interface Surroundings {
	readonly env: Env;
	readonly fetch: Fetch;
	readonly late: Late[];
	evict(binding: string, name: string): void | Promise<void>;
	/** Lets everything that can go on get to where it waits. */
	quiet(): Promise<void>;
}

const DEAD = Symbol("the isolate ended");
export type Dead = typeof DEAD;
export const isDead = (ended: unknown): ended is Dead => ended === DEAD;

export class Lost extends Error {}

type Effect = { readonly seam: Seam; readonly what: string; readonly writes: boolean; readonly evict?: () => void | Promise<void> };

export class Life {
	readonly points: Point[] = [];
	readonly env: Env;
	readonly ctx: ExecutionContext;
	readonly #around: Surroundings;
	readonly #faults: readonly Fault[];
	readonly #death = Promise.withResolvers<Dead>();
	readonly #works: Promise<unknown>[] = [];
	/** What the runtime disposes of when the isolate ends. */
	readonly #held = new Set<Disposable>();
	#dead = false;

	constructor(around: Surroundings, faults: readonly Fault[] = []) {
		this.#around = around;
		this.#faults = faults;
		this.env = this.#bindings(around.env);
		const waitUntil = (work: Promise<unknown>) => void this.#works.push(work.catch(() => {}));
		this.ctx = { waitUntil, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
	}

	/** Runs work, and what continues after it. */
	async run<T>(work: () => Promise<T>): Promise<T | Dead> {
		const whole = async () => {
			const result = await work();
			while (this.#works.length > 0) await this.#works.shift();
			return result;
		};
		const ended = await Promise.race([whole(), this.#death.promise]);
		if (!isDead(ended)) return ended;
		// What does not wait for an effect continues until it does, and never returns from there.
		await this.#around.quiet();
		for (const held of this.#held) held[Symbol.dispose]();
		await this.#around.quiet();
		return ended;
	}

	/** Every request that leaves the Worker. */
	readonly fetch: Fetch = async (input, init) => {
		const request = new Request(input, init as RequestInit);
		const url = new URL(request.url);
		const what = `OUTSIDE ${request.method} ${url.host}${url.pathname.replace(IDS, "…")}`;
		// A request is read once, so each time that it is sent is another one.
		const send = () => this.#around.fetch(input, init);
		return this.#at({ seam: "outside", what, writes: request.method !== "GET" }, send);
	};

	async #at<T>(effect: Effect, act: () => Promise<T>): Promise<T> {
		if (this.#dead) return new Promise<never>(() => {});
		const { seam, what, writes } = effect;
		const n = this.points.push({ n: this.points.length + 1, seam, what, writes });
		const { late } = this.#around;
		for (const each of late.filter((one) => one.kind === "late-mid" && one.what === what)) {
			late.splice(late.indexOf(each), 1);
			await landed(each);
		}
		const fault = this.#faults.find(({ at }) => at === n);
		if (!fault) return act();
		switch (fault.kind) {
			case "before":
				throw new Lost("the connection was lost");
			case "after":
				dispose(await act());
				throw new Lost("the connection was lost");
			case "flickers-before":
				throw new Lost("D1_ERROR: Network connection lost.");
			case "flickers-after":
				await act();
				throw new Lost("D1_ERROR: D1 DB storage caused object to be reset.");
			case "dies-before":
				return this.#die();
			case "dies-after":
				dispose(await act());
				return this.#die();
			case "twice":
				if (mayRepeat(seam)) dispose(await act());
				return act();
			case "evicted":
				await effect.evict?.();
				return act();
			default:
				late.push({ what, kind: fault.kind, land: act });
				throw new Lost("the connection was lost");
		}
	}

	#die(): Promise<never> {
		this.#dead = true;
		this.#death.resolve(DEAD);
		return new Promise<never>(() => {});
	}

	#bindings(env: Env): Env {
		const wrapped = Object.entries(env).map(([name, binding]: [string, unknown]) => {
			if (/^(DB|SHARD_\d+)$/.test(name)) return [name, this.#database(name, binding as D1Database)];
			if (/_QUEUE$/.test(name) && typeof binding === "object") return [name, this.#queue(name, binding as Queue)];
			if (OBJECTS.includes(name)) return [name, this.#objects(name, binding as Namespace)];
			return [name, binding];
		});
		return Object.fromEntries(wrapped);
	}

	#database(name: string, database: D1Database): D1Database {
		const session = (constraint?: string) => {
			const own = database.withSession(constraint);
			return {
				prepare: (sql: string) => own.prepare(sql),
				batch: (statements: D1PreparedStatement[]) =>
					this.#at({ seam: "database", ...named(name, statements) }, () => own.batch(statements)),
				getBookmark: () => own.getBookmark(),
			};
		};
		const first = (statement: D1PreparedStatement) => (column: string) =>
			this.#at({ seam: "database", ...named(name, [statement]) }, () => statement.first(column));
		const prepare = (sql: string) => {
			const statement = database.prepare(sql);
			return { bind: (...values: unknown[]) => ({ first: first(statement.bind(...values)) }), first: first(statement) };
		};
		return { prepare, withSession: session } as unknown as D1Database;
	}

	#queue(name: string, queue: Queue): Queue {
		const effect = { seam: "queue", what: `QUEUE ${name}`, writes: true } as const;
		return {
			send: (body: unknown, options?: QueueSendOptions) => this.#at(effect, () => queue.send(body, options)),
			sendBatch: (messages: MessageSendRequest[]) => this.#at(effect, () => queue.sendBatch(messages)),
		} as unknown as Queue;
	}

	#objects(binding: string, namespace: Namespace): Namespace {
		const evict = (name: string) => () => this.#around.evict(binding, name);
		return {
			getByName: (name) =>
				methods((method) => async (...args) => {
					const effect = { seam: "object", what: `OBJECT ${binding}.${method}`, writes: true, evict: evict(name) } as const;
					const answer = await this.#at(effect, () => (namespace.getByName(name)[method] as Method)(...args));
					return this.#claimed(answer, effect);
				}),
		};
	}

	/** An answer with the right to run, whose calls are points as well. */
	#claimed(answer: unknown, { what, evict }: Effect): unknown {
		const { run, ...rest } = (answer ?? {}) as { run?: Stub };
		if (!run) return answer;
		let disposed = false;
		const held = {
			[Symbol.dispose]: () => {
				if (disposed) return;
				disposed = true;
				dispose(answer);
			},
		};
		this.#held.add(held);
		const calls = methods(
			(method) =>
				(...args) =>
					this.#at({ seam: "object", what: `${what} ${method}`, writes: true, ...(evict && { evict }) }, () =>
						(run[method] as Method)(...args),
					),
		);
		return { ...rest, run: calls, ...held };
	}
}

/** Lets an effect land whose caller has given up; that it is refused by now is as good. */
export async function landed({ land }: Late): Promise<void> {
	await land().then(dispose, () => {});
}

type Method = (...args: unknown[]) => Promise<unknown>;
type Stub = Record<string, unknown>;
type Namespace = { getByName(name: string): Stub };
const OBJECTS: readonly string[] = ["IDEMPOTENCY_KEYS", "DELIVERY_RETRIES"];
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

const methods = (call: (method: string) => Method): Stub =>
	new Proxy({}, { get: (_, method) => (typeof method === "string" && method !== "then" ? call(method) : undefined) });

function dispose(answer: unknown): void {
	if (answer !== null && typeof answer === "object") (answer as Partial<Disposable>)[Symbol.dispose]?.();
}

const READS = /^\s*(select|with(?![\s\S]*\b(insert|update|delete)\b))/i;

type About = { readonly reads: boolean; readonly table: string };
const about = new Map<string, About>();

/** What a statement does, by its text: there are few, and each is sent thousands of times. */
function aboutOf(text: string): About {
	const known = about.get(text) ?? { reads: READS.test(text), table: /\b(?:into|update|from)\s+"?(\w+)"?/i.exec(text)?.[1] ?? "" };
	about.set(text, known);
	return known;
}

/** A batch by the tables that it writes, else by the table that it reads first. */
function named(name: string, statements: readonly D1PreparedStatement[]): { what: string; writes: boolean } {
	const all = statements.map((each) => aboutOf((each as unknown as { statement: string }).statement));
	const written = all.filter(({ reads }) => !reads);
	const tables = [...new Set((written.length > 0 ? written : all.slice(0, 1)).map(({ table }) => table))].filter(
		(each) => each !== "idempotency_records",
	);
	return { what: `${name} ${written.length > 0 ? "WRITE" : "READ"} ${tables.join(" ")}`, writes: written.length > 0 };
}
