// The stand-in's own reports. They wait until they are delivered.

export type Body = Readonly<Record<string, string>>;
export type Report = { readonly url: string; readonly body: unknown };

/** How the end of a request is reported. */
export type Reporting = {
	/** How often; 0: never. */
	readonly results?: number;
	/** A notice that the request waited too long comes before it. */
	readonly timeOut?: boolean;
	/** Before the answer comes. */
	readonly early?: boolean;
	/** Not before `reportLate` is called. */
	readonly late?: boolean;
};

export class Reports {
	readonly waiting: Report[];
	readonly #fetch: typeof fetch;
	readonly #late: Report[] = [];

	/** `waiting`: that of others, where they are delivered together. */
	constructor(carry: typeof fetch, waiting: Report[] = []) {
		this.#fetch = carry;
		this.waiting = waiting;
	}

	/** Those of another kind of request, which keeps back its own. */
	apart(): Reports {
		return new Reports(this.#fetch, this.waiting);
	}

	/** Reports the end of a request, at the time and as often as is wanted. */
	async add(end: Report, { results = 1, timeOut, early, late }: Reporting): Promise<void> {
		const reports = [
			...(timeOut ? [{ url: end.url, body: { requestId: "1", errorCode: "QueueTimeOut" } }] : []),
			...Array.from({ length: results }, () => end),
		];
		if (late) this.#late.push(...reports);
		else if (early) for (const report of reports) await this.#report(report);
		else this.waiting.push(...reports);
	}

	/** Reports what was kept back. */
	reportLate(): void {
		this.waiting.push(...this.#late.splice(0));
	}

	/** Reports all that waits. Returns the answers' statuses, 0 for none. A report that is not taken with a 2xx is not repeated. */
	async deliver(): Promise<number[]> {
		const statuses: number[] = [];
		for (const report of this.waiting.splice(0)) statuses.push(await this.#report(report));
		return statuses;
	}

	async #report({ url, body }: Report): Promise<number> {
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
