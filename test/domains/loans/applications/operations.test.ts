import { describe, expect, it } from "vitest";
import { findAccountOfProduct } from "../../../../src/domains/credit-accounts/store";
import { creditAccounts, creditCycles, installments } from "../../../../src/domains/credit-accounts/table";
import { applyForLoan } from "../../../../src/domains/loans/applications/apply.operations";
import { findBorrower } from "../../../../src/domains/loans/applications/borrower.store";
import { expireOffers } from "../../../../src/domains/loans/applications/job";
import {
	cancelLoanApplication,
	createLoanApplication,
	getLoanApplication,
	listLoanApplications,
} from "../../../../src/domains/loans/applications/operations";
import { findOpenApplication, findOverdueOffers, findProductOf, findRecordsOf } from "../../../../src/domains/loans/applications/store";
import { putCreditProfile } from "../../../../src/domains/loans/products/operations";
import { findProduct, productFor } from "../../../../src/domains/loans/products/store";
import { loanApplications } from "../../../../src/domains/loans/table";
import { users } from "../../../../src/domains/users/table";
import { DAY_MS } from "../../../../src/shared/time";
import { call, expectOk, send } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { everyDatabase } from "../../../support/databases";
import { db, givenApiKey, givenOrganization, givenUser, newId, operatorToken } from "../../../support/factories";
import { beforeCommit, eventsOf, givenLoanProduct, givenOffer, runDueWork } from "../../../support/loans";

const trips = ({ headers }: { headers: Headers }) => Number(/trips=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1]);

async function givenBorrower() {
	const organization = await givenOrganization();
	return { organization, ...(await givenUser({ organizationId: organization.id })) };
}

const apply = (as: string, application_id: string, loan_amount: number, headers: Record<string, string> = {}) =>
	call(applyForLoan, { as, path: { application_id }, body: { loan_amount }, headers });

