// What the services that a file of tests has started in this process log as an error: what a test does not expect fails it. A line comes
// from the service's process a moment after the answer, so that the file's end looks once more.

import "./heard-services.ts";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { expectNoOtherErrors, forgetErrors, missingErrors } from "./errors.ts";

/** How long an expected error may be under way (ms). */
const PATIENCE_MS = 10_000;

beforeAll(forgetErrors);

afterEach(async () => {
	const come = () => {
		if (missingErrors().length > 0) throw new Error("not yet");
	};
	await vi.waitFor(come, { timeout: PATIENCE_MS, interval: 20 }).catch(() => {});
	expectNoOtherErrors();
});

afterAll(expectNoOtherErrors);
