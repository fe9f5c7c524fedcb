// An account that has paid towards an open loan does not close.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { startClosure } from "../../../../src/domains/current-accounts/closures/operations";
import { credit, debit } from "../../../../src/domains/current-accounts/ledger/plan";
import { users } from "../../../../src/domains/users/model/table";
import { call, expectOk } from "../../../support/client";
import { givenLoan, pay } from "../../../support/credit";
import { givenActive, postAt } from "../../../support/current-accounts";
import { db } from "../../../support/factories";

describe("a closure and a loan", () => {
	it("is 409 while a loan is open that the account has paid towards", async () => {
		const loan = await givenLoan();
		const { id: userId, token: as } = loan.borrower;
		await db.update(users).set({ mobileNumber: "+254711111111" }).where(eq(users.id, userId));
		const { id } = await givenActive(as);
		const paid = expectOk(await pay(loan, 1_000)).transaction;
		await postAt(id, Date.now(), {}, credit("MOVEMENT", "m", 1_000));
		await postAt(id, Date.now(), {}, debit("LOAN_REPAYMENT", paid.id, 1_000));
		const start = () => call(startClosure, { as, body: { reasons: ["OTHER"] } });
		expect((await start()).body).toMatchObject({ code: "INVALID_STATE", description: "A loan is repaid from the account" });
		expectOk(await pay(loan, 100_000));
		expectOk(await start());
	});

	it("is possible while the account has paid nothing to the loan", async () => {
		const { borrower } = await givenLoan();
		await db.update(users).set({ mobileNumber: "+254711111112" }).where(eq(users.id, borrower.id));
		await givenActive(borrower.token);
		expectOk(await call(startClosure, { as: borrower.token, body: { reasons: ["OTHER"] } }));
	});
});
