// Counts the trips to databases and objects that a call makes one after the other until it is answered: the time that each takes adds up. Those
// that are under way together count once.

import { withBatches } from "./databases";
import { testEnv } from "./storage";

let waiting: (() => void)[] = [];

/** The answer of a call is there; nobody waits for what continues after it. */
export function answered(): void {
	for (const tell of waiting) tell();
	waiting = [];
}

type Made = { getByName(name: string): object };

export class TripsInTurn {
	#ended = 0;
	#atAnswer: number | undefined;

	constructor() {
		waiting.push(() => {
			this.#atAnswer = this.#ended;
		});
	}

	/** How many have followed each other. */
	get count(): number {
		return this.#atAnswer ?? this.#ended;
	}

	async #of<T>(trip: () => Promise<T>): Promise<T> {
		const place = this.#ended + 1;
		try {
			return await trip();
		} finally {
			this.#ended = Math.max(this.#ended, place);
		}
	}

	/** The database, whose trips are counted. */
	database(database: D1Database): D1Database {
		return withBatches(database, (_, run) => this.#of(run));
	}

	/** The bindings of the objects that operations call in addition to those of idempotency keys. */
	get objects(): Partial<Env> {
		return { DELIVERY_RETRIES: this.#counted(testEnv.DELIVERY_RETRIES as unknown as Made) } as unknown as Partial<Env>;
	}

	#counted(objects: Made): Made {
		return {
			getByName: (name) =>
				new Proxy(objects.getByName(name), {
					get:
						(stub, method) =>
						(...given: unknown[]) =>
							this.#of(async () => (Reflect.get(stub, method) as (...given: unknown[]) => Promise<unknown>)(...given)),
				}),
		};
	}
}
