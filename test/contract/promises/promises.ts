// What an operation promises, each compared with what was found. A test goes on to the next promise when one is broken, and fails with all
// that are.

import { expect } from "vitest";
import type { AnyOperation } from "../../../src/http/operation";

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export class Promises {
	readonly #op: AnyOperation;
	readonly #broken: string[] = [];

	constructor(op: AnyOperation) {
		this.#op = op;
	}

	/** @param promise what the operation does, after its name: "has no effect for a blocked user" */
	expect(promise: string, found: unknown, expected: unknown): void {
		try {
			expect(found).toEqual(expected);
		} catch {
			this.break(promise, shown(expected), shown(found));
		}
	}

	break(promise: string, expected: string, found: string): void {
		this.#broken.push(`${this.#op.id} ${promise}\n    expected: ${expected}\n    found:    ${found}`);
	}

	/** Runs the steps until one throws, then fails if a promise is broken. */
	async keptBy(steps: () => Promise<void>): Promise<void> {
		try {
			await steps();
		} catch (error) {
			if (this.#broken.length === 0) throw error;
			this.#broken.push(`${this.#op.id} could not be tried any further: ${error instanceof Error ? error.message : String(error)}`);
		}
		if (this.#broken.length > 0) throw new Error(`broken promises of ${this.#op.method} ${this.#op.path}:\n  ${this.#broken.join("\n  ")}`);
	}
}
