// What this project is made of, read from package.json and package-lock.json alone: every package of every platform, in exact versions,
// with hashes, and under licences that we may deploy under. npm itself compares no licences, and accepts ranges.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";

const versions = z.record(z.string(), z.string()).default({});
const Manifest = z.object({ dependencies: versions, devDependencies: versions });
const LockFile = z.object({
	packages: z.record(
		z.string(),
		z.object({
			version: z.string().optional(),
			license: z.string().optional(),
			integrity: z.string().optional(),
			resolved: z.string().optional(),
			dev: z.boolean().default(false),
			dependencies: versions,
			optionalDependencies: versions,
		}),
	),
});

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const manifest = Manifest.parse(read("package.json"));
const { "": _, ...packages } = LockFile.parse(read("package-lock.json")).packages;
const namesOf = (found: readonly [string, unknown][]): string[] => found.map(([name]) => name);

it("asks for one exact version of each package", () => {
	const exact = /^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
	const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
	expect(namesOf(asked.filter(([, version]) => !exact.test(version)))).toEqual([]);
});

it("has a hash for each package, and leaves to npm's configuration which registry it comes from", () => {
	const hash = /^sha512-[A-Za-z0-9+/]{86}==$/;
	const wrong = Object.entries(packages).filter(([, { integrity = "", resolved }]) => !hash.test(integrity) || resolved !== undefined);
	expect(namesOf(wrong)).toEqual([]);
});

it("deploys only packages whose licences ask for no more than their text to be kept", () => {
	const allowed = /^(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-2-Clause|BSD-3-Clause|CC0-1\.0|ISC|MIT|MIT-0|Unlicense|Zlib)$/;
	const deployed = Object.entries(packages).filter(([, { dev }]) => !dev);
	expect(namesOf(deployed)).toEqual(expect.arrayContaining(["node_modules/hono", "node_modules/zod"]));
	const isAllowed = (licence: string): boolean => licence.split(" OR ").some((choice) => allowed.test(choice));
	expect(namesOf(deployed.filter(([, { license = "" }]) => !isAllowed(license)))).toEqual([]);
});

// npm may leave some out when it writes the file, and then `npm ci` fails elsewhere.
it("contains every package that its packages depend on, for every platform", () => {
	const names = new Set(Object.keys(packages).map((key) => key.split("node_modules/").at(-1)));
	const needed = Object.values(packages).flatMap((entry) => [
		...Object.keys(entry.dependencies),
		...Object.keys(entry.optionalDependencies),
	]);
	expect(needed.filter((name) => !names.has(name))).toEqual([]);
});
