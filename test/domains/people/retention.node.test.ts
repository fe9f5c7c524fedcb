// What stands in the way of an erasure, case by case, and how the periods of the law are set.

import { describe, expect, it } from "vitest";
import { obstaclesTo, type Ties } from "../../../src/domains/people/retention.policy";
import { RetentionPeriods } from "../../../src/runtime/retention-periods";
import { DAY_MS } from "../../../src/shared/time";

const NOW = Date.UTC(2026, 10, 28);
const FREE: Ties = { openLoans: 0, payouts: 0, openAccounts: 0, memberships: 0, numberChanges: 0, lastLoan: null, lastAccount: null };
const PERIODS = { LOANS: { days: 10, law: "a law of loans" }, CURRENT_ACCOUNTS: { days: 20, law: "a law of accounts" } };

describe("an erasure", () => {
	it("has nothing in its way for who has nothing", () => expect(obstaclesTo(FREE, PERIODS, NOW)).toEqual([]));

	it.each<[keyof Ties, string, string]>([
		["openLoans", "MONEY_OPEN", "a loan account is open or overpaid"],
		["payouts", "MONEY_OPEN", "a payout is under way"],
		["openAccounts", "MONEY_OPEN", "a current account is open"],
		["memberships", "IN_USE", "they are a member of an organization"],
		["numberChanges", "IN_USE", "their mobile number is being changed"],
	])("waits for %s", (tie, reason, description) =>
		expect(obstaclesTo({ ...FREE, [tie]: 1 }, PERIODS, NOW)).toEqual([{ reason, description }]),
	);

	it.each([
		["lastLoan", "LOANS", PERIODS.LOANS],
		["lastAccount", "CURRENT_ACCOUNTS", PERIODS.CURRENT_ACCOUNTS],
	] as const)("waits until the period from %s has ended, and no longer", (tie, kind, { days, law }) => {
		const until = NOW + 1;
		const ties = { ...FREE, [tie]: until - days * DAY_MS };
		const description = `${kind} are kept until ${new Date(until).toISOString()} (${law})`;
		expect(obstaclesTo(ties, PERIODS, NOW)).toEqual([{ reason: "RETENTION", until, description }]);
		expect(obstaclesTo(ties, PERIODS, until)).toEqual([]);
	});

	it("waits seven years under Kenya's law where nothing else is set", () => {
		const defaults = RetentionPeriods.parse({ loans: { days: 10 } });
		const law = "Proceeds of Crime and Anti-Money Laundering Act (Kenya), section 46: seven years";
		expect(defaults).toEqual({ LOANS: { days: 10, law }, CURRENT_ACCOUNTS: { days: 2557, law } });
		const ended = Date.UTC(2019, 10, 28);
		expect(obstaclesTo({ ...FREE, lastAccount: ended }, defaults, ended + 2557 * DAY_MS - 1)).toMatchObject([{ reason: "RETENTION" }]);
		expect(obstaclesTo({ ...FREE, lastAccount: ended }, defaults, ended + 2557 * DAY_MS)).toEqual([]);
	});

	it("names all that is in its way", () => {
		const all = { openLoans: 2, payouts: 1, openAccounts: 1, memberships: 3, numberChanges: 1, lastLoan: NOW, lastAccount: NOW };
		expect(obstaclesTo(all, PERIODS, NOW).map(({ reason }) => reason)).toEqual([
			...["MONEY_OPEN", "MONEY_OPEN", "MONEY_OPEN", "IN_USE", "IN_USE", "RETENTION", "RETENTION"],
		]);
	});
});
