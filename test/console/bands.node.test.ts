// A provider's tariff as people type it.

import { expect, it } from "vitest";
import { bandsOf } from "../../src/console/pages/lending/bands.ts";

it("a line is a band, and the last one has the fee alone", () => {
	expect(bandsOf(["1000 5", "2,500.50: 0.5", "13"], "KES")).toEqual([
		{ up_to: 100_000, fee: 500 },
		{ up_to: 250_050, fee: 50 },
		{ up_to: null, fee: 1_300 },
	]);
	expect(bandsOf(["0"], "KES")).toEqual([{ up_to: null, fee: 0 }]);
});

it.each([[["1000 5"]], [["1000", "5"]], [["x 5", "5"]], [["1000 5 6", "5"]], [["1000 5.123", "5"]]])(
	"%j has a line that is none",
	(lines) => {
		expect(bandsOf(lines, "KES")).toBe(lines[0]);
	},
);
