// What the tester has seen: by caller and check, by the rules that docs/openapi.md lists, and what nothing explains.

import { existsSync, readFileSync } from "node:fs";
import { type Refused, ruleOf } from "./rules.ts";

/** A call, or a failure of one. */
type Line = {
	readonly operation: string;
	readonly status: number;
	readonly valid?: boolean;
	readonly failure?: string;
	readonly message?: string;
	readonly sent?: string;
	readonly headers?: { readonly [name: string]: string };
	readonly body?: string;
	readonly answer?: string;
};

export const readRecord = (file: string): readonly Line[] =>
	existsSync(file)
		? readFileSync(file, "utf8")
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line) as Line)
		: [];

type Row = { [column: string]: number };

const SHOWN = 2;

const parsed = (text: string): Refused => {
	try {
		return JSON.parse(text) as Refused;
	} catch {
		return {};
	}
};

export class Tally {
	failures = 0;
	readonly #rows: { [run: string]: Row } = {};
	readonly #rules = new Map<string, { calls: number; operations: Set<string> }>();
	readonly #unexplained = new Map<string, Line[]>();
	readonly #reached = new Map<string, Set<string>>();

	enter(caller: string, seed: number, record: readonly Line[], seconds: number): void {
		const calls = record.filter(({ failure }) => failure === undefined);
		const row: Row = { calls: calls.length, seconds, "by listed rules": 0 };
		this.#rows[`${caller} ${seed}`] = row;
		for (const { operation, status, valid } of calls) {
			if (valid && status >= 200 && status < 300) this.#reached.set(operation, (this.#reached.get(operation) ?? new Set()).add(caller));
		}
		for (const line of record) if (line.failure !== undefined) this.#judge(row, line, line.failure);
	}

	#judge(row: Row, line: Line, failure: string): void {
		const rule = failure === "RejectedPositiveData" ? ruleOf(line.operation, line.status, parsed(line.answer ?? "")) : undefined;
		if (rule !== undefined) {
			row["by listed rules"] = (row["by listed rules"] ?? 0) + 1;
			const known = this.#rules.get(rule) ?? { calls: 0, operations: new Set() };
			this.#rules.set(rule, { calls: known.calls + 1, operations: known.operations.add(line.operation) });
			return;
		}
		this.failures++;
		row[failure] = (row[failure] ?? 0) + 1;
		const name = `${failure} of ${line.operation}, ${line.status}`;
		this.#unexplained.set(name, [...(this.#unexplained.get(name) ?? []), line]);
	}

	print(operations: readonly string[]): void {
		for (const [name, calls] of [...this.#unexplained].toSorted(([, a], [, b]) => b.length - a.length)) {
			console.log(`\n${name}: ${calls.length}`);
			for (const { sent, headers, body, answer, message } of calls.slice(0, SHOWN)) {
				console.log(
					`  ${sent} ${body}\n  ${JSON.stringify(headers)}\n  ${answer?.slice(0, 600)}\n  ${message?.replaceAll("\n", " ").slice(0, 200)}`,
				);
			}
		}
		console.log("\nRefused by rules that docs/openapi.md lists:");
		console.table(
			[...this.#rules]
				.toSorted(([, a], [, b]) => b.calls - a.calls)
				.map(([rule, { calls, operations: of }]) => ({ rule, calls, operations: of.size })),
		);
		const by = new Map<string, number>();
		for (const callers of this.#reached.values()) for (const caller of callers) by.set(caller, (by.get(caller) ?? 0) + 1);
		const missed = operations.filter((id) => !this.#reached.has(id));
		console.log(
			`Operations with a 2xx: ${operations.length - missed.length} of ${operations.length} by somebody; ${[...by].map(([caller, n]) => `${n} by the ${caller}`).join(", ")}`,
		);
		console.log(`By nobody: ${missed.join(", ") || "none"}`);
		console.table(this.#rows);
	}
}
