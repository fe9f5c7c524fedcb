/// <reference types="vite/client" />
// The app serves every operation that a file defines.

import { describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/http/operation";
import { operations } from "../../src/wiring/app";

const modules = import.meta.glob<Record<string, unknown>>("../../src/**/*operations.ts", { eager: true });
const sources = import.meta.glob<string>("../../src/**/*.ts", { eager: true, query: "?raw", import: "default" });

/** The files with an operation that the list lacks, each with that operation's id. */
const unlisted = (files: Record<string, Record<string, unknown>>, listed: readonly AnyOperation[]): string[] =>
	Object.entries(files).flatMap(([file, exported]) =>
		Object.values(exported)
			.filter((value): value is AnyOperation => typeof value === "object" && value !== null && "handle" in value && "access" in value)
			.filter((op) => !listed.includes(op))
			.map(({ id }) => `${file}: ${id}`),
	);

describe("the app", () => {
	it("serves every exported operation of every operations file", () => {
		expect(Object.keys(modules).length).toBeGreaterThan(20);
		expect(unlisted(modules, operations), "add the file to the domains in src/wiring/app.ts").toEqual([]);
	});

	it("would be found to lack a file that it does not list", () => {
		const [first, ...others] = operations;
		expect(unlisted({ "new/operations.ts": { first } }, others)).toEqual([`new/operations.ts: ${first?.id}`]);
	});

	it("checks the app's version in every operation but those that an outdated app needs", () => {
		expect(
			operations
				.filter((op) => op.gated === false)
				.map(({ id }) => id)
				.sort(),
		).toEqual(["getAppSettings", "getBrand", "getHealth", "getKeys", "putAppSettings", "refreshSession"]);
	});

	it("finds operations only in files whose name ends in operations.ts, each of them exported", () => {
		const defined = Object.entries(sources).flatMap(([file, source]) =>
			[...source.matchAll(/(export const \w+ = )?\boperation\(\{/g)].map(([, exported]) => ({ file, exported: exported !== undefined })),
		);
		expect(defined.length).toBe(operations.length);
		for (const { file, exported } of defined) {
			expect(file).toMatch(/operations\.ts$/);
			expect(exported, `${file} exports its operations`).toBe(true);
		}
	});
});
