// A borrower is prompted to repay, and processes die before or after each of their trips to the databases: they are asked once, and what they
// paid is in the books once. `HOMES=3` runs it on three databases.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { workOnPrompts } from "../../../src/domains/repayments/prompts/job";
import { promptRepayment } from "../../../src/domains/repayments/prompts/operations";
import { repaymentPrompts } from "../../../src/domains/repayments/prompts/table";
import { verifyConfirmations } from "../../../src/domains/repayments/recording/confirmations.job";
import { postWaitingPayments } from "../../../src/domains/repayments/recording/job";
import { payments } from "../../../src/domains/repayments/table";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { type Death, dyingAtEach } from "../../support/crashes";
import { CONNECTED, givenConnectedLoan, givenOfferOf, lose, timePasses } from "../../support/daraja";
import { db } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { runDueWork } from "../../support/loans";
import { allowErrors } from "../../support/log";

it.each(["before", "after"] as const)(
	"a prompted payment is credited once although the request, a report on it or a sweep dies %s any trip",
	async (when) => {
		allowErrors("background work failed", "request failed");
		let dying: Partial<Env> = {};
		const { standIn, lender } = await givenConnectedLoan({ passkey: "a passkey" }, () => dying);
		const sweep = async (vars: Partial<Env> = {}) => {
			for (const job of [workOnPrompts, verifyConfirmations, postWaitingPayments]) {
				await runDueWork(job, { ...CONNECTED, ...vars }).catch(() => {});
			}
		};
		const play = async (at: "request" | "report" | "sweep", death: Death) => {
			const { borrower, accountId, apply } = await givenOfferOf(lender);
			expectOk(await apply());
			await standIn.deliver();
			const prompt = (vars: Partial<Env> = {}) =>
				call(promptRepayment, {
					as: borrower.token,
					path: { accountId },
					body: { amount: 10_000 },
					headers: { "idempotency-key": "once" },
					vars: { ...CONNECTED, ...vars },
				});
			await prompt(at === "request" ? death.vars : {});
			dying = at === "report" ? death.vars : {};
			// The outcome is lost where the sweep dies, which asks for it.
			if (at === "sweep") lose(standIn);
			else await standIn.deliver();
			dying = {};
			// A caller who got no answer asks again.
			await prompt();
			await standIn.deliver();
			await timePasses(HOUR_MS);
			await sweep(at === "sweep" ? death.vars : {});
			// Daraja may repeat what was answered with a failure.
			const collected = standIn.prompts.collected.at(-1);
			if (collected) standIn.confirm({ TransID: collected.receipt, TransAmount: "100", BillRefNumber: collected.reference });
			for (let round = 0; round < 3; round++) {
				await standIn.deliver();
				await timePasses(2 * HOUR_MS);
				await sweep();
			}
			const [row, another] = await db.select().from(repaymentPrompts).where(eq(repaymentPrompts.accountId, accountId));
			expect(another).toBeUndefined();
			const asked = standIn.prompts.asked.filter(({ AccountReference }) => AccountReference === row?.reference);
			expect(asked.length).toBeLessThanOrEqual(1);
			const credited = await db.select().from(payments).where(eq(payments.accountId, accountId));
			expect(credited.map(({ status, amount }) => [status, amount])).toEqual(asked.map(() => ["POSTED", 10_000]));
			expect(["SUCCEEDED", "FAILED", "UNKNOWN"]).toContain(row?.status);
			if (asked.length === 1) expect(row).toMatchObject({ status: "SUCCEEDED", transactionId: credited[0]?.id });
		};
		for (const at of ["request", "report", "sweep"] as const) {
			expect(await dyingAtEach(when, (death) => play(at, death)), at).toBeGreaterThan(1);
		}
		await expectStoredEqualsReplay();
	},
);
