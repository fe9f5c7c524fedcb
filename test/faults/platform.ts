// What differs between Node and workerd. The module of the one on which plans run names itself when it is imported.

export interface Platform {
	readonly env: Env;
	/** Sets the time for everything. */
	setTime(now: number): void;
	quiet(): Promise<void>;
	evict(binding: string, name: string): void | Promise<void>;
	/** What Durable Objects have stored, each as a text. */
	stored(): Promise<readonly string[]>;
	ring(now: number): Promise<void>;
	/** Runs work on the databases as they are, and takes back what it did. */
	takenBack<T>(work: () => Promise<T>): Promise<T>;
}

let chosen: Platform | undefined;

export function runOn(platform: Platform): void {
	chosen = platform;
}

export function platform(): Platform {
	if (!chosen) throw new Error("import the platform first");
	return chosen;
}
