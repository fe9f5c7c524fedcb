// Bytes as text.

import { expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../src/shared/bytes";

it("bytes of any length are written in base64 and read back", () => {
	for (const length of [0, 1, 8_191, 8_192, 8_193, 1_000_000]) {
		const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
		expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
		// Not by toEqual, which compares a million bytes one by one.
		expect(Buffer.compare(fromBase64(toBase64(bytes)), bytes)).toBe(0);
	}
});
