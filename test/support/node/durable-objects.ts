// Durable Objects in Node: one instance for each name, storage that outlives it, calls in order, and stubs that are disposed of.

import { createHash, randomBytes } from "node:crypto";
import { arrival } from "./clock";
import { RpcTarget } from "./cloudflare-workers";
import { Storage } from "./durable-storage";

type Methods = Record<string, (...args: unknown[]) => unknown>;
type DurableClass = new (ctx: DurableObjectState, env: never) => object;

/** What a caller sees of an error that was thrown in the object. */
function remote(error: unknown): unknown {
	if (!(error instanceof Error)) return structuredClone(error);
	const copy = structuredClone(error);
	return Object.assign(copy, { remote: true });
}

class Instance {
	readonly storage: Storage;
	readonly state: DurableObjectState;
	readonly object: Methods;
	/** Rejects when the object loses its memory. */
	readonly #lost = Promise.withResolvers<never>();
	#isLost = false;
	/** Calls arrive in the order in which they were made. */
	#last: Promise<unknown> = Promise.resolve();

	constructor(made: DurableClass, storage: Storage, id: Id, env: object, abort: (why: Error) => void) {
		this.storage = storage;
		this.#lost.promise.catch(() => {});
		const state = {
			storage,
			id,
			waitUntil: () => {},
			blockConcurrencyWhile: <T>(run: () => Promise<T>): Promise<T> => {
				const running = this.#last.then(run);
				this.#last = running.catch(() => {});
				return running;
			},
			abort: (why?: string) => {
				const error = new Error(why ?? "Application called abort() to reset Durable Object.");
				abort(error);
				throw error;
			},
		};
		this.state = state as unknown as DurableObjectState;
		this.object = new made(this.state, env as never) as Methods;
	}

	lose(why: Error): void {
		this.#isLost = true;
		this.#lost.reject(why);
	}

	/** The call begins after those made before it have begun; what it awaits holds up no other. */
	async call(target: object, method: string, given: readonly unknown[]): Promise<unknown> {
		const args = structuredClone(given);
		const run = (): unknown => {
			const called = (target as Methods)[method];
			if (typeof called !== "function") throw new TypeError(`The RPC receiver does not implement the method "${method}".`);
			return called.apply(target, args as unknown[]);
		};
		const answer = await this.#begun(run).catch((error) => {
			throw remote(error);
		});
		return this.#passed(answer);
	}

	/** Runs a test's own code as a call. */
	run<R>(use: (instance: object, state: DurableObjectState) => R | Promise<R>): Promise<R> {
		return this.#begun(() => use(this.object, this.state)) as Promise<R>;
	}

	/** @returns what the work comes to, or why the object was lost meanwhile */
	async #begun(work: () => unknown): Promise<unknown> {
		const before = this.#last;
		const beginning = Promise.withResolvers<void>();
		this.#last = beginning.promise;
		try {
			await arrival();
			await before;
			if (this.#isLost) await this.#lost.promise;
			const answer = work();
			beginning.resolve();
			return await Promise.race([answer, this.#lost.promise]);
		} finally {
			beginning.resolve();
		}
	}

	/** What a caller gets: values as copies, and a stub for what stays here. The caller disposes of an answer with its stubs. */
	#passed(answer: unknown): unknown {
		if (answer === null || typeof answer !== "object") return answer;
		const stubs: object[] = [];
		const members = Object.entries(answer).map(([name, value]) => {
			if (!(value instanceof RpcTarget)) return [name, structuredClone(value)];
			stubs.push(value);
			return [name, this.#stubOf(value)];
		});
		let disposed = false;
		const dispose = () => {
			if (disposed) return;
			disposed = true;
			// After the calls that were made before.
			const end = () => {
				for (const stub of stubs) (stub as Partial<Disposable>)[Symbol.dispose]?.();
			};
			this.#last = this.#last.then(end);
		};
		return Object.defineProperty(Object.fromEntries(members), Symbol.dispose, { value: dispose });
	}

	#stubOf(target: object): object {
		return new Proxy(
			{},
			{
				get: (_, name) => {
					if (typeof name !== "string" || name === "then") return undefined;
					return (...args: unknown[]) => this.call(target, name, args);
				},
			},
		);
	}
}

class Id {
	readonly name: string | undefined;
	readonly #hex: string;

	constructor(hex: string, name?: string) {
		this.#hex = hex;
		this.name = name;
	}

	toString(): string {
		return this.#hex;
	}

	equals(other: Id): boolean {
		return this.#hex === other.toString();
	}
}

/** An object, by what its stub shows of it. */
type Reference = { readonly objects: Objects; readonly id: Id };
const references = new WeakMap<object, Reference>();

