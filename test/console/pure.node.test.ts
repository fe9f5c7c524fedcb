// What the console computes without a browser.

import { describe, expect, it } from "vitest";
import { countryCodeOf, duration, milliseconds, money, percent, relative, words } from "../../src/console/format.ts";
import { backOff, Pace } from "../../src/console/pace.ts";
import { draftOf, EMPTY, settingsOf } from "../../src/console/pages/webhooks/draft.ts";
import { matchPath } from "../../src/console/paths.ts";
import { fieldOf, reasonOfState } from "../../src/console/refusals.ts";

describe("values are written", () => {
	it.each([
		[money(7_100_725, "KES"), "71,007.25"],
		[money(-5, "KES"), "−0.05"],
		[money(1_234, "JPY"), "1,234"],
		[money(1_234, "no currency"), "12.34"],
		[percent(1), "100 %"],
		// All but one of very many is not all.
		[percent(0.99999), "99.9 %"],
		[percent(0), "0.0 %"],
		[milliseconds(23.4), "23 ms"],
		[milliseconds(1_440), "1.4 s"],
		[relative(0, 14 * 3_600_000), "14 h ago"],
		[relative(6.5 * 86_400_000, 0), "in 6 d"],
		[relative(400, 0), "now"],
		[relative(0, 95 * 86_400_000), "3 mo ago"],
		[duration("PT5S"), "5 s"],
		[duration("P1DT2H"), "1 d 2 h"],
		[words("TEN_FAILED_DELIVERIES"), "Ten failed deliveries"],
	])("as %s", (written, expected) => expect(written).toBe(expected));
});

describe("refusals say what stands in the way, as people read it", () => {
	it.each([
		["Months are closed one after the other: the next one is 2026-03", "Months are closed one after the other: the next one is 2026-03."],
		["The borrower was reminded of this loan today", "The borrower was reminded of this loan today."],
		["2026-03 has open days: 2026-03-30 is the last closed day", "2026-03 has open days: 30 Mar 2026 is the last closed day."],
		["It was decided before, as APPROVED", "It was decided before, as approved."],
		[
			"The statement 01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11 is of 2026-03-30 to 2026-03-31: discard it first",
			"The statement is of 30 Mar 2026 to 31 Mar 2026: discard it first.",
		],
		["The SIM card was exchanged", "The SIM card was exchanged."],
		// These sentences are for programs: the console has its own.
		["The account is CLOSED: this is possible while it is ACTIVE", undefined],
		["Another request changed this resource at the same moment: send this one again with the same Idempotency-Key", undefined],
		["The resource's state does not allow this", undefined],
		["", undefined],
	])("%s", (description, told) => expect(reasonOfState(description)).toBe(told));

	it("and which field is meant", () =>
		expect(["body.short_code", "query.q", "body.api_user"].map(fieldOf)).toEqual(["Short code", "Q", "API user"]));
});

describe("paths", () => {
	it.each([
		["/endpoints/:id", "/endpoints/a%20b", { id: "a b" }],
		["/endpoints/:id", "/endpoints", undefined],
		["/endpoints", "/endpoints/", {}],
		["/", "/", {}],
		["/:id", "/%E0%A4%A", undefined],
	])("%s takes from %s %j", (pattern, path, params) => expect(matchPath(pattern, path)).toEqual(params));
});

describe("phone numbers", () => {
	it.each([
		["+254 712 345 678", "254", "712345678"],
		["0049 151 23456789", "49", "15123456789"],
		["+1 (415) 555-0100", "1", "4155550100"],
	])("%s", (text, mobile_country_code, mobile_number) => expect(countryCodeOf(text)).toEqual({ mobile_country_code, mobile_number }));
});

describe("the pace", () => {
	it("lets the most through in any minute, and the next when the first is a minute old", () => {
		const pace = new Pace(3);
		for (const at of [0, 10_000, 20_000]) {
			expect(pace.wait(at)).toBe(0);
			pace.note(at);
		}
		expect(pace.wait(30_000)).toBe(30_000);
		expect(pace.wait(60_001)).toBe(0);
	});

	it("doubles with each error up to a minute, and obeys Retry-After beyond it", () => {
		expect([1, 2, 3, 9].map((errors) => backOff(5_000, errors))).toEqual([10_000, 20_000, 40_000, 60_000]);
		expect(backOff(Number.POSITIVE_INFINITY, 1)).toBe(60_000);
		expect(backOff(2_000, 1, 90)).toBe(90_000);
	});
});

describe("an endpoint's settings are sent as they were read", () => {
	const { batch: _, ...plain } = settingsOf({ ...EMPTY, url: "https://a.example/", events: ["loan.disbursed"] });
	it.each([null, { max_events: 100, max_wait: "PT0S" }, { max_events: 2, max_wait: "PT30S" }])("with batches %j", (batch) => {
		expect(settingsOf(draftOf({ ...plain, batch, name: "billing" } as never))).toEqual({ ...plain, batch });
	});
});
