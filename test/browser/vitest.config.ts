// `npm run test:browser`: the pages that people see, in Chromium. Not part of `npm test`, because not every machine has a browser.

import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");
process.env.NODE_COMPILE_CACHE ??= path.join(root, "node_modules/.cache/node");

export default defineConfig({
	root,
	test: {
		include: ["test/browser/**/*.test.ts"],
		globalSetup: ["test/browser/service.ts"],
		setupFiles: ["test/support/errors-of-services.ts"],
		// All share one service and one browser. A page is mostly waited for, so two files at a time keep two cores busy.
		isolate: false,
		maxWorkers: 2,
		// A machine that does much else may take a key from a page that is not drawn yet; what is broken fails twice. An error of the service
		// is one, whether or not it comes again.
		retry: { count: 1, condition: /^(?!errors that the service logs)/ },
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
