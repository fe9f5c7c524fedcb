// Products, credit limits and quotes over HTTP.

import { describe, expect, it } from "vitest";
import { createLoanProduct, listLoanProducts } from "../../../src/domains/loan-products/administration.operations";
import { listOfferedProducts, putCreditProfile, quoteLoan } from "../../../src/domains/loan-products/operations";
import { call, expectOk, send } from "../../support/client";
import { givenLoan, rowsRead } from "../../support/credit";
import { databases } from "../../support/databases";
import { givenApiKey, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { beforeCommit, eventsOf, givenLoanProduct, givenOffer, LOAN_PRODUCT } from "../../support/loans";
import { expectRows } from "../../support/rows";

const trips = ({ headers }: { headers: Headers }) => Number(/trips=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1]);

describe("loan products", () => {
	it("are created by operators, with defaults for omitted members", async () => {
		const created = await call(createLoanProduct, { as: await operatorToken(), body: LOAN_PRODUCT });
		expect(created).toMatchObject({
			status: 201,
			body: { ...LOAN_PRODUCT, auto_renews: false, time_zone: "Africa/Nairobi", day_count: "THIRTY_360", deals: [] },
		});
		const { token } = await givenUser();
		expect(await call(createLoanProduct, { as: token, body: LOAN_PRODUCT })).toMatchObject({ status: 403 });
		expect(await call(createLoanProduct, { body: LOAN_PRODUCT })).toMatchObject({ status: 401 });
	});

	it("must belong to an existing organization", async () => {
		const as = await operatorToken();
		const { id } = await givenOrganization();
		expect(await call(createLoanProduct, { as, body: { ...LOAN_PRODUCT, organization_id: id } })).toMatchObject({
			status: 201,
			body: { organization_id: id },
		});
		expect(await call(createLoanProduct, { as, body: { ...LOAN_PRODUCT, organization_id: crypto.randomUUID() } })).toMatchObject({
			status: 404,
			body: { code: "NOT_FOUND" },
		});
	});

	const rate = { basis_points: 100, period_value: 1, period_unit: "MONTHS" };
	const band = (min_days: number, max_days: number) => ({ min_days, max_days, interest_rate: rate });
	const deal = {
		name: "D",
		short_message: "",
		rate_reduction_basis_points: 1,
		valid_from: "2026-01-01T00:00:00Z",
		valid_until: "2026-02-01T00:00:00Z",
	};
	it.each<[string, object, string, string]>([
		["an unknown member", { colour: "red" }, "colour", "UNKNOWN_FIELD"],
		["a missing member", { penalty_terms: undefined }, "penalty_terms", "REQUIRED"],
		["a minimum above the maximum", { min_loan_amount: 9, max_loan_amount: 8 }, "max_loan_amount", "OUT_OF_RANGE"],
		["an amount beyond the safe integers", { max_loan_amount: 2 ** 53 }, "max_loan_amount", "OUT_OF_RANGE"],
		["an amount that is not an integer", { base_limit: 1.5 }, "base_limit", "OUT_OF_RANGE"],
		["a step of zero", { amount_step: 0 }, "amount_step", "OUT_OF_RANGE"],
		["a currency in lower case", { currency: "kes" }, "currency", "INVALID_FORMAT"],
		["a currency that ISO 4217 does not know", { currency: "ZZZ" }, "currency", "INVALID_FORMAT"],
		["an unknown time zone", { time_zone: "Africa/Atlantis" }, "time_zone", "INVALID_FORMAT"],
		["an offset instead of a time zone", { time_zone: "+03:00" }, "time_zone", "INVALID_FORMAT"],
		["a malformed organization id", { organization_id: "acme" }, "organization_id", "INVALID_FORMAT"],
		["an unknown type", { loan_product_type: "BULLET" }, "loan_product_type", "NOT_ALLOWED"],
		["an unknown day count", { day_count: "ACTUAL_360" }, "day_count", "NOT_ALLOWED"],
		["no bands", { rate_schedule: [] }, "rate_schedule", "TOO_SHORT"],
		[
			"a band with minimum and maximum swapped",
			{ rate_schedule: [band(1, 60), band(90, 61)] },
			"rate_schedule[1].max_days",
			"OUT_OF_RANGE",
		],
		["bands that overlap", { rate_schedule: [band(1, 30), band(30, 60)] }, "rate_schedule[1]", "DUPLICATE"],
		["a tenure without a band", { tenure: { duration: 3, unit: "MONTHS" } }, "tenure", "TENURE_NOT_OFFERED"],
		["a tenure in years", { tenure: { duration: 1, unit: "YEARS" } }, "tenure.unit", "NOT_ALLOWED"],
		[
			"a negative rate",
			{ rate_schedule: [{ ...band(1, 60), interest_rate: { ...rate, basis_points: -1 } }] },
			"rate_schedule[0].interest_rate.basis_points",
			"OUT_OF_RANGE",
		],
		[
			"more than 1,200 installments",
			{ tenure: { duration: 1_201, unit: "DAYS" }, installment_every: { duration: 1, unit: "DAYS" }, rate_schedule: [band(1, 2_000)] },
			"installment_every",
			"OUT_OF_RANGE",
		],
		[
			"an unknown penalty basis",
			{ penalty_terms: { ...LOAN_PRODUCT.penalty_terms, calculation_basis: "EVERYTHING" } },
			"penalty_terms.calculation_basis",
			"NOT_ALLOWED",
		],
		["an unknown penalty type", { penalty_terms: { ...LOAN_PRODUCT.penalty_terms, type: "TWICE" } }, "penalty_terms.type", "NOT_ALLOWED"],
		[
			"a penalty's unknown trigger",
			{ penalty_terms: { ...LOAN_PRODUCT.penalty_terms, trigger: "NEVER" } },
			"penalty_terms.trigger",
			"NOT_ALLOWED",
		],
		[
			"a penalty every zero days",
			{ penalty_terms: { ...LOAN_PRODUCT.penalty_terms, period_days: 0 } },
			"penalty_terms.period_days",
			"OUT_OF_RANGE",
		],
		[
			"a deal that ends before it begins",
			{ deals: [{ ...deal, valid_until: "2025-01-01T00:00:00Z" }] },
			"deals[0].valid_until",
			"OUT_OF_RANGE",
		],
	])("are rejected with %s", async (_, changes, path, sub_code) => {
		const answer = await send(createLoanProduct, { as: await operatorToken(), body: { ...LOAN_PRODUCT, ...changes } });
		expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS", invalid_params: [{ path, sub_code }] } });
	});

	it("accept amounts up to the largest safe integer", async () => {
		const product = await givenLoanProduct({ max_loan_amount: 2 ** 53 - 1, base_limit: 2 ** 53 - 1, amount_step: 1 });
		expect(product.max_loan_amount).toBe(2 ** 53 - 1);
		const { token } = await givenUser();
		expect((await givenOffer(token)).terms_range.max_loan_amount).toBe(2 ** 53 - 1);
	});

	it("are listed newest first, in one round trip to each database", async () => {
		const products = [await givenLoanProduct(), await givenLoanProduct(), await givenLoanProduct()];
		const as = await operatorToken();
		const page = await call(listLoanProducts, { as, query: { size: "2" } });
		expect(trips(page)).toBe(databases.length);
		const { data, links } = expectOk(page);
		expect(data).toEqual([products[2], products[1]]);
		expect(expectOk(await call(listLoanProducts, { as, query: { after: links.next ?? "" } })).data).toEqual([products[0]]);
	});
});

