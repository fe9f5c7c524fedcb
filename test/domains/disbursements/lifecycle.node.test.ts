// What is to be done about a payout that is due: it is sent, asked about, or has failed.

import { describe, expect, it } from "vitest";
import { dueOf } from "../../../src/domains/disbursements/model/lifecycle";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";

const NOW = 1_000 * HOUR_MS;

const payout: Parameters<typeof dueOf>[0] = {
	...{ status: "PENDING", provider: "daraja", attempts: 1, harmlessAttempts: 0, toldAt: NOW - MINUTE_MS },
	...{ refusal: null, failureTold: null, failureToldAt: null },
};
const does = (of: Partial<typeof payout>) => dueOf({ ...payout, ...of }, NOW).does;

describe("a payout that nobody has taken", () => {
	it("is sent again for twelve hours, and from then on asked about, because its provider may have forgotten the reference", () => {
		expect([does({ toldAt: NOW - 12 * HOUR_MS + 1 }), does({ toldAt: NOW - 12 * HOUR_MS })]).toEqual(["SEND", "ASK"]);
	});

	it("is sent again however old it is when no attempt can have been paid", () => {
		expect(does({ toldAt: NOW - 12 * HOUR_MS, attempts: 3, harmlessAttempts: 3 })).toBe("SEND");
		expect(does({ toldAt: null })).toBe("SEND");
	});

	it("is sent again however old it is by the disburser behind DISBURSER_URL, which nobody can ask", () => {
		expect(does({ toldAt: NOW - 12 * HOUR_MS, provider: null })).toBe("SEND");
	});

	it("has failed when its provider has refused the only attempt that could have been paid", () => {
		expect(dueOf({ ...payout, refusal: "1" }, NOW)).toEqual({ does: "FAIL", reason: "1" });
	});
});

describe("a payout that a provider has taken", () => {
	const taken = { status: "ACCEPTED" } as const;

	it("is asked about", () => {
		expect([does(taken), does({ ...taken, toldAt: NOW - 12 * HOUR_MS })]).toEqual(["ASK", "ASK"]);
	});

	it("has failed when the provider was asked a quarter of an hour ago about the failure that it reported, and has reported no payment since", () => {
		const told = { ...payout, ...taken, failureTold: "2001" };
		expect(dueOf({ ...told, failureToldAt: null }, NOW)).toEqual({ does: "ASK" });
		expect(dueOf({ ...told, failureToldAt: NOW - 15 * MINUTE_MS + 1 }, NOW)).toEqual({ does: "ASK" });
		expect(dueOf({ ...told, failureToldAt: NOW - 15 * MINUTE_MS }, NOW)).toEqual({ does: "FAIL", reason: "2001" });
	});
});

it("the service only asks about a failed payout, after any earlier report", () => {
	expect(does({ status: "FAILED", refusal: "1", failureTold: "2001", failureToldAt: 0 })).toBe("ASK");
});
