// What a run has found out about the names in URLs. Used for a moment only: a claim that is made with the ends of attempts needs no look-up
// of its own, and yet a name that leads elsewhere now is noticed.

import type { JobServices } from "../../../runtime/services";
import { type Judged, judge } from "./attempt.job";

const VALID_MS = 2_000;

export class Verdicts {
	readonly #known = new Map<string, { verdict: Judged; until: number }>();

	/** Looks up the names of those URLs on which there is no verdict. */
	async lookUp(services: JobServices, urls: Iterable<string>): Promise<void> {
		const unknown = [...new Set(urls)].filter((url) => !this.isKnown(url));
		await Promise.all(
			unknown.map(async (url) => {
				const verdict = await judge(services, url);
				if (verdict) this.#known.set(url, { verdict, until: Date.now() + VALID_MS });
			}),
		);
	}

	/** Whether a claim may be made at the URL. */
	isKnown(url: string): boolean {
		return (this.#known.get(url)?.until ?? 0) > Date.now();
	}

	/** The last verdict on a URL at which a claim was made. */
	on(url: string): Judged {
		const known = this.#known.get(url);
		if (!known) throw new Error("a delivery was claimed at a URL that nobody has looked up");
		return known.verdict;
	}
}
