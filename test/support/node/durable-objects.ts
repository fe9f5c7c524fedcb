// Durable Objects in Node: one instance for each name, storage that outlives it, calls in order, and stubs that are disposed of.

import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { RpcTarget } from "./cloudflare-workers";

type Methods = Record<string, (...args: unknown[]) => unknown>;
type DurableClass = new (ctx: DurableObjectState, env: never) => object;

class Storage {
	readonly kept = new Map<string, unknown>();
	alarmAt: number | null = null;
	#sqlite: DatabaseSync | undefined;

	readonly kv = {
		get: (key: string) => structuredClone(this.kept.get(key)),
		put: (key: string, value: unknown) => void this.kept.set(key, structuredClone(value)),
		delete: (key: string) => this.kept.delete(key),
	};

	readonly sql = {
		exec: (sql: string, ...values: SQLInputValue[]) => {
			const rows = this.#opened()
				.prepare(sql)
				.all(...values);
			return {
				toArray: () => rows,
				one() {
					if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
					return rows[0];
				},
			};
		},
	};

	async getAlarm(): Promise<number | null> {
		return this.alarmAt;
	}

	async setAlarm(at: number): Promise<void> {
		this.alarmAt = at;
	}

	async deleteAll(): Promise<void> {
		this.kept.clear();
		this.#sqlite?.close();
		this.#sqlite = undefined;
		this.alarmAt = null;
	}

	/** What is stored, as one text. */
	dump(): string {
		const tables = this.#sqlite?.prepare("select name from sqlite_master where type = 'table'").all() ?? [];
		const rows = tables.map(({ name }) => [name, this.#sqlite?.prepare(`select * from "${name}"`).all()]);
		return JSON.stringify([...this.kept, ...rows]);
	}

	#opened(): DatabaseSync {
		this.#sqlite ??= new DatabaseSync(":memory:");
		return this.#sqlite;
	}
}

class Instance {
	readonly storage: Storage;
	readonly object: Methods;
	lost = false;
	/** Calls arrive in the order in which they were made. */
	#last: Promise<unknown> = Promise.resolve();

	constructor(made: DurableClass, storage: Storage) {
		this.storage = storage;
		const state = { storage, id: { toString: () => "object" }, waitUntil: () => {}, blockConcurrencyWhile: <T>(run: () => T) => run() };
		this.object = new made(state as never, {} as never) as Methods;
	}

	/** The call begins after those made before it have begun; what it awaits holds up no other. */
	call(target: object, method: string, args: readonly unknown[]): Promise<unknown> {
		const begun = this.#last.then(() => {
			if (this.lost) throw new Error("the Durable Object was lost");
			const called = (target as Methods)[method];
			if (!called) throw new Error(`there is no method ${method}`);
			return [
				called.apply(
					target,
					args.map((arg) => structuredClone(arg)),
				),
			] as const;
		});
		this.#last = begun.catch(() => {});
		return begun.then(async ([answer]) => this.#passed(await answer));
	}

	/** What a caller gets: values as copies, and a stub for what stays here. The caller disposes of an answer with its stubs. */
	#passed(answer: unknown): unknown {
		if (answer === null || typeof answer !== "object") return answer;
		const stubs: object[] = [];
		const members = Object.entries(answer).map(([name, value]) => {
			if (!(value instanceof RpcTarget)) return [name, structuredClone(value)];
			stubs.push(value);
			return [name, this.stubOf(value)];
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
		return Object.assign(Object.fromEntries(members), { [Symbol.dispose]: dispose });
	}

	stubOf(target: object): object {
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

/** A namespace of objects of a class. */
export class Objects {
	readonly #made: DurableClass;
	readonly #storages = new Map<string, Storage>();
	readonly #instances = new Map<string, Instance>();

	constructor(made: DurableClass) {
		this.#made = made;
	}

	getByName(name: string): object {
		return new Proxy(
			{},
			{
				get: (_, method) => {
					if (typeof method !== "string" || method === "then") return undefined;
					const instance = this.#instanceOf(name);
					return (...args: unknown[]) => instance.call(instance.object, method, args);
				},
			},
		);
	}

	/** The object loses its memory, as in every deployment. */
	evict(name: string): void {
		const instance = this.#instances.get(name);
		if (instance) instance.lost = true;
		this.#instances.delete(name);
	}

	/** Runs the alarms that are due. */
	async ring(now: number): Promise<void> {
		for (const [name, storage] of this.#storages) {
			if (storage.alarmAt === null || storage.alarmAt > now) continue;
			storage.alarmAt = null;
			const instance = this.#instanceOf(name);
			await instance.call(instance.object, "alarm", []);
		}
	}

	/** What all objects have stored. */
	dump(): string[] {
		return [...this.#storages.values()].map((storage) => storage.dump()).filter((text) => text !== "[]");
	}

	/** Forgets all objects and what they have stored. */
	clear(): void {
		this.#storages.clear();
		this.#instances.clear();
	}

	#instanceOf(name: string): Instance {
		const known = this.#instances.get(name);
		if (known) return known;
		const storage = this.#storages.get(name) ?? new Storage();
		this.#storages.set(name, storage);
		const instance = new Instance(this.#made, storage);
		this.#instances.set(name, instance);
		return instance;
	}
}
