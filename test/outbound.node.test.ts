// The outside world has one door: nothing but the adapters calls `fetch`, and no test replaces the global one.

import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const matching = (pattern: string, forbidden: RegExp): string[] =>
	globSync(pattern).filter((file) => !/outbound\.node\.test\.ts$|node_modules/.test(file) && forbidden.test(readFileSync(file, "utf8")));

describe("the outside world", () => {
	it("is reached by adapters alone, through the fetch that they are given", () => {
		const callers = matching("src/**/*.ts", /(?<![\w.])fetch\(/).map((file) => file.replaceAll("\\", "/"));
		const outside = callers.filter(
			(file) =>
				!/^src\/(providers|dev|webhook-verify|console|reference\/browser)\/|^src\/(edge|wiring\/(services|create-worker)|runtime\/connections)\.ts$/.test(
					file,
				),
		);
		expect(outside).toEqual([]);
		expect(callers).toContain("src/providers/published.ts");
		for (const file of callers.filter((one) => /^src\/(providers|runtime)\//.test(one))) {
			expect(readFileSync(file, "utf8"), file).toMatch(/\bfetch: Fetch\b/);
		}
	});

	it("is chosen in one place: no domain imports an adapter, but what a provider's own reports mean", () => {
		const adapters =
			/["'](\.\.\/)+providers\/(?!\w+\/(answers|callback-address|callbacks|prompt-answers|return-answers)["']|message-reports["'])/;
		expect(matching("src/{domains,events,http,runtime,db,shared}/**/*.ts", adapters)).toEqual([]);
		expect(
			matching("src/providers/{*/{answers,callback-address,callbacks,prompt-answers,return-answers},message-reports}.ts", /fetch/i),
		).toEqual([]);
	});

	it("is never faked by replacing the global fetch", () => {
		const replaced =
			/spyOn\(\s*(globalThis|global|self|window)\s*,\s*["'`]fetch|stubGlobal\(\s*["'`]fetch|(globalThis|global|self)(\.fetch|\[["'`]fetch["'`]\])\s*=[^=]/;
		expect(matching("test/**/*.ts", replaced)).toEqual([]);
	});
});
