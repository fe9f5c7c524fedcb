/// <reference types="vite/client" />
// The app serves every operation that a file defines, and loads it when its path is called.

import { describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/http/operation";
import { createApp } from "../../src/wiring/app";
import { parts } from "../../src/wiring/domains";
import { operationsOf, serves } from "../../src/wiring/loading";
import { operations } from "../support/domains";
import { servicesFor } from "../support/outbound";
import { testEnv } from "../support/storage";

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
		expect(unlisted(modules, operations), "add the file to the list in src/wiring/domains.ts").toEqual([]);
	});

	it("is reported if it does not list a file of operations", () => {
		const [first, ...others] = operations;
		expect(unlisted({ "new/operations.ts": { first } }, others)).toEqual([`new/operations.ts: ${first?.id}`]);
	});

	it("checks the app's version in every operation but those that an outdated app needs", () => {
		expect(
			operations
				.filter((op) => op.gated === false)
				.map(({ id }) => id)
				.sort(),
		).toEqual(["getAppSettings", "getBrand", "getConsoleConfig", "getHealth", "getKeys", "putAppSettings", "refreshSession"]);
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

describe("an app that has served nothing yet", () => {
	const concrete = (path: string) => path.replaceAll(/{\w+}/g, "0190a0a0-0000-7000-8000-000000000000");
	/** The methods that an app has for the path of the operation. */
	async function allowed(app: ReturnType<typeof createApp>, { path }: AnyOperation): Promise<string[]> {
		const response = await app.fetch(new Request(`http://localhost${concrete(path)}`, { method: "OPTIONS" }), testEnv);
		return (response.headers.get("allow") ?? "").split(", ");
	}

	it.each(operations.map((op) => [op.id, op] as const))("finds %s by its path", async (_, op) => {
		expect(await allowed(createApp(servicesFor), op), "add the beginning of its path to the list in src/wiring/domains.ts").toContain(
			op.method,
		);
	});

	it("serves requests that arrive at the same time, before their operations are mounted", async () => {
		const app = createApp(servicesFor);
		const wanted = operations.filter((op) => op.path.startsWith("/v1/accounts"));
		expect(wanted.length).toBeGreaterThan(10);
		const found = await Promise.all(wanted.map((op) => allowed(app, op)));
		for (const [index, op] of wanted.entries()) expect(found[index]).toContain(op.method);
	});
});

describe("the paths of the parts", () => {
	it("each begin the path of an operation", async () => {
		for (const part of parts) {
			const mine = await operationsOf(part);
			for (const path of part.paths)
				expect(
					mine.some((op) => serves({ ...part, paths: [path] }, op.path)),
					path,
				).toBe(true);
		}
	});

	it("match whole segments, and any segment where theirs is in braces", () => {
		const [part] = parts;
		const matches = (start: `/${string}`, path: string) => part && serves({ ...part, paths: [start] }, path);
		for (const path of ["/v1/a", "/v1/a/", "/v1/a/b"]) expect(matches("/v1/a", path), path).toBe(true);
		for (const path of ["/v1/ab", "/v1", "/v1/A", "/x/v1/a", ""]) expect(matches("/v1/a", path), path).toBe(false);
		expect(matches("/v1/{id}/b", "/v1/x/b/c")).toBe(true);
		expect(matches("/v1/{id}/b", "/v1/x/c")).toBe(false);
		expect(matches("/v1/{id}/b", "/v1/x")).toBe(false);
	});
});
