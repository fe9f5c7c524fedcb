// The text of a product's terms: published, read, and agreed to with an offer.

import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { publishLoanTermsText, updateLoanProduct } from "../../../src/domains/loan-products/administration.operations";
import { getLoanTermsText, listOfferedProducts, quoteLoan } from "../../../src/domains/loan-products/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { getLoanApplication } from "../../../src/domains/loans/operations";
import { call, expectOk } from "../../support/client";
import { everyDatabase } from "../../support/databases";
import { givenApiKey, givenMember, givenOrganization, givenUser } from "../../support/factories";
import { beforeCommit, givenLoanProduct, givenOffer } from "../../support/loans";

const TEXT = "1. We lend you the amount that you accept.\n2. Unarudisha mkopo kwa tarehe zake – kila mwezi.";
const SHA256 = createHash("sha256").update(TEXT).digest("hex");

let organizationId: string;
let lender: string;
let borrower: string;
let productId: string;
beforeEach(async () => {
	({ id: organizationId } = await givenOrganization());
	lender = (await givenMember(organizationId, "organization-lending-admin")).token;
	borrower = (await givenUser({ organizationId })).token;
	productId = (await givenLoanProduct({ organization_id: organizationId, fee_basis_points: 200 })).id;
});

const publish = (text: string, as = lender, id = productId, vars?: Partial<Env>) =>
	call(publishLoanTermsText, { as, path: { id }, body: { text }, ...(vars && { vars }) });
const read = (as: string, version?: string, organization?: string) =>
	call(getLoanTermsText, {
		as,
		path: { id: productId },
		query: (version === undefined ? {} : { version }) as never,
		headers: organization === undefined ? {} : { "x-organization-id": organization },
	});
const accept = (application_id: string, accepted_terms?: { version: number; sha256: string }) =>
	call(applyForLoan, { as: borrower, path: { application_id }, body: { loan_amount: 10_000, ...(accepted_terms && { accepted_terms }) } });

describe("the text of a product's terms", () => {
	it("is numbered and hashed, and every version stays readable", async () => {
		expect(await read(borrower)).toMatchObject({ status: 404 });
		const first = expectOk(await publish(`  ${TEXT}\n`));
		expect(first).toMatchObject({ loan_product_id: productId, version: 1, sha256: SHA256, text: TEXT });
		expect(await publish(TEXT)).toMatchObject({ status: 200, body: first });
		const second = expectOk(await publish("3. A new one."));
		expect(second.version).toBe(2);
		expect(expectOk(await read(borrower))).toEqual(second);
		expect(expectOk(await read(lender, "1", organizationId))).toEqual(first);
		const key = await givenApiKey(organizationId, ["loans:write"]);
		expect(expectOk(await read(key, "2"))).toEqual(second);
		expect(await read(borrower, "3")).toMatchObject({ status: 404 });
		expect(await read(borrower, "0")).toMatchObject({ status: 400 });
		expect(expectOk(await call(listOfferedProducts, { as: borrower, query: {} })).data).toMatchObject([
			{ id: productId, terms_version: 2, terms_sha256: second.sha256 },
		]);
	});

	it("is published by lending admins of the organization, and nobody else reads it", async () => {
		const other = await givenOrganization();
		const stranger = (await givenMember(other.id, "organization-lending-admin")).token;
		const viewer = (await givenMember(organizationId, "organization-lending-viewer")).token;
		expect(await publish(TEXT, stranger)).toMatchObject({ status: 404 });
		expect(await publish(TEXT, viewer)).toMatchObject({ status: 403 });
		expect(await publish(TEXT, borrower)).toMatchObject({ status: 403 });
		expect(await publish("")).toMatchObject({ status: 400 });
		expect(await publish("x".repeat(40_001))).toMatchObject({ status: 400, body: { invalid_params: [{ path: "text" }] } });
		expectOk(await publish(TEXT));
		expect(await read(stranger, undefined, other.id)).toMatchObject({ status: 404 });
		expect(await read((await givenUser({ organizationId: other.id })).token)).toMatchObject({ status: 404 });
	});

	it("is never changed or removed", async () => {
		expectOk(await publish(TEXT));
		for (const statement of ["update terms_texts set text = 'x'", "delete from terms_texts"]) {
			await expect(everyDatabase.prepare(statement).run()).rejects.toThrow("append only");
		}
	});

	it("loses neither itself nor a change of the product that is made at the same time", async () => {
		const rename = () => call(updateLoanProduct, { as: lender, path: { id: productId }, body: { name: "Renamed" } });
		expect((await publish(TEXT, lender, productId, beforeCommit(rename))).status).toBe(201);
		const [product] = expectOk(await call(listOfferedProducts, { as: borrower, query: {} })).data;
		expect(product).toMatchObject({ name: "Renamed", terms_version: 1, terms_sha256: SHA256 });
		const answers = await Promise.all(["One", "Two", "Three"].map((text) => publish(text)));
		const made = answers.filter(({ status }) => status === 201).map(({ body }) => (body as { version: number }).version);
		expect(new Set(made).size).toBe(made.length);
	});
});