function referenceOf(stub: object): Reference {
	const reference = references.get(stub);
	if (!reference) throw new TypeError("parameter 1 is not of type 'DurableObjectStub'.");
	return reference;
}

/** Runs a test's own code within the object. */
export function runWithin<R>(stub: object, use: (instance: object, state: DurableObjectState) => R | Promise<R>): Promise<R> {
	const { objects, id } = referenceOf(stub);
	return objects.run(id, use);
}

/** The object loses its memory, as in every deployment. */
export function loseMemory(stub: object): void {
	const { objects, id } = referenceOf(stub);
	objects.lose(id, new Error("the Durable Object was lost"));
}

/** A namespace of objects of a class. */
export class Objects {
	readonly #made: DurableClass;
	readonly #env: object;
	readonly #alarms: "timed" | "rung";
	readonly #storages = new Map<string, Storage>();
	readonly #instances = new Map<string, Instance>();
	readonly #ids = new Map<string, Id>();
	/** Why objects have ended themselves, for the stubs that were made before. */
	readonly #ends = new Map<string, { readonly why: Error; readonly stubs: number }>();
	#stubs = 0;

	/** @param alarms `timed`: they run by themselves; `rung`: when a test rings */
	constructor(made: DurableClass, env: object = {}, alarms: "timed" | "rung" = "rung") {
		this.#made = made;
		this.#env = env;
		this.#alarms = alarms;
	}

	idFromName(name: string): Id {
		return new Id(createHash("sha256").update(`${this.#made.name} ${name}`).digest("hex"), name);
	}

	idFromString(hex: string): Id {
		if (!/^[0-9a-f]{64}$/.test(hex)) throw new TypeError("Invalid Durable Object ID: must be 64 hex digits");
		return new Id(hex);
	}

	newUniqueId(): Id {
		return new Id(randomBytes(32).toString("hex"));
	}

	getByName(name: string): object {
		return this.get(this.idFromName(name));
	}

	get(id: Id): object {
		const number = ++this.#stubs;
		const stub = new Proxy(
			{ id, name: id.name },
			{
				get: (facts, method) => {
					if (method in facts) return Reflect.get(facts, method) as unknown;
					if (typeof method !== "string" || method === "then") return undefined;
					return (...args: unknown[]) => this.#call(id, method, args, number);
				},
			},
		);
		references.set(stub, { objects: this, id });
		return stub;
	}

	/** The object of this name loses its memory. */
	evict(name: string): void {
		this.lose(this.idFromName(name), new Error("the Durable Object was lost"));
	}

	lose(id: Id, why: Error): void {
		const instance = this.#instances.get(id.toString());
		this.#instances.delete(id.toString());
		instance?.lose(why);
	}

	run<R>(id: Id, use: (instance: object, state: DurableObjectState) => R | Promise<R>): Promise<R> {
		return this.#instanceOf(id).run(use);
	}

	/** Runs the alarms that are due. */
	async ring(now: number): Promise<void> {
		for (const id of [...this.#ids.values()]) await this.#ringOne(id, now);
	}

	/** The objects that were ever called. */
	ids(): Id[] {
		return [...this.#ids.values()];
	}

	/** What all objects have stored. */
	dump(): string[] {
		return [...this.#storages.values()].map((storage) => storage.dump()).filter((text) => text !== "[]");
	}

	/** Forgets all objects and what they have stored. */
	clear(): void {
		for (const storage of this.#storages.values()) storage.close();
		this.#storages.clear();
		this.#instances.clear();
		this.#ids.clear();
		this.#ends.clear();
	}

	async #call(id: Id, method: string, args: readonly unknown[], stub = Number.POSITIVE_INFINITY): Promise<unknown> {
		const end = this.#ends.get(id.toString());
		if (end && stub <= end.stubs) throw end.why;
		const instance = this.#instanceOf(id);
		return instance.call(instance.object, method, args);
	}

	async #ringOne(id: Id, now: number): Promise<void> {
		if (!this.#storages.get(id.toString())?.takeAlarm(now)) return;
		await this.#call(id, "alarm", []);
	}

	#instanceOf(id: Id): Instance {
		const hex = id.toString();
		const known = this.#instances.get(hex);
		if (known) return known;
		const rung = () => void this.#ringOne(id, Number.POSITIVE_INFINITY).catch(() => {});
		const storage = this.#storages.get(hex) ?? new Storage(this.#alarms === "timed" ? rung : undefined);
		this.#storages.set(hex, storage);
		this.#ids.set(hex, id);
		const instance: Instance = new Instance(this.#made, storage, id, this.#env, (why) => {
			this.#ends.set(hex, { why, stubs: this.#stubs });
			this.lose(id, why);
		});
		this.#instances.set(hex, instance);
		return instance;
	}
}