describe("credit profiles", () => {
	it.each([-1, 1.5, "5", 2 ** 53, undefined])("reject a limit of %s", async (limit) => {
		const { id } = await givenUser();
		const answer = await send(putCreditProfile, { as: await operatorToken(), path: { userId: id }, body: { limit } });
		expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
	});

	it("can be set and lifted again", async () => {
		await givenLoanProduct();
		const { id, token } = await givenUser();
		const as = await operatorToken();
		for (const limit of [0, null])
			expect(expectOk(await call(putCreditProfile, { as, path: { userId: id }, body: { limit } }))).toEqual({ limit });
		expect((await givenOffer(token)).status).toBe("APPROVED");
	});

	it("report every account in use whose limit changes", async () => {
		const loan = await givenLoan(30_000);
		const limited = (limit: number | null) => [loan.borrower.id, limit] as const;
		const before = (await eventsOf(loan.organization.id)).length;
		for (const [userId, limit] of [limited(40_000), limited(40_000), limited(null)])
			expectOk(await call(putCreditProfile, { as: await operatorToken(), path: { userId }, body: { limit } }));
		const account = { account_id: loan.accountId, user_id: loan.borrower.id, currency: "KES" };
		expect((await eventsOf(loan.organization.id)).slice(before)).toMatchObject([
			{ type: "credit_account.limit_changed", data: { ...account, old_limit: 100_000, new_limit: 40_000 } },
			{ type: "credit_account.limit_changed", data: { ...account, old_limit: 40_000, new_limit: 100_000 } },
		]);
	});
});