describe("creating an application", () => {
	it("responds with the terms of the offer", async () => {
		const product = await givenLoanProduct();
		const borrower = await givenBorrower();
		const created = await call(createLoanApplication, { as: borrower.token, body: {} });
		expect(created.status).toBe(201);
		expect(trips(created)).toBeLessThanOrEqual(2);
		const body = expectOk(created);
		expect(body).toMatchObject({
			status: "APPROVED",
			user_id: borrower.id,
			loan_product_id: product.id,
			loan_product_type: "REDUCING_BALANCE",
			loan_amount: 100_000,
			tenure: { duration: 30, unit: "DAYS" },
			interest_rate: { basis_points: 1_000, period_value: 30, period_unit: "DAYS" },
			standard_interest_rate: { basis_points: 1_000, period_value: 30, period_unit: "DAYS" },
			terms_range: { min_loan_amount: 1_000, max_loan_amount: 100_000 },
			penalty_terms: { calculation_basis: "PRINCIPAL_AND_ARREARS", type: "RECURRING", trigger: "AFTER_LOAN_END" },
			applied_deal: null,
			currency: "KES",
			rejection_reasons: [],
		});
		expect(body.resource_id).toBe(`lapp_${body.id.replaceAll("-", "")}`);
		expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(DAY_MS);
		const [account] = await db.select().from(creditAccounts);
		expect(account).toMatchObject({ id: body.account_id, userId: borrower.id, status: "PENDING" });
		expect(await eventsOf(borrower.organization.id)).toMatchObject([
			{
				type: "loan_application.created",
				key: `loan_application.created:${body.id}`,
				data: { status: "APPROVED", max_loan_amount: 100_000 },
			},
		]);
	});

	it("prefers the newest product of the home organization to one that serves all", async () => {
		const borrower = await givenBorrower();
		await givenLoanProduct({ organization_id: borrower.organization.id, name: "old" });
		const own = await givenLoanProduct({ organization_id: borrower.organization.id, name: "new" });
		const forAll = await givenLoanProduct();
		expect((await givenOffer(borrower.token)).loan_product_id).toBe(own.id);
		const homeless = await givenUser();
		expect((await givenOffer(homeless.token)).loan_product_id).toBe(forAll.id);
	});

	it("responds 404 for a product of another organization, or when there is no product", async () => {
		const borrower = await givenBorrower();
		const foreign = await givenLoanProduct({ organization_id: (await givenOrganization()).id });
		for (const body of [{ loan_product_id: foreign.id }, { loan_product_id: crypto.randomUUID() }, {}]) {
			expect(await call(createLoanApplication, { as: borrower.token, body })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		}
	});

	it("responds 200 with the offer that is already open", async () => {
		await givenLoanProduct();
		const { token, organization } = await givenBorrower();
		const first = await givenOffer(token);
		const again = await call(createLoanApplication, { as: token, body: {} });
		expect(again).toMatchObject({ status: 200, body: first });
		expect(trips(again)).toBe(1);
		expect(await eventsOf(organization.id)).toHaveLength(1);
	});

	it("makes one offer and one account for many concurrent requests", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const answers = await Promise.all(Array.from({ length: 5 }, () => call(createLoanApplication, { as: token, body: {} })));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
		expect(new Set(answers.map((answer) => expectOk(answer).id)).size).toBe(1);
		expect(await db.select().from(creditAccounts)).toHaveLength(1);
		expect(await db.select().from(loanApplications)).toHaveLength(1);
	});

	it("is rejected by the database when a second open offer is inserted", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		await givenOffer(token);
		const [row] = await db.select().from(loanApplications);
		if (!row) throw new Error("no row");
		const failure = await db
			.insert(loanApplications)
			.values({ ...row, id: newId(row.id) })
			.then(
				() => undefined,
				(error: Error) => String(error.cause),
			);
		expect(failure).toContain("UNIQUE constraint failed: loan_applications.user_id, loan_applications.loan_product_id");
	});

	it("rejects an ineligible user with 201, an empty range and the reasons", async () => {
		await givenLoanProduct({ base_limit: 500 });
		const { token, organization } = await givenBorrower();
		const created = await call(createLoanApplication, { as: token, body: {} });
		expect(created).toMatchObject({
			status: 201,
			body: {
				status: "REJECTED",
				loan_amount: 0,
				terms_range: { min_loan_amount: 0, max_loan_amount: 0 },
				rejection_reasons: ["LIMIT_BELOW_MINIMUM"],
			},
		});
		expect((await eventsOf(organization.id)).map(({ type }) => type)).toEqual(["loan_application.created", "loan_application.rejected"]);
		expect(await apply(token, expectOk(created).id, 1_000)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
	});

	it("uses the operator's limit in place of the computed one", async () => {
		await givenLoanProduct({ base_limit: 500 });
		const { id, token } = await givenBorrower();
		const as = await operatorToken();
		expect(await call(putCreditProfile, { as, path: { userId: id }, body: { limit: 20_250 } })).toMatchObject({
			status: 200,
			body: { limit: 20_250 },
		});
		expect((await givenOffer(token)).terms_range).toEqual({ min_loan_amount: 1_000, max_loan_amount: 20_000 });
		expect(await call(putCreditProfile, { as, path: { userId: crypto.randomUUID() }, body: { limit: 1 } })).toMatchObject({ status: 404 });
		expect(await call(putCreditProfile, { as: token, path: { userId: id }, body: { limit: 1 } })).toMatchObject({ status: 403 });
	});

	it("offers the requested amount, up to the maximum", async () => {
		await givenLoanProduct();
		const modest = await givenBorrower();
		expect(expectOk(await call(createLoanApplication, { as: modest.token, body: { loan_amount: 5_000 } })).loan_amount).toBe(5_000);
		const greedy = await givenBorrower();
		expect(expectOk(await call(createLoanApplication, { as: greedy.token, body: { loan_amount: 400_000 } })).loan_amount).toBe(100_000);
		for (const loan_amount of [999, 1_001, 500_500]) {
			expect(await call(createLoanApplication, { as: greedy.token, body: { loan_amount } })).toMatchObject({
				status: 400,
				body: { code: "BAD_REQUEST", description: "Invalid input" },
			});
		}
	});

	it("grants the cheapest deal and shows the standard rate beside it", async () => {
		const window = { valid_from: "2020-01-01T00:00:00Z", valid_until: "2099-01-01T00:00:00Z" };
		const product = await givenLoanProduct({
			deals: [
				{ name: "Small", short_message: "a little off", rate_reduction_basis_points: 100, ...window },
				{ name: "Large", short_message: "half off", rate_reduction_basis_points: 500, ...window },
				{ name: "Past", short_message: "over", rate_reduction_basis_points: 900, ...window, valid_until: "2021-01-01T00:00:00Z" },
			],
		});
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		const [, large] = product.deals;
		expect(offer.applied_deal).toEqual({ id: large?.id, resource_id: large?.resource_id, name: "Large", short_message: "half off" });
		expect(large?.resource_id).toMatch(/^deal_[0-9a-f]{32}$/);
		expect(offer.interest_rate.basis_points).toBe(500);
		expect(offer.standard_interest_rate.basis_points).toBe(1_000);
	});

	it("rejects users who are on the waiting list or blocked", async () => {
		await givenLoanProduct();
		const organization = await givenOrganization();
		const waiting = await givenUser({ organizationId: organization.id, status: "WAITING_LIST" });
		expect(await call(createLoanApplication, { as: waiting.token, body: {} })).toMatchObject({
			status: 403,
			body: { code: "WAITING_LIST" },
		});
		const key = await givenApiKey(organization.id, ["loans:write"]);
		expect(await call(createLoanApplication, { as: key, body: { user_id: waiting.id } })).toMatchObject({
			status: 403,
			body: { code: "WAITING_LIST" },
		});
		const blocked = await givenUser({ organizationId: organization.id, blocked: true });
		expect(await call(createLoanApplication, { as: blocked.token, body: {} })).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expect(await call(createLoanApplication, { as: key, body: { user_id: blocked.id } })).toMatchObject({
			status: 201,
			body: { status: "REJECTED", rejection_reasons: ["USER_BLOCKED"] },
		});
	});

	it("rejects users who name another user, and accepts those who name themselves", async () => {
		await givenLoanProduct();
		const { id, token } = await givenBorrower();
		const other = await givenUser();
		expect(await call(createLoanApplication, { as: token, body: { user_id: other.id } })).toMatchObject({
			status: 400,
			body: { code: "BAD_REQUEST", description: "Invalid input" },
		});
		expect(await call(createLoanApplication, { as: token, body: { user_id: id.toUpperCase() } })).toMatchObject({ status: 201 });
	});

	it("is open to API keys with the scope, for users of their organization", async () => {
		await givenLoanProduct();
		const { id, organization } = await givenBorrower();
		const stranger = await givenBorrower();
		const key = await givenApiKey(organization.id, ["loans:write"]);
		const created = await call(createLoanApplication, { as: key, body: { user_id: id } });
		expect(created).toMatchObject({ status: 201, body: { user_id: id } });
		expect(trips(created)).toBeLessThanOrEqual(2);
		for (const user_id of [stranger.id, crypto.randomUUID()]) {
			expect(await call(createLoanApplication, { as: key, body: { user_id } })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		}
		expect(await call(createLoanApplication, { as: key, body: {} })).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		const other = await givenApiKey(organization.id, ["repayments:write"]);
		expect(await call(createLoanApplication, { as: other, body: { user_id: id } })).toMatchObject({ status: 403 });
		expect(await call(createLoanApplication, { body: {} })).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
	});

	it("rejects bad input with BAD_REQUEST and no further members, and ignores unknown members", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		for (const body of ["{", "[]", { loan_amount: "1000" }, { loan_amount: 1.5 }, { loan_amount: 2 ** 53 }, { loan_product_id: "x" }]) {
			const answer = await send(createLoanApplication, { as: token, body });
			expect(answer.status, JSON.stringify(body)).toBe(400);
			expect(Object.keys(answer.body as object)).toEqual(["code", "description"]);
		}
		expect(await send(createLoanApplication, { as: token, body: { shoe_size: 44 } })).toMatchObject({ status: 201 });
	});

	it("keeps the terms of an offer when the product changes", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		await everyDatabase.prepare("update loan_products set fee_basis_points = 9000, rate_schedule = '[]', amount_step = 7").run();
		expect(expectOk(await call(getLoanApplication, { as: token, path: { application_id: offer.id } }))).toEqual(offer);
		expectOk(await apply(token, offer.id, 10_000));
		expect(await db.select().from(installments)).toMatchObject([{ principal: 10_000, interest: 1_000, fee: 0 }]);
	});
});

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

	it("stores 1,200 installments when the product has that many", async () => {
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

describe("accepting an offer with an Idempotency-Key", () => {
	const key = (value: string) => ({ "idempotency-key": value });

	it("runs once for concurrent calls and replays byte for byte", async () => {
		await givenLoanProduct();
		const { token, organization } = await givenBorrower();
		const offer = await givenOffer(token);
		const answers = await Promise.all(Array.from({ length: 4 }, () => apply(token, offer.id, 5_000, key("k"))));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(3);
		const later = await apply(token, offer.id, 5_000, key("k"));
		expect(later.text).toBe(answers[0]?.text);
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "loan.disbursed")).toHaveLength(1);
	});

	it("rejects another body with the same key", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		expectOk(await apply(token, offer.id, 5_000, key("k")));
		expect(await apply(token, offer.id, 6_000, key("k"))).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
	});

	it("binds the key to the body of a refused amount", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		const refused = await apply(token, offer.id, 1, key("k"));
		expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await apply(token, offer.id, 5_000, key("k"))).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
		expect((await apply(token, offer.id, 1, key("k"))).text).toBe(refused.text);
	});

	it("takes the id, its capitals and the resource_id of an application for one", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		const first = expectOk(await apply(token, offer.id, 5_000, key("k")));
		for (const id of [offer.resource_id, offer.id.toUpperCase()]) {
			const again = await apply(token, id, 5_000, key("k"));
			expect(again.headers.get("idempotent-replayed")).toBe("true");
			expect(expectOk(again)).toEqual(first);
		}
	});

	it("keeps the keys of callers and of applications apart", async () => {
		const [one, two] = [await givenLoanProduct(), await givenLoanProduct()];
		const { id, token, organization } = await givenBorrower();
		const [first, second] = [await givenOffer(token, one.id), await givenOffer(token, two.id)];
		const mine = expectOk(await apply(token, first.id, 5_000, key("k")));
		const other = expectOk(await apply(token, second.id, 5_000, key("k")));
		expect(other.id).not.toBe(mine.id);
		// The partner's call with the same key is a call of its own, and finds the offer already accepted.
		const partner = await givenApiKey(organization.id, ["loans:write"]);
		const body = { user_id: id, loan_amount: 5_000 };
		expect(await call(applyForLoan, { as: partner, path: { application_id: first.id }, body, headers: key("k") })).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE" },
		});
		const stranger = await givenBorrower();
		expect(await apply(stranger.token, first.id, 5_000, key("k"))).toMatchObject({ status: 404 });
	});

	it("replays errors of the handler, but not errors from before it ran", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		expect(await apply(token, offer.id, 0, key("early"))).toMatchObject({ status: 400 });
		expectOk(await apply(token, offer.id, 5_000, key("early")));
		const refused = await apply(token, offer.id, 5_000, key("late"));
		expect(refused).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const again = await apply(token, offer.id, 5_000, key("late"));
		expect(again.text).toBe(refused.text);
		expect(again.headers.get("idempotent-replayed")).toBe("true");
	});

	it("accepts 1 to 255 characters", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		for (const value of ["", "k".repeat(256)]) {
			expect(await apply(token, offer.id, 5_000, key(value))).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		}
		expectOk(await apply(token, offer.id, 5_000, key("k".repeat(255))));
	});
});

