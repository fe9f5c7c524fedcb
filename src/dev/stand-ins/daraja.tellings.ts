// The stand-in's own reports. They wait until they are delivered.

export type Body = Readonly<Record<string, string>>;
export type Telling = { readonly url: string; readonly body: unknown };

/** How the end of a request is reported. */
export type Told = {
	/** How often; 0: never. */
	readonly results?: number;
	/** A notice that the request waited too long comes before it. */
	readonly timeOut?: boolean;
	/** Before the answer comes. */
	readonly early?: boolean;
	/** Not before `tellLate` is called. */
	readonly late?: boolean;
};

export class Tellings {
	readonly waiting: Telling[];
	readonly #fetch: typeof fetch;
	readonly #late: Telling[] = [];

	/** `waiting`: that of others, where they are delivered together. */
	constructor(carry: typeof fetch, waiting: Telling[] = []) {
		this.#fetch = carry;
		this.waiting = waiting;
	}

	/** Those of another kind of request, which keeps back its own. */
	apart(): Tellings {
		return new Tellings(this.#fetch, this.waiting);
	}

	/** Reports the end of a request, at the time and as often as is wanted. */
	async add(end: Telling, { results = 1, timeOut, early, late }: Told): Promise<void> {
		const tellings = [
			...(timeOut ? [{ url: end.url, body: { requestId: "1", errorCode: "QueueTimeOut" } }] : []),
			...Array.from({ length: results }, () => end),
		];
		if (late) this.#late.push(...tellings);
		else if (early) for (const telling of tellings) await this.#tell(telling);
		else this.waiting.push(...tellings);
	}

	/** Reports what was kept back. */
	tellLate(): void {
		this.waiting.push(...this.#late.splice(0));
	}

	/** Reports all that waits. Returns the answers' statuses, 0 for none. A report that is not taken with a 2xx is not repeated. */
	async deliver(): Promise<number[]> {
		const statuses: number[] = [];
		for (const telling of this.waiting.splice(0)) statuses.push(await this.#tell(telling));
		return statuses;
	}

	async #tell({ url, body }: Telling): Promise<number> {
		const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
		try {
			const response = await this.#fetch(url, init);
			await response.body?.cancel();
			return response.status;
		} catch {
			return 0;
		}
	}
}
