import { expect, it } from "vitest";
import { sharesOf } from "../../src/dev/bundle-shares";

it("adds up a bundle by packages, domains and folders, the largest first", () => {
	const inputs = {
		"../../node_modules/zod/v4/core/schemas.js": { bytesInOutput: 30 },
		"node_modules/zod/v4/core/util.js": { bytesInOutput: 20 },
		"node_modules/@scope/name/index.js": { bytesInOutput: 10 },
		"src/domains/loans/applications/store.ts": { bytesInOutput: 15 },
		"src/domains/loans/wire.ts": { bytesInOutput: 10 },
		"src/http/mount.ts": { bytesInOutput: 10 },
		"src/worker.ts": { bytesInOutput: 5 },
		"node_modules/unused/index.js": { bytesInOutput: 0 },
	};
	expect(sharesOf({ outputs: { "worker.js": { inputs }, "worker.js.map": { inputs: {} } } })).toEqual([
		{ name: "zod", bytes: 50, share: 0.5 },
		{ name: "src/domains/loans", bytes: 25, share: 0.25 },
		{ name: "@scope/name", bytes: 10, share: 0.1 },
		{ name: "src/http", bytes: 10, share: 0.1 },
		{ name: "the rest", bytes: 5, share: 0.05 },
	]);
});
