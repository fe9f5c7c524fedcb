// The catalogue of error codes, of which answers and the API reference are made.

import { describe, expect, it } from "vitest";
import { ERRORS } from "../../src/shared/errors";

describe.each(Object.entries(ERRORS))("%s", (_, { status, description, remedy }) => {
	it("has a status, a meaning, and a remedy that says what to do, each in words of its own", () => {
		expect(status).toBeGreaterThanOrEqual(400);
		expect(description).toMatch(/^[A-Z].*[^.]$/);
		// An imperative, or what must happen first.
		expect(remedy).toMatch(/^[A-Z][a-z]+ .*[^.]$/);
		expect(Object.values(ERRORS).filter((other) => other.remedy === remedy)).toHaveLength(1);
	});
});
