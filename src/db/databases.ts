// The databases of one request or job. Each is opened when it is first used, and all share one meter.

import { Database, readBookmark } from "./database";
import type { Entrance } from "./entrance";
import { Meter } from "./meter";
import type { Place, Places } from "./places";

export type Sessions = {
	/** Where reads go without a bookmark: `first-primary` or `first-unconstrained`. */
	constraint: "first-primary" | "first-unconstrained";
	/** The client's bookmarks, by the names of their databases. */
	bookmarks?: ReadonlyMap<string, string>;
};

export class Databases {
	readonly meter: Meter;
	readonly #places: Places;
	readonly #sessions: Sessions;
	readonly #opened = new Map<Place, Database>();

	constructor(places: Places, sessions: Sessions = { constraint: "first-primary" }, meter = new Meter()) {
		this.#places = places;
		this.#sessions = sessions;
		this.meter = meter;
	}

	/** The same databases with the same meter, for one of several who begin at once: in the database of this home it waits at the entrance. */
	behind(entrance: Entrance, home: number): Databases {
		const databases = new Databases(this.#places, this.#sessions, this.meter);
		const place = this.#places.of(home);
		databases.#opened.set(place, new Database(place.database, this.#sessions.constraint, this.meter, entrance));
		return databases;
	}

	/** The database that holds this home. */
	at(home: number): Database {
		return this.#open(this.#places.of(home));
	}

	/** The first home of the database that holds this home. */
	firstHomeAt(home: number): number {
		return this.#places.of(home).firstHome;
	}

	/** The name of the binding of the database that holds this home. */
	nameOf(home: number): string {
		return this.#places.of(home).name;
	}

	/** The database of this home opened a second time, so that all its reads go to the primary. */
	primaryAt(home: number): Database {
		return new Database(this.#places.of(home).database, "first-primary", this.meter);
	}

	/** The database of names. */
	get directory(): Database {
		return this.#open(this.#places.directory);
	}

	/** Whether the directory is the only database, and so holds everything. */
	get alone(): boolean {
		return this.#places.all.length === 1;
	}

	/** One home in each database, the directory's first. */
	get homes(): readonly number[] {
		return this.#places.all.map(({ firstHome }) => firstHome);
	}

	/** A home for what has none yet, by default in the default region. */
	deal(region?: string): number {
		return this.#places.deal(region);
	}

	/** Where organizations may be, the default first; none where all databases are in one region. */
	get regions(): readonly string[] {
		return this.#places.regions;
	}

	/** The region of the database that holds this home. */
	regionAt(home: number): string | undefined {
		return this.#places.of(home).region;
	}

	/** Runs the deferred checks that wait for a read of another database than this one, which may never come. */
	async runDeferredChecks(except?: Database): Promise<void> {
		for (const database of this.#opened.values()) if (database !== except) await database.runDeferredCheck();
	}

	/** Whether a deferred check threw this. */
	isCheckFailure(error: unknown): boolean {
		return [...this.#opened.values()].some(({ checkFailure }) => checkFailure !== undefined && checkFailure === error);
	}

	/** What the client sends back to read what it wrote: each database's name and bookmark. Clients must not look into it. */
	get bookmark(): string | null {
		const bookmarks = [...this.#opened].flatMap(([{ name }, { bookmark }]) => (bookmark === null ? [] : [`${name}.${bookmark}`]));
		return bookmarks.length > 0 ? bookmarks.join(",") : null;
	}

	#open(place: Place): Database {
		const opened = this.#opened.get(place);
		if (opened) return opened;
		const { constraint, bookmarks } = this.#sessions;
		const database = new Database(place.database, bookmarks?.get(place.name) ?? constraint, this.meter);
		this.#opened.set(place, database);
		return database;
	}
}

/** The bookmarks of a client's `X-D1-Bookmark`. Malformed ones are left out. */
export function readBookmarks(header: string | undefined): ReadonlyMap<string, string> {
	const bookmarks = new Map<string, string>();
	for (const part of header?.slice(0, 4_096).split(",") ?? []) {
		const [name = "", text] = part.split(".");
		const bookmark = readBookmark(text);
		if (bookmark) bookmarks.set(name, bookmark);
	}
	return bookmarks;
}