describe("a limit that another operator changes before the commit", () => {
	it("is reported as the change that it is", async () => {
		const loan = await givenLoan(30_000);
		const before = (await eventsOf(loan.organization.id)).length;
		const as = await operatorToken();
		const put = (limit: number, vars: Partial<Env> = {}) =>
			call(putCreditProfile, { as, path: { userId: loan.borrower.id }, body: { limit }, vars });
		expectOk(
			await put(
				40_000,
				beforeCommit(() => put(60_000)),
			),
		);
		const changes = (await eventsOf(loan.organization.id)).slice(before).map(({ data }) => [data.old_limit, data.new_limit]);
		expect(changes).toEqual([
			[100_000, 60_000],
			[60_000, 40_000],
		]);
	});
});

describe("a quote", () => {
	it("prices an amount on a date and stores nothing", async () => {
		const { id } = await givenLoanProduct({
			tenure: { duration: 3, unit: "MONTHS" },
			installment_every: { duration: 1, unit: "MONTHS" },
			rate_schedule: [{ min_days: 1, max_days: 365, interest_rate: { basis_points: 200, period_value: 1, period_unit: "MONTHS" } }],
			fee_basis_points: 100,
		});
		const { token } = await givenUser();
		const quoted = await call(quoteLoan, { as: token, body: { loan_product_id: id, loan_amount: 30_000, start_date: "2026-01-31" } });
		expect(quoted.status).toBe(200);
		expect(trips(quoted)).toBe(1);
		// 30,000 at 2 % a month in three installments: 10,403 each, rounded half to even; the first includes the fee of 300.
		expect(expectOk(quoted)).toMatchObject({
			loan_amount: 30_000,
			currency: "KES",
			tenure: { duration: 3, unit: "MONTHS" },
			interest_rate: { basis_points: 200, period_value: 1, period_unit: "MONTHS" },
			installments: [
				{ position: 1, due_date: "2026-02-28", principal: 9_803, interest: 900, total: 10_703 },
				{ position: 2, due_date: "2026-03-31", principal: 9_999, interest: 404, total: 10_403 },
				{ position: 3, due_date: "2026-04-30", principal: 10_198, interest: 204, total: 10_402 },
			],
			fee: 300,
			total_interest: 1_508,
			total_cost: 1_508,
			total_due: 31_508,
			apr_basis_points: 3_608,
		});
	});

	it("accepts another tenure with a rate in the product, and rejects one without", async () => {
		const { id } = await givenLoanProduct();
		const as = await operatorToken();
		const quote = (tenure: { duration: number; unit: "DAYS" | "WEEKS" | "MONTHS" }) =>
			call(quoteLoan, { as, body: { loan_product_id: id, loan_amount: 10_000, tenure } });
		expect(expectOk(await quote({ duration: 8, unit: "WEEKS" })).installments).toHaveLength(2);
		expect(await quote({ duration: 61, unit: "DAYS" })).toMatchObject({
			status: 400,
			body: { code: "INVALID_PARAMS", invalid_params: [{ path: "tenure", sub_code: "TENURE_NOT_OFFERED" }] },
		});
	});

	it("grants the deal that an application would get today", async () => {
		const window = { valid_from: "2020-01-01T00:00:00Z", valid_until: "2099-01-01T00:00:00Z" };
		const { id } = await givenLoanProduct({ deals: [{ name: "Half", short_message: "off", rate_reduction_basis_points: 500, ...window }] });
		const { token } = await givenUser();
		const quoted = expectOk(await call(quoteLoan, { as: token, body: { loan_product_id: id, loan_amount: 10_000 } }));
		expect(quoted).toMatchObject({ interest_rate: { basis_points: 500 }, total_interest: 500 });
	});

	it("of terms is that of the product which they make", async () => {
		const as = await operatorToken();
		const quote = (body: object) => call(quoteLoan, { as, body: { loan_amount: 30_000, start_date: "2026-01-31", ...body } as never });
		const { id: loan_product_id } = await givenLoanProduct();
		expect(expectOk(await quote({ terms: LOAN_PRODUCT }))).toEqual(expectOk(await quote({ loan_product_id })));
		const refused = (path: string) => ({ status: 400, body: { invalid_params: [{ path }] } });
		expect(await quote({ terms: { ...LOAN_PRODUCT, min_loan_amount: 9_000_000 } })).toMatchObject(refused("terms.max_loan_amount"));
		for (const body of [{ terms: LOAN_PRODUCT, loan_product_id }, {}]) expect(await quote(body)).toMatchObject(refused("loan_product_id"));
	});

	it("rejects amounts that the product does not offer, and totals beyond 2^53-1", async () => {
		const { id } = await givenLoanProduct({ max_loan_amount: 2 ** 53 - 1, amount_step: 1 });
		const as = await operatorToken();
		for (const loan_amount of [999, 2 ** 53 - 1, 0, -1, 1.5]) {
			expect(await send(quoteLoan, { as, body: { loan_product_id: id, loan_amount } }), String(loan_amount)).toMatchObject({
				status: 400,
				body: { invalid_params: [{ path: "loan_amount", sub_code: "OUT_OF_RANGE" }] },
			});
		}
		for (const start_date of ["2026-02-30", "9999-12-31", "soon"]) {
			expect(await send(quoteLoan, { as, body: { loan_product_id: id, loan_amount: 1_000, start_date } }), start_date).toMatchObject({
				status: 400,
			});
		}
	});

	it("is available to the users and organizations that the product serves", async () => {
		const { id: organizationId } = await givenOrganization();
		const { id } = await givenLoanProduct({ organization_id: organizationId });
		const body = { loan_product_id: id, loan_amount: 10_000 };
		const own = await givenUser({ organizationId });
		const stranger = await givenUser({ organizationId: (await givenOrganization()).id });
		const foreignKey = await givenApiKey((await givenOrganization()).id, ["loans:write"]);
		for (const as of [own.token, await givenApiKey(organizationId, ["loans:write"]), await operatorToken()]) {
			expect(await call(quoteLoan, { as, body })).toMatchObject({ status: 200 });
		}
		for (const as of [stranger.token, foreignKey]) expect(await call(quoteLoan, { as, body })).toMatchObject({ status: 404 });
		expect(await call(quoteLoan, { body })).toMatchObject({ status: 401 });
	});
});

