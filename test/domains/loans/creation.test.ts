// Who is offered which loan, on which terms.

import { describe, expect, it } from "vitest";
import { creditAccounts, installments } from "../../../src/domains/credit-accounts/table";
import { putCreditProfile } from "../../../src/domains/loan-products/operations";
import { loanApplications } from "../../../src/domains/loans/model/table";
import { createLoanApplication, getLoanApplication } from "../../../src/domains/loans/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { trips } from "../../support/credit";
import { everyDatabase } from "../../support/databases";
import { db, givenApiKey, givenOrganization, givenUser, newId, operatorToken } from "../../support/factories";
import { apply, eventsOf, givenBorrower, givenLoanProduct, givenOffer } from "../../support/loans";

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

	it("prefers the newest product of the home organization to a product that serves all", async () => {
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

	it("grants the cheapest deal and shows the standard rate with it", async () => {
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

	it("rejects bad input with BAD_REQUEST and what is wrong, and ignores unknown members", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		for (const body of ["{", "[]", { loan_amount: "1000" }, { loan_amount: 1.5 }, { loan_amount: 2 ** 53 }, { loan_product_id: "x" }]) {
			const answer = await send(createLoanApplication, { as: token, body });
			expect(answer.status, JSON.stringify(body)).toBe(400);
			expect(Object.keys(answer.body as object)).toEqual(["code", "description", "reason", "invalid_params"]);
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