describe("an application", () => {
	it("is cancelled once, while open, by the borrower or their partner", async () => {
		await givenLoanProduct();
		const { token, organization } = await givenBorrower();
		const stranger = await givenBorrower();
		const offer = await givenOffer(token);
		const path = { application_id: offer.resource_id };
		expect(await call(cancelLoanApplication, { as: stranger.token, path })).toMatchObject({ status: 404 });
		const key = await givenApiKey(organization.id, ["loans:write"]);
		const cancelled = await call(cancelLoanApplication, { as: key, path });
		expect(cancelled).toMatchObject({ status: 200, body: { status: "CANCELLED" } });
		expect(trips(cancelled)).toBeLessThanOrEqual(2);
		expect(await call(cancelLoanApplication, { as: token, path })).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await apply(token, offer.id, 5_000)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect((await eventsOf(organization.id)).at(-1)).toMatchObject({
			type: "loan_application.cancelled",
			data: { application_id: offer.id },
		});
		expect((await givenOffer(token)).id).not.toBe(offer.id);
	});

	it("is read in one round trip by the borrower, their partner and operators, and by nobody else", async () => {
		await givenLoanProduct();
		const { token, organization } = await givenBorrower();
		const stranger = await givenBorrower();
		const offer = await givenOffer(token);
		const keys = {
			own: await givenApiKey(organization.id, ["loans:write"]),
			other: await givenApiKey(stranger.organization.id, ["loans:write"]),
		};
		for (const as of [token, keys.own, await operatorToken()]) {
			for (const application_id of [offer.id, offer.resource_id]) {
				const read = await call(getLoanApplication, { as, path: { application_id } });
				expect(expectOk(read)).toEqual(offer);
				expect(trips(read)).toBe(1);
			}
		}
		for (const as of [stranger.token, keys.other]) {
			expect(await call(getLoanApplication, { as, path: { application_id: offer.id } })).toMatchObject({ status: 404 });
		}
	});

	it("is listed newest first, filtered by its status at the time of the request", async () => {
		const products = [await givenLoanProduct(), await givenLoanProduct(), await givenLoanProduct()];
		const { id, token, organization } = await givenBorrower();
		const neighbour = await givenUser({ organizationId: organization.id });
		const offers = [];
		for (const product of products) offers.push(await givenOffer(token, product.id));
		await givenOffer(neighbour.token, products[0]?.id);
		expectOk(await apply(token, offers[0]?.id ?? "", 5_000));

		const page = await call(listLoanApplications, { as: token, query: { size: "2" } });
		expect(trips(page)).toBe(1);
		const { data, links } = expectOk(page);
		expect(data.map((row) => row.id)).toEqual([offers[2]?.id, offers[1]?.id]);
		const rest = expectOk(await call(listLoanApplications, { as: token, query: { size: "2", after: links.next ?? "" } }));
		expect(rest.data.map((row) => row.id)).toEqual([offers[0]?.id]);
		const idsOf = async (query: { status?: "APPROVED" | "EXPIRED" | "DISBURSED" }) =>
			expectOk(await call(listLoanApplications, { as: token, query })).data.map((row) => row.id);
		expect(await idsOf({ status: "DISBURSED" })).toEqual([offers[0]?.id]);
		expect(await idsOf({ status: "APPROVED" })).toHaveLength(2);
		await moveClock(DAY_MS);
		expect(await idsOf({ status: "APPROVED" })).toEqual([]);
		expect(await idsOf({ status: "EXPIRED" })).toEqual([offers[2]?.id, offers[1]?.id]);

		const key = await givenApiKey(organization.id, ["loans:write"]);
		expect(expectOk(await call(listLoanApplications, { as: key, query: {} })).data).toHaveLength(4);
		expect(expectOk(await call(listLoanApplications, { as: key, query: { user_id: id } })).data).toHaveLength(3);
		const stranger = await givenBorrower();
		const foreign = await givenApiKey(stranger.organization.id, ["loans:write"]);
		expect(expectOk(await call(listLoanApplications, { as: foreign, query: { user_id: id } })).data).toEqual([]);
		expect(await call(listLoanApplications, { as: token, query: { user_id: stranger.id } })).toMatchObject({ status: 400 });
		expect(await call(listLoanApplications, { as: neighbour.token, query: { after: links.next ?? "" } })).toMatchObject({
			status: 400,
			body: { code: "BAD_REQUEST" },
		});
	});

	it("is stored as expired by the sweep, once, with its event", async () => {
		await givenLoanProduct();
		const borrowers = [];
		for (let index = 0; index < 25; index++) borrowers.push(await givenBorrower());
		for (const { token } of borrowers) await givenOffer(token);
		await runDueWork(expireOffers);
		expect((await db.select().from(loanApplications)).every(({ status }) => status === "APPROVED")).toBe(true);
		await moveClock(DAY_MS + 1_000);
		await Promise.all([runDueWork(expireOffers), runDueWork(expireOffers)]);
		await runDueWork(expireOffers);
		expect((await db.select().from(loanApplications)).every(({ status }) => status === "EXPIRED")).toBe(true);
		for (const { organization } of borrowers) {
			expect((await eventsOf(organization.id)).map(({ type }) => type)).toEqual(["loan_application.created", "loan_application.expired"]);
		}
	});
});

