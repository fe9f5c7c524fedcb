// That guards are found, and at most a minute of `npm run mutations`, with other guards for every commit.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { WITHOUT_GUARDS } from "./accepted.ts";
import { schemaGuards, sourcePlaces } from "./places.ts";

const MAIN = path.join(import.meta.dirname, "main.ts");

it("finds the places of guards in the sources and migrations", () => {
	const kinds = Object.groupBy(sourcePlaces(), ({ kind }) => kind);
	for (const kind of ["guard", "write", "listed"] as const) expect(kinds[kind]?.length, kind).toBeGreaterThan(30);
	expect(new Set(schemaGuards().map(({ kind }) => kind))).toEqual(new Set(["check", "trigger"]));
});

it.each(Object.keys(WITHOUT_GUARDS))("finds none in %s, which is said to have none", (domain) => {
	const folder = `src/domains/${domain}/`;
	expect(existsSync(path.join(import.meta.dirname, "../..", folder))).toBe(true);
	expect(sourcePlaces().filter(({ place }) => place.startsWith(folder))).toEqual([]);
});

it("notices every guard of the sample that is taken out", { timeout: 900_000 }, async () => {
	const ended = Promise.withResolvers<string>();
	execFile(process.execPath, [MAIN, "--sample", "--jobs", "1"], (_, stdout, stderr) => ended.resolve(stdout + stderr));
	expect(await ended.promise).toMatch(/: [1-9]\d* guards, 0 survivors[\s\S]*\n0 survivors\n$/);
});
