// Checks how many rows something reads or writes, where they are counted: D1 does it, and SQLite in Node does not. What holds in both
// places, such as round trips and statements, is checked next to it.

import { expect } from "vitest";
import { rowsAreCounted } from "./runtime";

export function expectRows(rows: number, label?: string) {
	const isUnknown = !rowsAreCounted && Number.isNaN(rows);
	const check = (holds: () => void) => (isUnknown ? undefined : holds());
	return {
		atMost: (most: number) => check(() => expect(rows, label).toBeLessThanOrEqual(most)),
		atLeast: (least: number) => check(() => expect(rows, label).toBeGreaterThanOrEqual(least)),
		toBe: (exactly: number) => check(() => expect(rows, label).toBe(exactly)),
	};
}