describe("queries over applications", () => {
	it("use indexes, without a scan or a sort", async () => {
		const plans = async (text: string, parameters: unknown[]) =>
			(
				await everyDatabase
					.prepare(`explain query plan ${text}`)
					.bind(...parameters)
					.all<{ detail: string }>()
			).results.map(({ detail }) => detail);
		const due = findOverdueOffers(db as never, 1, 20).toSQL();
		const details = await plans(due.sql, due.params);
		expect(details.join("; ")).toContain("loan_applications_expiry");
		const lists = [
			"select * from loan_applications where user_id = ? and user_id = ? order by created_at desc, id desc limit 3",
			"select * from loan_applications where organization_id = ? and (status = 'EXPIRED' or (status in ('PENDING', 'APPROVED') and expires_at <= ?)) order by created_at desc, id desc limit 3",
			"select * from loan_applications where (created_at, id) < (?, ?) order by created_at desc, id desc limit 3",
		];
		for (const list of lists) details.push(...(await plans(list, [1, 1])));
		const ofBorrower = [
			findBorrower(db as never, "u"),
			findProduct(db as never, productFor("u", undefined)),
			findProduct(db as never, productFor("u", "p")),
			findOpenApplication(db as never, "u", productFor("u", undefined)),
			findAccountOfProduct(db as never, "u", productFor("u", "p")),
			findProductOf(db as never, "a"),
			...findRecordsOf(db as never, "a"),
		];
		for (const statement of ofBorrower) {
			const query =
				"toSQL" in statement ? statement.toSQL() : (statement as unknown as { getQuery(): { sql: string; params: unknown[] } }).getQuery();
			details.push(...(await plans(query.sql, query.params)));
		}
		expect(details.filter((detail) => /SCAN (?!CONSTANT ROW)|TEMP B-TREE/.test(detail))).toEqual([]);
	});
});
