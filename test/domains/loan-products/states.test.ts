// What becomes of a product that is renamed, suspended, retired and resumed, and of the offers and draws on it.

import { beforeEach, describe, expect, it } from "vitest";
import { getLoanProduct, updateLoanProduct } from "../../../src/domains/loan-products/administration.operations";
import { listOfferedProducts, quoteLoan } from "../../../src/domains/loan-products/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { cancelRetiredOffers } from "../../../src/domains/loans/job";
import { getLoanApplication } from "../../../src/domains/loans/operations";
import { call, expectOk } from "../../support/client";
import { givenLoan } from "../../support/credit";
import { givenMember, givenOrganization, givenUser } from "../../support/factories";
import { beforeCommit, eventsOf, givenLoanProduct, givenOffer, runDueWork } from "../../support/loans";

let organizationId: string;
let lender: string;
let borrower: string;
let productId: string;
const DEAL = { name: "Launch", short_message: "", rate_reduction_basis_points: 100 };
beforeEach(async () => {
	({ id: organizationId } = await givenOrganization());
	lender = (await givenMember(organizationId, "organization-lending-admin")).token;
	borrower = (await givenUser({ organizationId })).token;
	const deals = [{ ...DEAL, valid_from: "2020-01-01T00:00:00Z", valid_until: "2099-01-01T00:00:00Z" }];
	productId = (await givenLoanProduct({ organization_id: organizationId, deals })).id;
});

type Patch = NonNullable<
	Parameters<typeof call<never, (typeof updateLoanProduct)["request"], (typeof updateLoanProduct)["response"]>>[1]["body"]
>;
const patch = (body: Patch, id = productId) => call(updateLoanProduct, { as: lender, path: { id }, body });
const quote = () => call(quoteLoan, { as: borrower, body: { loan_product_id: productId, loan_amount: 5_000 } });
const offered = async () => expectOk(await call(listOfferedProducts, { as: borrower, query: {} })).data.map(({ id }) => id);

describe("a product", () => {
	it("is no longer quoted, offered or listed while it is suspended or retired, and again once it is active", async () => {
		for (const status of ["RETIRED", "SUSPENDED"] as const) {
			expect(expectOk(await patch({ status })).status).toBe(status);
			expect(await quote()).toMatchObject({ status: 409, body: { description: `The product is ${status}` } });
			expect(await offered()).toEqual([]);
			expect(expectOk(await patch({ status: "ACTIVE" })).status).toBe("ACTIVE");
			expect((await quote()).status).toBe(200);
			expect(await offered()).toEqual([productId]);
		}
	});

	it("keeps its terms, and ends the deals that are named", async () => {
		const before = expectOk(await call(getLoanProduct, { as: lender, path: { id: productId } }));
		expect(await patch({ end_deals: ["Autumn"] })).toMatchObject({ status: 400, body: { invalid_params: [{ path: "end_deals" }] } });
		expect(await patch({ base_limit: 1 } as never)).toMatchObject({ status: 400, body: { invalid_params: [{ path: "base_limit" }] } });
		const after = expectOk(await patch({ name: "Renamed", end_deals: ["Launch"] }));
		const [deal] = after.deals;
		expect(Date.parse(deal?.valid_until ?? "")).toBeLessThanOrEqual(Date.now());
		expect(after).toEqual({ ...before, name: "Renamed", deals: [deal] });
		expect(expectOk(await call(getLoanProduct, { as: lender, path: { id: productId } }))).toEqual(after);
	});

	it("loses no change to another that is made at the same time", async () => {
		const answers = await Promise.all([patch({ name: "One" }), patch({ status: "SUSPENDED" }), patch({ end_deals: ["Launch"] })]);
		for (const answer of answers) expect([200, 409]).toContain(answer.status);
		const taken = answers.map(({ ok }) => ok);
		const product = expectOk(await call(getLoanProduct, { as: lender, path: { id: productId } }));
		const isEnded = Date.parse(product.deals[0]?.valid_until ?? "") <= Date.now();
		expect([product.name === "One", product.status === "SUSPENDED", isEnded]).toEqual(taken);
	});
});

describe("an open offer", () => {
	it("cannot be accepted once its product is retired, also not by a call that has read it before, and ends CANCELLED", async () => {
		const offer = await givenOffer(borrower, productId);
		const application = { as: borrower, path: { application_id: offer.id } };
		const raced = await call(applyForLoan, {
			...application,
			body: { loan_amount: 5_000 },
			vars: beforeCommit(() => patch({ status: "RETIRED" })),
		});
		expect(raced).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		await runDueWork(cancelRetiredOffers);
		expect(expectOk(await call(getLoanApplication, application)).status).toBe("CANCELLED");
		expect((await eventsOf(organizationId)).filter(({ type }) => type === "loan_application.cancelled")).toHaveLength(1);
		await runDueWork(cancelRetiredOffers);
		expect((await eventsOf(organizationId)).filter(({ type }) => type === "loan_application.cancelled")).toHaveLength(1);
	});
});

describe("a draw", () => {
	it("continues while the product is retired, and is refused while it is suspended, also in a race", async () => {
		const loan = await givenLoan(10_000);
		lender = (await givenMember(loan.organization.id, "organization-lending-admin")).token;
		const take = (vars: Partial<Env> = {}) =>
			call(draw, { as: loan.borrower.token, path: { accountId: loan.accountId }, body: { amount: 1_000 }, vars });
		expectOk(await patch({ status: "RETIRED" }, loan.productId));
		expect((await take()).status).toBe(200);
		expectOk(await patch({ status: "ACTIVE" }, loan.productId));
		expect(await take(beforeCommit(() => patch({ status: "SUSPENDED" }, loan.productId)))).toMatchObject({ status: 409 });
		expect(await take()).toMatchObject({ status: 409, body: { description: "The product is SUSPENDED" } });
	});
});
