// Which days of a portfolio are closed when.

import { expect, it } from "vitest";
import { closableFrom, daysBehind, daysToClose } from "../../../src/domains/portfolio/model/days.policy";

const at = (instant: string) => Date.parse(instant);

it("days are closed in their order, each ten minutes after its own midnight, after a pause at most 31 together", () => {
	const until = (instant: string) => daysToClose("2026-02-27", "Africa/Nairobi", at(instant));
	expect(until("2026-02-28T21:09:59Z")).toEqual([]);
	expect(until("2026-02-28T21:10:00Z")).toEqual(["2026-02-28"]);
	expect(closableFrom("2026-02-28", "Africa/Nairobi")).toBe(at("2026-02-28T21:10:00Z"));
	expect(until("2026-03-02T21:10:00Z")).toEqual(["2026-02-28", "2026-03-01", "2026-03-02"]);
	const days = until("2026-12-31T00:00:00Z");
	expect([days.length, days[0], days.at(-1)]).toEqual([31, "2026-02-28", "2026-03-30"]);
	expect(days).toEqual([...days].sort());
	// A walk that was begun continues with the days that it was begun with.
	expect(daysBehind("2026-02-27", "2026-03-01")).toEqual(["2026-02-28", "2026-03-01"]);
});
