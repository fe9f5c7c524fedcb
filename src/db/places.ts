// Where rows live. Every row has a home, one of 4,096 numbers that its id carries; a home is in one database, and only this
// file knows in which. The first block of homes is in `DB`, which is the directory as well; each `SHARD_n` holds the next block.

const HOMES = 4_096;
/** A home in the directory, whatever other databases there are. */
export const DIRECTORY_HOME = 0;
/** A database holds a block of homes, so binding another one never changes where a home is. */
const HOMES_PER_DATABASE = 64;

/** A database, by the name of its binding, and the first of its homes. */
export type Place = { readonly name: string; readonly database: D1Database; readonly firstHome: number };

export class Places {
	/** The database of names; if it is the only database, it holds everything. */
	readonly directory: Place;
	/** Every database once, the directory first. */
	readonly all: readonly Place[];
	/** By block of homes; a binding may be missing. */
	readonly #blocks: readonly (Place | undefined)[];
	#dealt: number;

	constructor(env: Env) {
		const bindings = env as unknown as { readonly [name: string]: D1Database | undefined };
		this.directory = { name: "DB", database: env.DB, firstHome: DIRECTORY_HOME };
		const shards = Array.from({ length: HOMES / HOMES_PER_DATABASE - 1 }, (_, index): Place | undefined => {
			const name = `SHARD_${index}`;
			const database = bindings[name];
			return database && { name, database, firstHome: (index + 1) * HOMES_PER_DATABASE };
		});
		this.#blocks = [this.directory, ...shards];
		this.all = this.#blocks.filter((place) => place !== undefined);
		this.#dealt = Math.floor(Math.random() * HOMES);
	}

	/** The database of a home. Only made-up ids name a home that no database holds; the directory is searched for them, and has no such row. */
	of(home: number): Place {
		return this.#blocks[Math.floor(home / HOMES_PER_DATABASE)] ?? this.directory;
	}

	named(name: string): Place | undefined {
		return this.all.find((place) => place.name === name);
	}

	/** A home for a new organization, or for a user without one: the databases take turns, the directory only while it is alone. */
	deal(): number {
		const open = this.#blocks.flatMap((place, block) => (place && (block > 0 || this.all.length === 1) ? [block] : []));
		const block = open[this.#dealt++ % open.length] ?? 0;
		return block * HOMES_PER_DATABASE + Math.floor(Math.random() * HOMES_PER_DATABASE);
	}
}

const known = new WeakMap<object, Places>();

/** The databases of this Worker. */
export function placesOf(env: Env): Places {
	const places = known.get(env);
	if (places) return places;
	const fresh = new Places(env);
	known.set(env, fresh);
	return fresh;
}
