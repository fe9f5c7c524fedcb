// The tenure of the next cycle can be changed, and its rate follows from the product's bands.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { changeTenure } from "../../../src/domains/accounts/tenure.operations";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { creditCycles } from "../../../src/domains/credit-accounts/table";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { expectCredit, givenLoan, pay, trips } from "../../support/credit";
import { givenCurrentAccount } from "../../support/current-accounts";
import { db, givenUser } from "../../support/factories";
import { eventsOf, givenOffer, runDueWork } from "../../support/loans";

const days = (duration: number) => ({ tenure: { duration, unit: "DAYS" as const } });

describe("the tenure of the next cycle", () => {
	it("is set with its rate, and the running cycle keeps its own", async () => {
		const loan = await givenLoan(30_000, {});
		const before = expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan }));
		const answer = await call(changeTenure, { as: loan.borrower.token, path: loan, body: days(45) });
		expect(trips(answer)).toBe(2);
		const { updated_at: _, ...changed } = expectOk(answer);
		const { updated_at: __, ...unchanged } = before;
		const interest_rate = { basis_points: 1_000, period_value: 30, period_unit: "DAYS" };
		expect(changed).toEqual({ ...unchanged, next_cycle: { ...days(45), interest_rate } });
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: "credit_account.tenure_changed",
			data: { ...days(45), applies_from: "NEXT_CYCLE" },
		});
	});

	it("is taken by the cycle that a roll-over starts, and only by that one", async () => {
		const loan = await givenLoan(30_000, { auto_renews: true });
		expectOk(await call(changeTenure, { as: loan.borrower.token, path: loan, body: days(40) }));
		expectOk(await call(changeTenure, { as: loan.borrower.token, path: loan, body: days(45) }));
		await moveClock(30 * DAY_MS);
		expectOk(await pay(loan, 3_000, "interest", Date.now() + 30 * DAY_MS));
		await moveClock(DAY_MS);
		await runDueWork(workOnAccounts);
		const cycles = (await db.select().from(creditCycles)).sort((a, b) => a.number - b.number);
		expect(cycles.map(({ terms }) => terms.tenure.duration)).toEqual([30, 45]);
		expect(expectCredit(await call(getAccount, { as: loan.borrower.token, path: loan })).next_cycle).toBeNull();
	});

	it("is offered by the next application", async () => {
		const loan = await givenLoan(30_000, {});
		expectOk(await call(changeTenure, { as: loan.borrower.token, path: loan, body: days(45) }));
		expect((await givenOffer(loan.borrower.token, loan.productId)).tenure).toEqual(days(45).tenure);
	});

	it("is refused for a current account, and is 404 for another user's", async () => {
		const owner = await givenUser();
		const { id: accountId } = await givenCurrentAccount({ user: owner });
		const change = (as: string) => call(changeTenure, { as, path: { accountId }, body: days(45) });
		expect(await change(owner.token)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await change((await givenUser()).token)).toMatchObject({ status: 404 });
	});

	it("is refused when no band of the schedule covers it, and for another user's account", async () => {
		const loan = await givenLoan(30_000, {});
		const path = { accountId: loan.accountId };
		for (const body of [days(61), { tenure: null }, {}, undefined]) {
			const answer = await send(changeTenure as never, { as: loan.borrower.token, path, body });
			expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		}
		expect(await call(changeTenure, { as: (await givenUser()).token, path: loan, body: days(45) })).toMatchObject({ status: 404 });
	});
});
