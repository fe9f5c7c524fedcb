// A payout over Daraja and a payment to it, whose processes die before or after each of their trips to the databases: what was paid is in the
// books once, or open, and the next caller finishes it. `HOMES=3` runs it on three databases.
// @module-tag thorough

import { expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { registerDarajaConfirmations } from "../../../src/domains/connections/daraja.operations";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { verifyConfirmations } from "../../../src/domains/repayments/recording/confirmations.job";
import { payments } from "../../../src/domains/repayments/table";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { type Death, dyingAtEach } from "../../support/crashes";
import { expectCredit } from "../../support/credit";
import { CONNECTED, darajaStandsIn, givenLender, givenOfferOf, lose, sweepPayouts, timePasses } from "../../support/daraja";
import { db } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { eventsOf, runDueWork } from "../../support/loans";
import { allowErrors } from "../../support/log";

it.each(["before", "after"] as const)(
	"a payout is paid and booked once although its order, its result or a sweep dies %s any trip",
	async (when) => {
		allowErrors("a payout that was made is in no book", "background work failed", "request failed");
		let dying: Partial<Env> = {};
		const standIn = darajaStandsIn({}, () => dying);
		const lender = await givenLender();
		/** `at`: what dies. */
		const play = async (at: "order" | "result" | "sweep", death: Death) => {
			const { id, apply } = await givenOfferOf(lender);
			await apply(30_000, at === "order" ? death.vars : {});
			dying = at === "result" ? death.vars : {};
			// Its result is lost where the sweep dies, which asks for it.
			if (at === "sweep") lose(standIn);
			else await standIn.deliver();
			dying = {};
			// A caller who got no answer asks again.
			await apply();
			await timePasses(HOUR_MS);
			await sweepPayouts(at === "sweep" ? death.vars : {}).catch(() => {});
			for (let round = 0; round < 2; round++) {
				await standIn.deliver();
				await timePasses(2 * HOUR_MS);
				await sweepPayouts();
			}
			await standIn.deliver();
			const [row] = (await db.select().from(disbursements)).filter((each) => each.id === id);
			const paid = standIn.paid.filter(({ reference }) => reference === id);
			expect(paid).toHaveLength(1);
			expect(row).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: paid[0]?.receipt, amount: 30_000 });
		};
		const deaths: number[] = [];
		for (const at of ["order", "result", "sweep"] as const) deaths.push(await dyingAtEach(when, (death) => play(at, death)));
		// Each had trips at which to die.
		for (const count of deaths) expect(count).toBeGreaterThan(1);
		const disbursed = (await eventsOf(lender.organization.id)).filter(({ type }) => type === "loan.disbursed");
		expect(disbursed).toHaveLength(standIn.paid.length);
		await expectStoredEqualsReplay();
	},
);

it.each(["before", "after"] as const)(
	"a payment is credited once although its confirmation, its answer or a sweep dies %s any trip",
	async (when) => {
		allowErrors("background work failed", "request failed");
		let dying: Partial<Env> = {};
		const standIn = darajaStandsIn({}, () => dying);
		const lender = await givenLender();
		const { borrower, accountId, apply } = await givenOfferOf(lender);
		expectOk(await apply(100_000));
		await standIn.deliver();
		const as = lender.owner.token;
		expectOk(await call(registerDarajaConfirmations, { as, path: lender.path, body: {}, vars: CONNECTED }));
		const account = async () => expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
		const { account_number: number } = await account();
		const verify = (vars: Partial<Env> = {}) => runDueWork(verifyConfirmations, { ...CONNECTED, ...vars });
		let made = 0;
		const play = async (at: "confirmation" | "answer" | "sweep", death: Death) => {
			const shillings = 1;
			const receipt = standIn.receive({ shillings, account: number });
			made++;
			dying = at === "confirmation" ? death.vars : {};
			const [status] = await standIn.deliver();
			// Daraja may repeat what was answered with a failure; the service does not count on it for more.
			dying = {};
			if (status !== 200) {
				standIn.confirm({ TransID: receipt, TransAmount: "1", BillRefNumber: number });
				await standIn.deliver();
			}
			dying = at === "answer" ? death.vars : {};
			if (at === "sweep") lose(standIn);
			else await standIn.deliver();
			dying = {};
			await timePasses(2 * HOUR_MS);
			await verify(at === "sweep" ? death.vars : {}).catch(() => {});
			await standIn.deliver();
			await timePasses(2 * HOUR_MS);
			await verify();
			await standIn.deliver();
			const rows = (await db.select().from(payments)).filter((each) => each.mobileMoneyTransactionId === receipt);
			expect(rows).toMatchObject([{ status: "POSTED", amount: 100, accountId }]);
		};
		const deaths: number[] = [];
		for (const at of ["confirmation", "answer", "sweep"] as const) deaths.push(await dyingAtEach(when, (death) => play(at, death)));
		for (const count of deaths) expect(count).toBeGreaterThan(1);
		expect((await account()).balance.total_paid).toBe(made * 100);
		await expectStoredEqualsReplay();
	},
);
