// What was sent and what came of it, by operation: the table at the end of a run.

import type { Answer } from "./exchange.ts";

interface Account {
	requests: number;
	taken: number;
	refused: number;
	unavailable: number;
	failed: number;
	times: number[];
	mostMb: number;
}

export class Ledger {
	readonly #accounts = new Map<string, Account>();

	enter(operation: string, answer: Answer | undefined, complaints: readonly string[]): void {
		const account = this.#accounts.get(operation) ?? {
			requests: 0,
			taken: 0,
			refused: 0,
			unavailable: 0,
			failed: 0,
			times: [],
			mostMb: 0,
		};
		this.#accounts.set(operation, account);
		account.requests++;
		if (complaints.length > 0) account.failed++;
		if (!answer) return;
		if (answer.status < 400) account.taken++;
		else if (answer.status < 500) account.refused++;
		else if (answer.status === 503) account.unavailable++;
		account.times.push(answer.ms);
		account.mostMb = Math.max(account.mostMb, answer.grownMb ?? 0);
	}

	get requests(): number {
		return this.#sum(({ requests }) => requests);
	}

	get failures(): number {
		return this.#sum(({ failed }) => failed);
	}

	#sum(of: (account: Account) => number): number {
		return [...this.#accounts.values()].reduce((sum, account) => sum + of(account), 0);
	}

	print(say: (line: string) => void): void {
		const rows = [...this.#accounts]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([operation, account]) => {
				const times = account.times.sort((a, b) => a - b);
				const percentile = (share: number) => (times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0).toFixed(1);
				const { requests, taken, refused, unavailable, failed, mostMb } = account;
				return [
					operation,
					requests,
					taken,
					refused,
					unavailable,
					percentile(0.5),
					percentile(0.99),
					percentile(1),
					mostMb.toFixed(1),
					failed,
				];
			});
		printTable(say, ["operation", "requests", "2xx", "4xx", "503", "p50 ms", "p99 ms", "max ms", "max MB", "failed"], rows);
	}
}

/** The first column to the left, figures to the right. */
export function printTable(say: (line: string) => void, head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
	const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column] ?? "").length)));
	const line = (cells: readonly (string | number)[]) =>
		cells
			.map((cell, column) => (column === 0 ? String(cell).padEnd(widths[0] ?? 0) : String(cell).padStart(widths[column] ?? 0)))
			.join("  ");
	for (const row of [head, ...rows]) say(line(row));
}
