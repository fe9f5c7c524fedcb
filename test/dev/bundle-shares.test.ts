import { expect, it } from "vitest";
import { sharesOf } from "../../src/dev/bundle-shares";

it("adds up a bundle by packages, domains and folders, the largest first", () => {
	const modules = new Map([
		["../../node_modules/zod/v4/core/schemas.js", 30],
		["node_modules/zod/v4/core/util.js", 20],
		["node_modules/@scope/name/index.js", 10],
		["src/domains/loans/applications/store.ts", 15],
		["src/domains/loans/applications/wire.ts", 10],
		["src/http/mount.ts", 10],
		["src/worker.ts", 5],
		["node_modules/unused/index.js", 0],
	]);
	expect(sharesOf(modules)).toEqual([
		{ name: "zod", bytes: 50, share: 0.5 },
		{ name: "src/domains/loans", bytes: 25, share: 0.25 },
		{ name: "@scope/name", bytes: 10, share: 0.1 },
		{ name: "src/http", bytes: 10, share: 0.1 },
		{ name: "the rest", bytes: 5, share: 0.05 },
	]);
});