describe("the text that offers name", () => {
	const choose = (terms_version: number | null, as = lender) =>
		call(updateLoanProduct, { as, path: { id: productId }, body: { terms_version } });

	it("is an older one again, or none, and published again it is the same", async () => {
		expectOk(await publish(TEXT));
		const second = expectOk(await publish("3. A new one."));
		expect(await choose(3)).toMatchObject({ status: 400, body: { invalid_params: [{ path: "terms_version" }] } });
		expect(expectOk(await choose(1))).toMatchObject({ terms_version: 1, terms_sha256: SHA256 });
		expect(expectOk(await read(borrower))).toMatchObject({ version: 1, text: TEXT });
		const offer = await givenOffer(borrower, productId);
		expect(offer).toMatchObject({ terms_version: 1, terms_sha256: SHA256 });
		expect(expectOk(await choose(null))).toMatchObject({ terms_version: null, terms_sha256: null });
		expect(await read(borrower)).toMatchObject({ status: 404 });
		expect(expectOk(await read(borrower, "2"))).toEqual(second);
		expect(await accept(offer.id)).toMatchObject({ status: 409, body: { reason: "TERMS_NOT_ACCEPTED" } });
		expectOk(await accept(offer.id, { version: 1, sha256: SHA256 }));
		expect(await publish("3. A new one.")).toMatchObject({ status: 200, body: second });
		expect(expectOk(await read(borrower))).toEqual(second);
	});

	it("is chosen by those who publish it alone, of this product alone", async () => {
		expectOk(await publish(TEXT));
		expectOk(await publish("2. Of another product.", lender, (await givenLoanProduct({ organization_id: organizationId })).id));
		expect(await choose(null, borrower)).toMatchObject({ status: 403 });
		expect(await choose(null, (await givenMember((await givenOrganization()).id, "organization-lending-admin")).token)).toMatchObject({
			status: 404,
		});
		expect(await choose(2)).toMatchObject({ status: 400 });
	});

	it("is not lost to a change of the product that is made at the same time", async () => {
		expectOk(await publish(TEXT));
		const vars = beforeCommit(() => choose(null));
		expect((await call(updateLoanProduct, { as: lender, path: { id: productId }, body: { name: "Renamed" }, vars })).status).toBe(200);
		const [product] = expectOk(await call(listOfferedProducts, { as: borrower, query: {} })).data;
		expect(product).toMatchObject({ name: "Renamed", terms_version: null });
	});
});

describe("an offer of a product with a text of its terms", () => {
	it("names it, and is accepted with that text alone", async () => {
		expectOk(await publish(TEXT));
		const quote = expectOk(await call(quoteLoan, { as: borrower, body: { loan_product_id: productId, loan_amount: 10_000 } }));
		const offer = await givenOffer(borrower, productId);
		for (const shown of [quote, offer]) expect(shown).toMatchObject({ terms_version: 1, terms_sha256: SHA256 });
		expect(offer.terms_accepted_at).toBeNull();
		const newer = expectOk(await publish("3. A new one."));
		const wrong = [undefined, { version: 2, sha256: newer.sha256 }, { version: 1, sha256: newer.sha256 }, { version: 2, sha256: SHA256 }];
		for (const accepted of wrong) {
			expect(await accept(offer.id, accepted)).toMatchObject({
				status: 409,
				body: { code: "INVALID_STATE", reason: "TERMS_NOT_ACCEPTED" },
			});
		}
		expect(expectOk(await call(getLoanApplication, { as: borrower, path: { application_id: offer.id } })).status).toBe("APPROVED");
		const taken = expectOk(await accept(offer.id, { version: 1, sha256: SHA256 }));
		expect(taken).toMatchObject({ status: "DISBURSED", terms_version: 1, terms_sha256: SHA256 });
		expect(Date.parse(taken.terms_accepted_at ?? "")).toBeGreaterThan(Date.parse(offer.created_at) - 1);
		expect(expectOk(await call(getLoanApplication, { as: borrower, path: { application_id: offer.id } }))).toEqual(taken);
		expect(expectOk(await read(borrower, String(taken.terms_version))).text).toBe(TEXT);
	});

	it("needs nothing where the product had none when it was made", async () => {
		const offer = await givenOffer(borrower, productId);
		expect(offer).toMatchObject({ terms_version: null, terms_sha256: null });
		expectOk(await publish(TEXT));
		expect(await accept(offer.id, { version: 1, sha256: SHA256 })).toMatchObject({ status: 409, body: { reason: "TERMS_NOT_ACCEPTED" } });
		expect(expectOk(await accept(offer.id))).toMatchObject({ status: "DISBURSED", terms_accepted_at: null });
	});
});

describe("what is shown before a loan is taken", () => {
	// By hand: 10,000 over 30 days in one installment at 10 %, with a fee of 2 % of what is drawn. 200 + 1,000 = 1,200 on day 30;
	// (11,200 / 10,000) ^ (365 / 30) - 1 = 1.12 ^ 12.1667 - 1 = 297.026 %, since ln 1.12 = 0.11332869 and e ^ 1.3788323 = 3.970263.
	it("names each charge, their sum, all that is to be paid, the rate of a year, the due dates, and what being late costs", async () => {
		const body = { loan_product_id: productId, loan_amount: 10_000, start_date: "2025-01-01" };
		const quote = expectOk(await call(quoteLoan, { as: borrower, body }));
		const charges = [
			{ type: "ACCESS_FEE", amount: 200 },
			{ type: "INTEREST", amount: 1_000 },
		];
		expect(quote).toMatchObject({ charges, total_cost: 1_200, total_due: 11_200, apr_basis_points: 29_703 });
		expect(quote.installments).toMatchObject([{ due_date: "2025-01-31", total: 11_200 }]);
		expect(quote.penalty_terms).toMatchObject({ calculation_basis: "PRINCIPAL_AND_ARREARS" });
		const offer = await givenOffer(borrower, productId);
		const taken = expectOk(await accept(offer.id));
		expect(taken).toMatchObject({ charges, total_cost: 1_200, total_due: 11_200, apr_basis_points: 29_703 });
		expect(taken.due_dates).toHaveLength(1);
		expect(taken.penalty_terms).toEqual(quote.penalty_terms);
	});
});
