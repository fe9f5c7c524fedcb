// Where rows live. Every row has a home, one of 4,096 numbers that its id carries; a home is in one database, and only this file knows in
// which. The first block of homes is in `DB`, which is the directory as well; each `SHARD_n` holds the next block. `PLACES` says in which
// region each database is; where it is not set, all are in one unnamed region.

const HOMES = 4_096;
/** A home in the directory, with any other databases. */
export const DIRECTORY_HOME = 0;
/** A database holds a block of homes, so binding another one never changes where a home is. */
const HOMES_PER_DATABASE = 64;

/** The names by which Durable Objects get their location; D1 knows most of them by the same names. */
export const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof REGIONS)[number];

/** A database, by the name of its binding, the first of its homes, and its region. */
export type Place = {
	readonly name: string;
	readonly database: D1Database;
	readonly firstHome: number;
	readonly region: Region | undefined;
};

export const isDatabaseBinding = (name: string): boolean => /^(?:DB|SHARD_\d{1,2})$/.test(name);

const bindingOfBlock = (block: number): string => (block === 0 ? "DB" : `SHARD_${block - 1}`);

type Regions = ReadonlyMap<string, Region>;

/** The regions by the names of bindings; the first is the default. The configuration refuses another form of `PLACES`. */
function regionsIn(text: string | undefined): Regions {
	try {
		const entries = JSON.parse(text ?? "[]") as { binding: string; region: Region }[];
		return new Map(entries.map(({ binding, region }) => [binding, region]));
	} catch {
		return new Map();
	}
}

/** The region of a home by `PLACES`, for code without databases. */
export const regionOfHome = (home: number, places: string | undefined): Region | undefined =>
	regionsIn(places).get(bindingOfBlock(Math.floor(home / HOMES_PER_DATABASE)));

export class Places {
	/** The database of names; if it is the only database, it holds everything. */
	readonly directory: Place;
	/** Every database once, the directory first. */
	readonly all: readonly Place[];
	/** Where organizations may be, the default first; none where all databases are in one region. */
	readonly regions: readonly Region[];
	/** By block of homes; a binding may be missing. */
	readonly #blocks: readonly (Place | undefined)[];
	#dealt: number;

	constructor(env: Env) {
		const bindings = env as unknown as { readonly [name: string]: D1Database | undefined };
		const regions = regionsIn(env.PLACES);
		const placeOf = (block: number, database: D1Database): Place => {
			const name = bindingOfBlock(block);
			return { name, database, firstHome: block * HOMES_PER_DATABASE, region: regions.get(name) };
		};
		this.directory = placeOf(0, env.DB);
		const shards = Array.from({ length: HOMES / HOMES_PER_DATABASE - 1 }, (_, index): Place | undefined => {
			const database = bindings[bindingOfBlock(index + 1)];
			return database && placeOf(index + 1, database);
		});
		this.#blocks = [this.directory, ...shards];
		this.all = this.#blocks.filter((place) => place !== undefined);
		const bound = new Set(this.all.map(({ region }) => region));
		this.regions = [...new Set(regions.values())].filter((region) => bound.has(region));
		this.#dealt = Math.floor(Math.random() * HOMES);
	}

	/** The database of a home. Only made-up ids name a home that no database holds; the directory is searched for them, and has no such row. */
	of(home: number): Place {
		return this.#blocks[Math.floor(home / HOMES_PER_DATABASE)] ?? this.directory;
	}

	named(name: string): Place | undefined {
		return this.all.find((place) => place.name === name);
	}

	/**
	 * A home for a new organization in the region, or for a user without one: the databases there take turns, the directory only while it is
	 * alone there. A region without a database counts as the default.
	 */
	deal(region: string | undefined = this.regions[0]): number {
		const there = this.all.filter((place) => place.region === region);
		const others = there.filter((place) => place !== this.directory);
		const open = others.length > 0 ? others : there.length > 0 ? there : [this.directory];
		const { firstHome } = open[this.#dealt++ % open.length] ?? this.directory;
		return firstHome + Math.floor(Math.random() * HOMES_PER_DATABASE);
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
