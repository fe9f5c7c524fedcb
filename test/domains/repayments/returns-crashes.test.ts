// A return of money whose processes die before or after each of their trips to the databases: what was returned is in the books once, or
// open, and the next caller finishes it. `HOMES=3` runs it on three databases.
// @module-tag thorough

import { expect, it } from "vitest";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { sendDueReturns } from "../../../src/domains/repayments/returns/procedure";
import { paymentReturns } from "../../../src/domains/repayments/returns/table";
import { payments } from "../../../src/domains/repayments/table";
import { HOUR_MS } from "../../../src/shared/time";
import { call } from "../../support/client";
import { type Death, dyingAtEach } from "../../support/crashes";
import { CONNECTED, givenConnectedLoan, lose, timePasses } from "../../support/daraja";
import { db, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { eventsOf, runDueWork } from "../../support/loans";
import { allowErrors } from "../../support/log";

it.each(["before", "after"] as const)(
	"money is returned and booked once although its order, its result or a sweep dies %s any trip",
	{ timeout: 120_000 },
	async (when) => {
		allowErrors("background work failed", "request failed");
		let dying: Partial<Env> = {};
		const { standIn, number, lender, account } = await givenConnectedLoan({}, () => dying);
		const as = await operatorToken();
		const sweep = (vars: Partial<Env> = {}) => runDueWork(sendDueReturns, { ...CONNECTED, ...vars });
		const play = async (at: "order" | "result" | "sweep", death: Death) => {
			const receipt = standIn.receive({ shillings: 1, account: number });
			for (let round = 0; round < 2; round++) await standIn.deliver();
			const id = (await db.select().from(payments)).find((row) => row.mobileMoneyTransactionId === receipt)?.id ?? "";
			const reverse = (vars: Partial<Env> = {}) =>
				call(reverseRepayment, { as, path: { id }, body: { reason: "by mistake", return_money: true }, vars: { ...CONNECTED, ...vars } });
			await reverse(at === "order" ? death.vars : {});
			dying = at === "result" ? death.vars : {};
			// Its result is lost where the sweep dies, which asks for it.
			if (at === "sweep") lose(standIn);
			else await standIn.deliver();
			dying = {};
			// A caller who got no answer asks again.
			await reverse();
			await timePasses(HOUR_MS);
			await sweep(at === "sweep" ? death.vars : {}).catch(() => {});
			for (let round = 0; round < 2; round++) {
				await standIn.deliver();
				await timePasses(2 * HOUR_MS);
				await sweep();
			}
			await standIn.deliver();
			expect(standIn.reversals.made.filter((one) => one.receipt === receipt)).toHaveLength(1);
			const [row] = (await db.select().from(paymentReturns)).filter((each) => each.id === id);
			expect(row).toMatchObject({ status: "RETURNED", receipt, amount: 100, contradiction: null });
		};
		const deaths: number[] = [];
		for (const at of ["order", "result", "sweep"] as const) deaths.push(await dyingAtEach(when, (death) => play(at, death)));
		// Each had trips at which to die.
		for (const count of deaths) expect(count).toBeGreaterThan(1);
		const returned = (await eventsOf(lender.organization.id)).filter(({ type }) => type === "repayment.money_returned");
		expect(returned).toHaveLength(standIn.reversals.made.length);
		expect((await account()).balance.total_paid).toBe(0);
		await expectStoredEqualsReplay();
	},
);
