// The judgement on an order to transfer: what refuses it, in which order, and when it needs a one-time password.

import { describe, expect, it } from "vitest";
import { judgeOrder, type OrderFacts } from "../../../src/domains/transfers/order.policy";
import { ApiError, InvalidInput } from "../../../src/shared/errors";
import { type CalendarDate, DAY_MS, HOUR_MS } from "../../../src/shared/time";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const LIMITS = { minimumTransferAmount: 10, maximumTransferAmount: 50_000, dailyTransferLimit: 60_000 };
const at = {
	config: {
		CURRENT_ACCOUNTS: { limits: LIMITS, currency: "KES" },
		TRANSFER_OTP_ABOVE: 20_000,
		NEW_PAYEE_OTP_ABOVE: 5_000,
		CAUTION_HOURS: 24,
		RECOVERY_WAIT: 2 * DAY_MS,
	},
	now: NOW,
	realNow: NOW,
};

const WALLET = {
	...{ status: "ACTIVE" as const, balance: 100_000, held: 10_000, day: "2026-03-10" as CalendarDate, outTotal: 0 },
	...{ uncoded: 0, uncodedToday: 0, uncodedNew: 0, createdAt: NOW - 90 * DAY_MS, timeZone: "Africa/Nairobi" },
};
const KNOWN = { payeeIsBlocked: 0, confirmedAt: NOW - 30 * DAY_MS, holderChangedAt: null };
const FACTS: OrderFacts<typeof WALLET> = { wallet: WALLET, payee: KNOWN, numberChanged: false, recovery: undefined, fitsIssuer: true };
const NEW_PAYEE = { ...KNOWN, confirmedAt: null };
const waits = { notBefore: NOW + DAY_MS, completedAt: null };
const completed = { notBefore: NOW - 2 * DAY_MS, completedAt: NOW - DAY_MS };
const NEW_SESSION = { signedInAt: NOW - HOUR_MS };

const judge = (facts: Partial<OrderFacts<typeof WALLET>> = {}, amount = 1_000, session = {}) =>
	judgeOrder({ ...FACTS, ...facts }, amount, session, at);

/** What refuses the order; undefined if nothing does. */
function refusalOf(...order: Parameters<typeof judge>): string | undefined {
	const { refusal } = judge(...order);
	if (refusal instanceof InvalidInput) return `${refusal.params[0]?.path} ${refusal.params[0]?.reason}`;
	return refusal instanceof ApiError ? refusal.message : undefined;
}

function needsCode(...order: Parameters<typeof judge>): boolean {
	const judged = judge(...order);
	if (judged.refusal) throw judged.refusal;
	return judged.needsCode;
}

describe("An order is refused", () => {
	it.each<[string, Partial<OrderFacts<typeof WALLET>>, number, object, RegExp]>([
		["under the least amount", {}, 9, {}, /^amount must be 10 to 50000$/],
		["over the greatest amount", {}, 50_001, {}, /^amount must be 10 to 50000$/],
		["to a blocked payee", { payee: { ...KNOWN, payeeIsBlocked: 1 } }, 1_000, {}, /^The payee is blocked$/],
		["without a current account", { wallet: undefined }, 1_000, {}, /^There is no open current account/],
		["from a frozen account", { wallet: { ...WALLET, status: "FROZEN" as never } }, 1_000, {}, /^The current account is FROZEN/],
		["over what is not held", { wallet: { ...WALLET, balance: 20_000 } }, 10_001, {}, /^The available balance is too low$/],
		["over the day's limit", { wallet: { ...WALLET, outTotal: 59_001 } }, 1_000, {}, /^The daily transfer limit is reached$/],
		["while the number is recovered", { recovery: waits }, 1_000, {}, /is or was being recovered/],
		["to a new payee after a recovery", { recovery: completed, payee: NEW_PAYEE }, 1_000, {}, /is or was being recovered/],
		["to a new payee by a new session", { payee: NEW_PAYEE }, 1_000, NEW_SESSION, /^The sign-in is too recent/],
	])("%s", (_, facts, amount, session, refusal) => {
		expect(refusalOf(facts, amount, session)).toMatch(refusal);
	});

	it("over a day's amount without codes, while its payer is under caution", () => {
		const spent = { wallet: { ...WALLET, outTotal: 19_500 } };
		for (const cautious of [{ numberChanged: true }, { recovery: completed }])
			expect(refusalOf({ ...spent, ...cautious })).toBe("The daily transfer limit is reached");
		expect(refusalOf(spent, 1_000, NEW_SESSION)).toBe("The daily transfer limit is reached");
		expect(refusalOf(spent)).toBeUndefined();
	});

	it("for a recovery before its amount, its payee before its account, and its account last", () => {
		const blocked = { ...NEW_PAYEE, payeeIsBlocked: 1 };
		expect(refusalOf({ recovery: waits, payee: blocked, wallet: undefined }, 1)).toMatch(/recovered/);
		expect(refusalOf({ payee: blocked, wallet: undefined }, 1)).toMatch(/^amount/);
		expect(refusalOf({ payee: blocked, wallet: undefined })).toBe("The payee is blocked");
	});
});

describe("An accepted order", () => {
	it("names the wallet and the limits that its commit demands again", () => {
		expect(judge()).toEqual({
			wallet: WALLET,
			limits: { ...LIMITS, withoutCode: { sinceCode: 60_000, today: 20_000, toNewPayees: 5_000 } },
			needsCode: false,
		});
	});

	it("spends up to what is neither held nor over the day's limit", () => {
		expect(refusalOf({ wallet: { ...WALLET, balance: 20_000 } }, 10_000)).toBeUndefined();
		expect(refusalOf({ wallet: { ...WALLET, outTotal: 59_000 } }, 1_000)).toBeUndefined();
		expect(refusalOf({ wallet: { ...WALLET, outTotal: 60_000, day: "2026-03-09" } }, 1_000)).toBeUndefined();
	});

	it("needs a code above what a day, or a new payee, may get without one", () => {
		expect(needsCode({}, 20_000)).toBe(false);
		expect(needsCode({}, 20_001)).toBe(true);
		expect(needsCode({ payee: NEW_PAYEE }, 5_000)).toBe(false);
		expect(needsCode({ payee: NEW_PAYEE }, 5_001)).toBe(true);
	});

	it("needs a code for a number that has changed hands, and when the issuer's users have spent the day's amount", () => {
		expect(needsCode({ payee: { ...KNOWN, holderChangedAt: NOW - DAY_MS } })).toBe(true);
		expect(needsCode({ fitsIssuer: false })).toBe(true);
	});

	it("always needs a code while its payer is under caution", () => {
		for (const cautious of [{ numberChanged: true }, { recovery: completed }]) expect(needsCode(cautious)).toBe(true);
		expect(needsCode({}, 1_000, NEW_SESSION)).toBe(true);
		expect(needsCode({ wallet: { ...WALLET, createdAt: NOW } }, 1_000, NEW_SESSION)).toBe(false);
	});
});
