// Waits for what happens in the background.

import { vi } from "vitest";

/** Repeats the check until it passes. Patient, because the tests also run on slow and busy machines. */
export const eventually = <T>(check: () => T | Promise<T>, interval = 20): Promise<T> => vi.waitFor(check, { timeout: 30_000, interval });
