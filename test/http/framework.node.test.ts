// The HTTP framework knows no domain: it names no path, scope or permission of one.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PERMISSIONS, SCOPES } from "../../src/shared/permissions";

const folder = path.join(import.meta.dirname, "../../src/http");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
	.filter((name) => name.endsWith(".ts"))
	.map((name) => [name, readFileSync(path.join(folder, name), "utf8")] as const);

/** What belongs on an operation: paths of the API, scopes and permissions. */
const domainTermsIn = (source: string): string[] => [
	...[...source.matchAll(/["'`/]v1\/[\w/-]*/g)].map(([found]) => found),
	...[...SCOPES, ...PERMISSIONS].filter((term) => source.includes(term)),
];

describe("the HTTP framework", () => {
	it("names no path, scope or permission of a domain", () => {
		expect(sources.length).toBeGreaterThan(10);
		for (const [name, source] of sources) expect({ name, found: domainTermsIn(source) }).toEqual({ name, found: [] });
	});

	it("is reported if it does", () => {
		expect(domainTermsIn('if (op.path.startsWith("/v1/auth/")) return "loans:write";')).toEqual(["/v1/auth/", "loans:write"]);
	});
});
