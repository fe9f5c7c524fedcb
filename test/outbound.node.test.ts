// The outside world has one door: nothing but the adapters calls `fetch`, and no test replaces the global one.

import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const matching = (pattern: string, forbidden: RegExp): string[] =>
	globSync(pattern).filter((file) => !file.endsWith("outbound.node.test.ts") && forbidden.test(readFileSync(file, "utf8")));

describe("the outside world", () => {
	it("is reached by adapters alone, through the fetch that they are given", () => {
		const callers = matching("src/**/*.ts", /(?<![\w.])fetch\(/).map((file) => file.replaceAll("\\", "/"));
		const outside = callers.filter(
			(file) => !/^src\/(providers|dev|webhook-verify)\/|^src\/wiring\/(services|create-worker)\.ts$/.test(file),
		);
		expect(outside).toEqual([]);
		expect(callers).toContain("src/providers/jwks.ts");
		for (const file of callers.filter((one) => one.startsWith("src/providers/"))) {
			expect(readFileSync(file, "utf8"), file).toMatch(/\bfetch: Fetch\b/);
		}
	});

	it("is chosen in one place: no domain imports an adapter", () => {
		expect(matching("src/{domains,events,http,runtime,db,shared}/**/*.ts", /["'](\.\.\/)+providers\//)).toEqual([]);
	});

	it("is never faked by replacing the global fetch", () => {
		const replaced =
			/spyOn\(\s*(globalThis|global|self|window)\s*,\s*["'`]fetch|stubGlobal\(\s*["'`]fetch|(globalThis|global|self)(\.fetch|\[["'`]fetch["'`]\])\s*=[^=]/;
		expect(matching("test/**/*.ts", replaced)).toEqual([]);
	});
});
