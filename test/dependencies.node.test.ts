// The audit of packages, on lock files that each have one fault.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { complaintsAbout, isAllowed, LockFile, Manifest, productionPackages } from "../src/dev/dependencies";

const hash = `sha512-${"A".repeat(86)}==`;
const right = { version: "1.2.3", license: "MIT", integrity: hash };

const audit = (entry: object, version = "1.2.3") =>
	complaintsAbout(
		Manifest.parse({ dependencies: { one: version } }),
		LockFile.parse({ packages: { "": { license: "Apache-2.0" }, "node_modules/one": { ...right, ...entry } } }),
	);

describe("the audit of packages", () => {
	it("finds nothing wrong with this project", () => {
		const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
		const lock = LockFile.parse(read("package-lock.json"));
		expect(complaintsAbout(Manifest.parse(read("package.json")), lock)).toEqual([]);
		expect(productionPackages(lock).map(({ name }) => name)).toEqual(expect.arrayContaining(["hono", "jose", "zod"]));
	});

	it("accepts a package that is pinned, hashed and permissively licensed", () => {
		expect(audit({})).toEqual([]);
	});

	it.each([
		"^1.2.3",
		"~1.2.3",
		"1.x",
		"*",
		"latest",
		"github:owner/one",
		"git+https://host.example/one.git",
		"https://host.example/one.tgz",
		"file:../one",
	])("refuses the version %s", (version) => {
		expect(audit({ version }, version)).toEqual([`package.json asks for one ${version}, which is not one exact version`]);
	});

	it.each([
		["another version than package.json", { version: "1.2.4" }, "package-lock.json has one 1.2.4, package.json 1.2.3"],
		["no hash", { integrity: undefined }, "node_modules/one has no SHA-512 integrity"],
		["a weak hash", { integrity: "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }, "node_modules/one has no SHA-512 integrity"],
		["an address", { resolved: "git+ssh://host.example/one.git#abc" }, "node_modules/one names the address it comes from"],
		["a link", { link: true }, "node_modules/one is a link to another folder"],
		["a licence that is not allowed", { license: "GPL-3.0" }, "one 1.2.3 is under GPL-3.0, which is not on the list of allowed licences"],
		["no licence", { license: undefined }, "one 1.2.3 is under no licence, which is not on the list of allowed licences"],
	])("refuses a lock entry with %s", (_, entry, complaint) => {
		expect(audit(entry)).toEqual([complaint]);
	});

	it("ignores the licences of development packages, which are never deployed", () => {
		expect(audit({ license: "LGPL-3.0-or-later", dev: true })).toEqual([]);
	});

	it.each([
		["MIT", true],
		["(BSD-3-Clause OR GPL-2.0)", true],
		["MIT AND Apache-2.0", true],
		["Apache-2.0 AND LGPL-3.0-or-later", false],
		["GPL-2.0 OR AGPL-3.0", false],
		["", false],
	])("reads the licence expression %s", (expression, allowed) => {
		expect(isAllowed(expression)).toBe(allowed);
	});
});
