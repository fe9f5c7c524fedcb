// Accepting an offer: what is demanded of borrower and offer within the commit, and what it starts.

import { describe, expect, it } from "vitest";
import { creditAccounts, creditCycles, installments } from "../../../src/domains/credit-accounts/table";
import { putCreditProfile, quoteLoan } from "../../../src/domains/loan-products/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { cancelLoanApplication, createLoanApplication, getLoanApplication } from "../../../src/domains/loans/operations";
import { users } from "../../../src/domains/users/model/table";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { trips } from "../../support/credit";
import { db, givenApiKey, operatorToken } from "../../support/factories";
import { apply, beforeCommit, eventsOf, givenBorrower, givenLoanProduct, givenOffer } from "../../support/loans";

describe("accepting an offer", () => {
	it("pays out in the same commit and raises the events in order", async () => {
		await givenLoanProduct({ fee_basis_points: 250, installment_every: { duration: 10, unit: "DAYS" } });
		const { id, token, organization } = await givenBorrower();
		const offer = await givenOffer(token);
		const applied = await apply(token, offer.id, 30_000);
		expect(applied).toMatchObject({ status: 200, body: { id: offer.id, status: "DISBURSED", loan_amount: 30_000 } });
		expect(trips(applied)).toBeLessThanOrEqual(2);

		const [account] = await db.select().from(creditAccounts);
		expect(account).toMatchObject({ id: offer.account_id, status: "ACTIVE" });
		expect(account?.accountNumber).toMatch(/^[1-5]\d{12}$/);
		const [cycle] = await db.select().from(creditCycles);
		expect(cycle).toMatchObject({
			accountId: offer.account_id,
			number: 1,
			applicationId: offer.id,
			principal: 30_000,
			fee: 750,
			status: "OPEN",
		});
		const rows = await db.select().from(installments).orderBy(installments.position);
		expect(rows.map(({ position }) => position)).toEqual([1, 2, 3]);
		expect(rows.reduce((total, { principal }) => total + principal, 0)).toBe(30_000);
		expect(rows.map(({ fee }) => fee)).toEqual([750, 0, 0]);
		expect(rows.at(-1)?.dueDate).toBe(cycle?.finalDueDate);
		expect(rows.map(({ startDate }) => startDate)).toEqual([cycle?.startDate, rows[0]?.dueDate, rows[1]?.dueDate]);

		const events = await eventsOf(organization.id);
		expect(events.map(({ type }) => type)).toEqual([
			"loan_application.created",
			"loan_application.submitted",
			"loan.disbursed",
			"credit_account.opened",
			"credit_account.cycle_started",
		]);
		expect(events[1]?.data).toMatchObject({ application_id: offer.id, user_id: id, account_id: offer.account_id, loan_amount: 30_000 });
		expect(events[2]?.data).toMatchObject({ application_id: offer.id, cycle_id: cycle?.id, amount: 30_000, currency: "KES" });
		expect(events[4]?.data).toMatchObject({ cycle_id: cycle?.id, principal: 30_000, final_payment_due_date: cycle?.finalDueDate });
	});

	it("costs what the quote says, and starts a cycle of its own for a second loan", async () => {
		await givenLoanProduct();
		const { token, organization } = await givenBorrower();
		expectOk(await apply(token, (await givenOffer(token)).id, 60_000));
		const second = await givenOffer(token);
		expect(second.terms_range).toEqual({ min_loan_amount: 1_000, max_loan_amount: 40_000 });
		expectOk(await apply(token, second.id, 40_000));
		expect((await db.select().from(creditCycles)).map(({ number }) => number).sort()).toEqual([1, 2]);
		const types = (await eventsOf(organization.id)).map(({ type }) => type);
		expect(types.filter((type) => type === "credit_account.opened")).toHaveLength(1);
		expect(types.filter((type) => type === "credit_account.cycle_started")).toHaveLength(2);
		expect(await call(createLoanApplication, { as: token, body: {} })).toMatchObject({ status: 201, body: { status: "REJECTED" } });
	});

	it("says what the offered amount costs, then what the accepted one does, as the quote of the same day has it", async () => {
		const product = await givenLoanProduct({ fee_basis_points: 250, installment_every: { duration: 10, unit: "DAYS" } });
		const { token } = await givenBorrower();
		const quoted = async (loan_amount: number) => {
			const quote = expectOk(await call(quoteLoan, { as: token, body: { loan_product_id: product.id, loan_amount } }));
			const { fee, total_cost, apr_basis_points, installments, total_interest, total_due } = quote;
			expect([total_cost, total_due]).toEqual([total_interest, loan_amount + total_interest]);
			return { loan_amount, fee, total_cost, apr_basis_points, due_dates: installments.map(({ due_date }) => due_date) };
		};
		const offer = await givenOffer(token);
		expect(offer).toMatchObject(await quoted(100_000));
		const accepted = await quoted(30_000);
		expect(accepted).toMatchObject({ fee: 750, apr_basis_points: expect.any(Number) });
		expect(expectOk(await apply(token, offer.id, 30_000))).toMatchObject(accepted);
		expect(expectOk(await call(getLoanApplication, { as: token, path: { application_id: offer.id } }))).toMatchObject(accepted);
		const [cycle] = await db.select().from(creditCycles);
		expect(accepted.due_dates.at(-1)).toBe(cycle?.finalDueDate);
		expectOk(await apply(token, (await givenOffer(token)).id, 70_000));
		const rejected = expectOk(await call(createLoanApplication, { as: token, body: {} }));
		expect(rejected).toMatchObject({ status: "REJECTED", fee: null, total_cost: null, apr_basis_points: null, due_dates: [] });
	});

	it("accepts both ends of the range, and rejects amounts outside it or between steps", async () => {
		await givenLoanProduct({ min_loan_amount: 1_200 });
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		for (const amount of [1_199, 1_201, 100_500, 0, -500]) {
			expect(await apply(token, offer.id, amount), String(amount)).toMatchObject({
				status: 400,
				body: { code: "BAD_REQUEST", description: "Invalid input" },
			});
		}
		for (const loan_amount of ["5000", 1.5, null, 2 ** 53, undefined]) {
			expect(
				await send(applyForLoan, { as: token, path: { application_id: offer.id }, body: { loan_amount } }),
				String(loan_amount),
			).toMatchObject({ status: 400 });
		}
		expectOk(await apply(token, offer.id, 1_200));
		const other = await givenBorrower();
		expectOk(await apply(other.token, (await givenOffer(other.token)).id, 100_000));
	});

	it("accepts the resource_id too, and responds 404 for the applications of others", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const stranger = await givenBorrower();
		const offer = await givenOffer(token);
		for (const id of [offer.id, offer.resource_id, crypto.randomUUID(), "lapp_0", "%00"]) {
			expect(await apply(stranger.token, id, 5_000), id).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		}
		const key = await givenApiKey(stranger.organization.id, ["loans:write"]);
		for (const user_id of [stranger.id, offer.user_id]) {
			expect(
				await call(applyForLoan, { as: key, path: { application_id: offer.id }, body: { user_id, loan_amount: 5_000 } }),
			).toMatchObject({ status: 404 });
		}
		const path = { application_id: offer.id };
		expect(await call(applyForLoan, { as: token, path, body: { user_id: stranger.id, loan_amount: 5_000 } })).toMatchObject({
			status: 400,
		});
		expect(await call(applyForLoan, { path, body: { loan_amount: 5_000 } })).toMatchObject({ status: 401 });
		expectOk(await apply(token, offer.resource_id, 5_000));
	});

	it("works with the partner's API key for a named user", async () => {
		await givenLoanProduct();
		const { id, token, organization } = await givenBorrower();
		const offer = await givenOffer(token);
		const key = await givenApiKey(organization.id, ["loans:write"]);
		const path = { application_id: offer.id };
		expect(await call(applyForLoan, { as: key, path, body: { loan_amount: 5_000 } })).toMatchObject({ status: 400 });
		const applied = await call(applyForLoan, { as: key, path, body: { user_id: id, loan_amount: 5_000 } });
		expect(applied).toMatchObject({ status: 200, body: { status: "DISBURSED" } });
		expect(trips(applied)).toBeLessThanOrEqual(2);
	});

	it("succeeds for one of many concurrent requests", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		const answers = await Promise.all([5_000, 6_000, 7_000, 8_000].map((amount) => apply(token, offer.id, amount)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("INVALID_STATE");
		expect(await db.select().from(creditCycles)).toHaveLength(1);
	});

	it("is too late at the instant of expiry", async () => {
		await givenLoanProduct();
		const { token, organization } = await givenBorrower();
		const offer = await givenOffer(token);
		await moveClock(DAY_MS);
		expect(await apply(token, offer.id, 5_000)).toMatchObject({ status: 409, body: { code: "APPLICATION_EXPIRED" } });
		const path = { application_id: offer.id };
		expect(expectOk(await call(getLoanApplication, { as: token, path })).status).toBe("EXPIRED");
		expect(await call(cancelLoanApplication, { as: token, path })).toMatchObject({ status: 409, body: { code: "APPLICATION_EXPIRED" } });
		const next = await call(createLoanApplication, { as: token, body: {} });
		expect(next).toMatchObject({ status: 201, body: { status: "APPROVED", account_id: offer.account_id } });
		expect(expectOk(next).id).not.toBe(offer.id);
		expect((await eventsOf(organization.id)).map(({ type }) => type)).toEqual([
			"loan_application.created",
			"loan_application.expired",
			"loan_application.created",
		]);
	});

	it("never exceeds the limit with two offers of different products", async () => {
		const [one, two] = [await givenLoanProduct(), await givenLoanProduct()];
		const { token } = await givenBorrower();
		const offers = [await givenOffer(token, one.id), await givenOffer(token, two.id)];
		expect(offers.map(({ terms_range }) => terms_range.max_loan_amount)).toEqual([100_000, 100_000]);
		const answers = await Promise.all(offers.map(({ id }) => apply(token, id, 80_000)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		const left = offers[answers.findIndex(({ status }) => status === 409)];
		expect(await apply(token, left?.id ?? "", 20_500)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expectOk(await apply(token, left?.id ?? "", 20_000));
	});

	it("is rejected when the borrower's situation has changed since", async () => {
		await givenLoanProduct();
		const { id, token, organization } = await givenBorrower();
		const offer = await givenOffer(token);
		const path = { application_id: offer.id };
		const key = await givenApiKey(organization.id, ["loans:write"]);
		await db.update(users).set({ blockedAt: 1 });
		expect(await apply(token, offer.id, 5_000)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expect(await call(applyForLoan, { as: key, path, body: { user_id: id, loan_amount: 5_000 } })).toMatchObject({
			status: 403,
			body: { code: "FORBIDDEN" },
		});
		await db.update(users).set({ blockedAt: null });
		expectOk(await call(putCreditProfile, { as: await operatorToken(), path: { userId: id }, body: { limit: 4_000 } }));
		expect(await apply(token, offer.id, 5_000)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
	});

	it("notices changes between its read and its commit", async () => {
		const [one, two] = [await givenLoanProduct(), await givenLoanProduct()];
		const { id, token } = await givenBorrower();
		const [first, second] = [await givenOffer(token, one.id), await givenOffer(token, two.id)];
		const applyWhile = (happens: () => Promise<unknown>, loan_amount: number) =>
			call(applyForLoan, { as: token, path: { application_id: first.id }, body: { loan_amount }, vars: beforeCommit(happens) });
		const as = await operatorToken();
		const limited = await applyWhile(async () => call(putCreditProfile, { as, path: { userId: id }, body: { limit: 4_000 } }), 5_000);
		expect(limited).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expectOk(await call(putCreditProfile, { as, path: { userId: id }, body: { limit: null } }));
		const outrun = await applyWhile(() => apply(token, second.id, 60_000), 60_000);
		expect(outrun).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const blocked = await applyWhile(() => db.update(users).set({ blockedAt: 1 }), 5_000);
		expect(blocked).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		await db.update(users).set({ blockedAt: null });
		// A change that does not affect the decision only costs a second read.
		const harmless = await applyWhile(async () => call(putCreditProfile, { as, path: { userId: id }, body: { limit: 90_000 } }), 5_000);
		expect(harmless).toMatchObject({ status: 200, body: { status: "DISBURSED" } });
		expect(await db.select().from(creditCycles)).toHaveLength(2);
	});

	it("stores 1,200 installments when the product has that many", { tags: ["thorough"] }, async () => {
		await givenLoanProduct({
			tenure: { duration: 1_200, unit: "DAYS" },
			installment_every: { duration: 1, unit: "DAYS" },
			rate_schedule: [{ min_days: 1, max_days: 1_200, interest_rate: { basis_points: 1_000, period_value: 30, period_unit: "DAYS" } }],
		});
		const { token } = await givenBorrower();
		expectOk(await apply(token, (await givenOffer(token)).id, 100_000));
		const rows = await db.select().from(installments);
		expect(rows).toHaveLength(1_200);
		expect(rows.reduce((total, { principal }) => total + principal, 0)).toBe(100_000);
	});

	it("is possible on the very day on which an installment is due", async () => {
		const [one, two] = [await givenLoanProduct(), await givenLoanProduct()];
		const { token } = await givenBorrower();
		expectOk(await apply(token, (await givenOffer(token, one.id)).id, 5_000));
		await moveClock(30 * DAY_MS);
		const offer = await givenOffer(token, two.id);
		expect(offer.status).toBe("APPROVED");
		expectOk(await apply(token, offer.id, 5_000));
	});

	it("is rejected while an installment of any loan is overdue", async () => {
		const [one, two] = [await givenLoanProduct(), await givenLoanProduct()];
		const { token } = await givenBorrower();
		expectOk(await apply(token, (await givenOffer(token, one.id)).id, 5_000));
		await moveClock(31 * DAY_MS);
		expect(await call(createLoanApplication, { as: token, body: { loan_product_id: two.id } })).toMatchObject({
			status: 201,
			body: { status: "REJECTED", rejection_reasons: ["INSTALLMENT_OVERDUE"] },
		});
	});
});
