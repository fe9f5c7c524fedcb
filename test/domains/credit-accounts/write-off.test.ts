// A write-off ends what accrues, and later payments are still taken.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { findLoaded, loadedOf, theAccount } from "../../../src/domains/credit-accounts/ledger.store";

import { accountTransactions, creditAccounts } from "../../../src/domains/credit-accounts/table";
import { planWriteOff } from "../../../src/domains/credit-accounts/write-off.plan";
import { createLoanApplication } from "../../../src/domains/loans/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { expectCredit, givenLoan, pay, THREE_INSTALLMENTS } from "../../support/credit";
import { db } from "../../support/factories";
import { eventsOf, LOAN_PRODUCT, runDueWork } from "../../support/loans";
import { servicesFor } from "../../support/outbound";

/** Writes the account off as an approval does; `meanwhile` runs between its read and its commit. */
async function writeOff(accountId: string, meanwhile: () => Promise<unknown> = async () => {}) {
	const ctx = createExecutionContext();
	const services = (await servicesFor({ env, ctx })).at(accountId);
	const loaded = loadedOf(await services.db.read(findLoaded(theAccount(accountId))));
	if (!loaded) throw new Error("expected an account");
	const planned = planWriteOff(services, loaded, { reason: "uncollectable", actor: "root" });
	await meanwhile();
	if (planned.accepted) await services.commit(planned.writes);
	await waitOnExecutionContext(ctx);
	return planned;
}

const accountOf = async ({ borrower, accountId }: Awaited<ReturnType<typeof givenLoan>>) =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));

describe("a write-off", () => {
	it("ends the account as WRITTEN_OFF, charges nothing more and raises its event", async () => {
		const penalty_terms = { ...LOAN_PRODUCT.penalty_terms, trigger: "AFTER_INSTALLMENT_DUE" as const };
		const loan = await givenLoan(30_000, { ...THREE_INSTALLMENTS, penalty_terms });
		await moveClock(40 * DAY_MS);
		await runDueWork(workOnAccounts);
		const owed = (await accountOf(loan)).balance.total_outstanding;
		expect((await writeOff(loan.accountId)).accepted).toBe(true);
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: "credit_account.written_off",
			data: { account_id: loan.accountId, amount: owed, currency: "KES" },
		});
		await moveClock(100 * DAY_MS);
		await runDueWork(workOnAccounts);
		expect(await accountOf(loan)).toMatchObject({ status: "WRITTEN_OFF", can_transact: false, balance: { total_outstanding: owed } });
		expect(await db.select().from(creditAccounts)).toMatchObject([{ status: "WRITTEN_OFF", nextWorkAt: null }]);
		const offer = expectOk(await call(createLoanApplication, { as: loan.borrower.token, body: {} }));
		expect(offer).toMatchObject({ status: "REJECTED" });
	});

	it("still takes later payments", async () => {
		const loan = await givenLoan(30_000);
		await writeOff(loan.accountId);
		expect(expectOk(await pay(loan, 10_000)).transaction.status).toBe("POSTED");
		expect(await accountOf(loan)).toMatchObject({ status: "WRITTEN_OFF", balance: { total_outstanding: 20_000 } });
	});

	it("is refused when nothing is owed, and a second time", async () => {
		const loan = await givenLoan(30_000);
		await writeOff(loan.accountId);
		expect(await writeOff(loan.accountId)).toEqual({ accepted: false, reason: "ALREADY_WRITTEN_OFF" });
		const repaid = await givenLoan(30_000);
		await pay(repaid, 30_000);
		expect(await writeOff(repaid.accountId)).toEqual({ accepted: false, reason: "NOTHING_OWED" });
		expect((await db.select().from(accountTransactions)).filter(({ kind }) => kind === "WRITE_OFF")).toHaveLength(1);
	});

	it("is stale when a payment was posted since it read the account", async () => {
		const loan = await givenLoan(30_000);
		await expect(writeOff(loan.accountId, () => pay(loan, 1_000))).rejects.toThrow("stale");
		expect((await accountOf(loan)).status).toBe("ACTIVE");
	});
});
