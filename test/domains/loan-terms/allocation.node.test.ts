// In which order a payment settles what is owed, as a pure rule.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AllocationTerms, allocate, type Claim, totalOf } from "../../../src/domains/loan-terms/allocation.policy";

const claim = (principal: bigint, more: Partial<Claim> = {}): Claim => ({
	penalty: 0n,
	arrears: 0n,
	interest: 0n,
	principal,
	isDue: false,
	...more,
});

/** The total that each claim gets. */
const sharesOf = (amount: bigint, claims: readonly Claim[], terms: Partial<AllocationTerms> = {}) => {
	const { shares, rest } = allocate(amount, claims, { order: "HORIZONTAL", future: "NEXT_INSTALLMENT", ...terms });
	return { parts: claims.map((of) => shares.filter((share) => share.claim === of).reduce((sum, share) => sum + totalOf(share), 0n)), rest };
};

describe("allocate", () => {
	it("pays penalty, arrears, interest and principal of an installment in this order", () => {
		const owed = claim(100n, { penalty: 10n, arrears: 20n, interest: 30n });
		const [share] = allocate(65n, [owed]).shares;
		expect(share).toMatchObject({ penalty: 10n, arrears: 20n, interest: 30n, principal: 5n, isWhole: false });
		expect(allocate(160n, [owed]).shares[0]?.isWhole).toBe(true);
	});

	it("reads no claims beyond the last claim that the money reaches", () => {
		function* claims() {
			yield claim(10n);
			yield claim(10n);
			throw new Error("a third claim");
		}
		expect(allocate(20n, claims()).rest).toBe(0n);
	});

	it("gives nothing to anyone when there is no money", () => {
		expect(allocate(0n, [claim(10n)])).toEqual({ shares: [], rest: 0n });
	});

	it("pays what is due first, also where the last installment is paid ahead", () => {
		const claims = [claim(10n, { isDue: true }), claim(10n), claim(10n)];
		expect(sharesOf(15n, claims)).toEqual({ parts: [10n, 5n, 0n], rest: 0n });
		expect(sharesOf(15n, claims, { future: "LAST_INSTALLMENT" })).toEqual({ parts: [10n, 0n, 5n], rest: 0n });
	});

	it("divides equally among the installments to come, the odd units to the last", () => {
		const claims = [claim(10n, { isDue: true }), claim(100n), claim(100n), claim(100n)];
		expect(sharesOf(10n + 50n, claims, { future: "REAMORTIZATION" }).parts).toEqual([10n, 16n, 17n, 17n]);
	});

	it("divides again what an installment to come cannot take", () => {
		const claims = [claim(5n), claim(100n), claim(100n)];
		expect(sharesOf(60n, claims, { future: "REAMORTIZATION" }).parts).toEqual([5n, 27n, 28n]);
		expect(sharesOf(300n, claims, { future: "REAMORTIZATION" })).toEqual({ parts: [5n, 100n, 100n], rest: 95n });
	});

	it("pays component by component over all that is due", () => {
		const claims = [claim(10n, { isDue: true, interest: 4n }), claim(10n, { isDue: true, penalty: 3n, interest: 4n }), claim(10n)];
		const { shares } = allocate(9n, claims, { order: "VERTICAL", future: "NEXT_INSTALLMENT" });
		expect(shares).toMatchObject([{ interest: 4n }, { penalty: 3n, interest: 2n }]);
	});

	it("loses no unit and takes no claim beyond what it owes, in any order", () => {
		const amounts = fc.bigInt({ min: 0n, max: 1_000n });
		const claims = fc.array(fc.record({ penalty: amounts, arrears: amounts, interest: amounts, principal: amounts, isDue: fc.boolean() }));
		const terms = fc.record<AllocationTerms>({
			order: fc.constantFrom("HORIZONTAL", "VERTICAL"),
			future: fc.constantFrom("NEXT_INSTALLMENT", "LAST_INSTALLMENT", "REAMORTIZATION"),
		});
		void fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: 20_000n }), claims, terms, (amount, anyOrder, order) => {
				const owed = [...anyOrder].sort((a, b) => Number(b.isDue) - Number(a.isDue));
				const { shares, rest } = allocate(amount, owed, order);
				const owedInAll = owed.reduce((sum, one) => sum + totalOf(one), 0n);
				expect(shares.reduce((sum, share) => sum + totalOf(share), rest)).toBe(amount);
				expect(rest).toBe(amount > owedInAll ? amount - owedInAll : 0n);
				for (const share of shares) {
					for (const component of ["penalty", "arrears", "interest", "principal"] as const) {
						expect(share[component] >= 0n && share[component] <= share.claim[component]).toBe(true);
					}
					expect(share.isWhole).toBe(totalOf(share) === totalOf(share.claim));
				}
			}),
			{ seed: 11, numRuns: 500 },
		);
	});
});