describe("the products that a caller may apply for", () => {
	it("are those of their organization and those for all; operators see every one", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const forAll = await givenLoanProduct();
		const own = await givenLoanProduct({ organization_id: mine.id });
		const foreign = await givenLoanProduct({ organization_id: other.id });
		const user = await givenUser({ organizationId: mine.id });
		const list = async (as: string, query: object = {}) =>
			expectOk(await call(listOfferedProducts, { as, query })).data.map(({ id }) => id);
		expect(await list(user.token)).toEqual([own.id, forAll.id]);
		expect(await list(await givenApiKey(mine.id, ["loans:write"]))).toEqual([own.id, forAll.id]);
		expect(await list((await givenUser()).token)).toEqual([forAll.id]);
		expect(await list(await operatorToken())).toEqual([foreign.id, own.id, forAll.id]);
		const page = expectOk(await call(listOfferedProducts, { as: user.token, query: { size: "1" } }));
		expect(await list(user.token, { after: page.links.next })).toEqual([forAll.id]);
	});

	it("are found without reading other organizations' products", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		for (let i = 0; i < 30; i++) await givenLoanProduct({ organization_id: other.id });
		const user = await givenUser({ organizationId: mine.id });
		const answer = await call(listOfferedProducts, { as: user.token, query: {} });
		expectRows(rowsRead(answer)).atMost(10);
	});
});
