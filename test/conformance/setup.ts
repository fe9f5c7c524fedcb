// Every test of the platform in workerd starts with empty, migrated databases.

import { afterEach, beforeEach, vi } from "vitest";
import { emptyStorage } from "../support/storage";

beforeEach(emptyStorage);

afterEach(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
});
