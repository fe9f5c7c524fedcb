// Names of payees, and what combining two of them keeps, as pure rules.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type AccountType,
	combine,
	DAILY_QUOTA,
	displayName,
	isSameName,
	VERIFICATION_STATES,
	verificationOf,
	waitForQuota,
} from "../../../src/domains/payees/policy";
import { DAY_MS, HOUR_MS } from "../../../src/shared/time";

const named = (id: string, accountHolderName: string | null, resolvedName: string | null = null) => ({
	id,
	accountHolderName,
	resolvedName,
	createdAt: 1,
});

describe("the display name", () => {
	it("is the label, otherwise the given or the resolved name of the first account, otherwise null", () => {
		expect(displayName("Rent", [named("a", "Jane")])).toBe("Rent");
		expect(displayName(null, [named("b", "Later"), named("a", "Jane", "JANE DOE")])).toBe("Jane");
		expect(displayName(null, [named("a", null), named("b", null, "JANE DOE")])).toBe("JANE DOE");
		expect(displayName(null, [named("a", null)])).toBeNull();
		expect(displayName(null, [])).toBeNull();
	});
});

describe("names", () => {
	it.each([
		["Jane Wanjiku Doe", "DOE, Jane Wanjiku", true],
		["José Núñez", "JOSE NUNEZ", true],
		["O'Brien", "O BRIEN", true],
		["Jane Doe", "John Doe", false],
		["Jane Doe", "Jane", false],
		["Jane Jane", "Jane", false],
	])("%s and %s", (given, resolved, same) => {
		expect(isSameName(given, resolved)).toBe(same);
		expect(verificationOf(given, { known: true, name: resolved }).verification).toBe(same ? "VERIFIED" : "MISMATCH");
	});

	it("verify an account that exists, even if the user gave no name or the provider returned none", () => {
		expect(verificationOf(null, { known: true, name: "Jane" })).toEqual({ verification: "VERIFIED", resolvedName: "Jane" });
		expect(verificationOf("Jane", { known: true, name: null })).toEqual({ verification: "VERIFIED", resolvedName: null });
		expect(verificationOf("Jane", { known: false })).toEqual({ verification: "FAILED", resolvedName: null });
	});
});

describe("the quota of a day", () => {
	it("allows its last use and refuses the next until the day (UTC) ends", () => {
		const now = 10 * DAY_MS + 23 * HOUR_MS;
		const { payees, lookups } = DAILY_QUOTA;
		expect(waitForQuota({ payees: payees - 1, lookups: lookups - 2 }, { payees: 1, lookups: 2 }, now)).toBe(0);
		expect(waitForQuota({ payees, lookups: 0 }, { payees: 1, lookups: 0 }, now)).toBe(HOUR_MS);
		expect(waitForQuota({ payees: 0, lookups: lookups - 1 }, { payees: 0, lookups: 2 }, now)).toBe(HOUR_MS);
	});
});

const account = fc.record({
	type: fc.constantFrom<AccountType>("SEND_MONEY", "BUY_GOODS"),
	identifier: fc.constantFrom("1", "2", "3", "4"),
	accountHolderName: fc.constantFrom(null, "Jane", "John"),
	verification: fc.constantFrom(...VERIFICATION_STATES),
	resolvedName: fc.constantFrom(null, "JANE"),
	verifiedAt: fc.constantFrom(null, 5),
	lookupAttempts: fc.nat(3),
	nextLookupAt: fc.constantFrom(null, 9),
	transactionCount: fc.nat(9),
	lastUsedAt: fc.option(fc.nat(9), { nil: null }),
	holderChangedAt: fc.option(fc.nat(9), { nil: null }),
	confirmedAt: fc.option(fc.nat(9), { nil: null }),
});
const side = (name: string) =>
	fc.record({
		payee: fc.record({
			isFavorite: fc.boolean(),
			isBlocked: fc.boolean(),
			blockReasons: fc.uniqueArray(fc.constantFrom("OTHER" as const, "SUSPECTED_FRAUD" as const)),
			blockDetails: fc.constantFrom(null, name),
		}),
		accounts: fc
			.uniqueArray(account, { selector: ({ type, identifier }) => `${type}${identifier}`, maxLength: 6 })
			.map((rows) => rows.map((row, index) => ({ ...row, id: `${name}${index}` }))),
	});

describe("combining payees", () => {
	it("keeps every account once, every use, the better verification, and blocks with all their reasons", () => {
		fc.assert(
			fc.property(side("t"), side("s"), (target, source) => {
				const { payee, accounts, joined, moved } = combine(target, source);
				const key = ({ type, identifier }: { type: string; identifier: string }) => `${type} ${identifier}`;
				const all = [...target.accounts, ...source.accounts];
				expect(accounts.map(key).sort()).toEqual([...new Set(all.map(key))].sort());
				expect(joined.length + moved.length).toBe(source.accounts.length);
				for (const one of accounts) {
					const same = all.filter((each) => key(each) === key(one));
					const ranks = same.map(({ verification }) => VERIFICATION_STATES.indexOf(verification));
					expect(VERIFICATION_STATES.indexOf(one.verification)).toBe(Math.max(...ranks));
					expect(one.confirmedAt !== null).toBe(same.every(({ confirmedAt }) => confirmedAt !== null));
					expect(one.transactionCount).toBe(same.reduce((sum, { transactionCount }) => sum + transactionCount, 0));
					const used = same.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
					expect(one.lastUsedAt).toBe(used.length > 0 ? Math.max(...used) : null);
					// The target's id stays when both payees have the account.
					expect(one.id).toBe(same[0]?.id);
				}
				expect(payee.isBlocked).toBe(target.payee.isBlocked || source.payee.isBlocked);
				expect(payee.isFavorite).toBe(target.payee.isFavorite || source.payee.isFavorite);
				for (const reason of [...target.payee.blockReasons, ...source.payee.blockReasons]) expect(payee.blockReasons).toContain(reason);
				expect(new Set(payee.blockReasons).size).toBe(payee.blockReasons.length);
			}),
		);
	});
});
