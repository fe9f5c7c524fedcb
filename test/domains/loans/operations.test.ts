// Reading, listing and cancelling applications.

import { describe, expect, it } from "vitest";
import { findAccountOfProduct } from "../../../src/domains/credit-accounts/store";
import { findProduct, productFor } from "../../../src/domains/loan-products/model/store";
import { expireOffers } from "../../../src/domains/loans/job";
import { borrower } from "../../../src/domains/loans/model/borrower.store";
import { findOpenApplication, findOverdueOffers, findRecordsOf, offeredProduct } from "../../../src/domains/loans/model/store";
import { loanApplications } from "../../../src/domains/loans/model/table";
import { cancelLoanApplication, getLoanApplication, listLoanApplications } from "../../../src/domains/loans/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { trips } from "../../support/credit";
import { db, givenApiKey, givenUser, operatorToken } from "../../support/factories";
import { apply, eventsOf, givenBorrower, givenLoanProduct, givenOffer, runDueWork } from "../../support/loans";
import { planOf, plansOf } from "../../support/plans";

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

	it("is read in one round trip by the borrower, their partner and operators only", async () => {
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
		const due = await plansOf(findOverdueOffers(db as never, 1, 20));
		expect(due.join("; ")).toContain("loan_applications_expiry");
		const lists = [
			"select * from loan_applications where user_id = ? and user_id = ? order by created_at desc, id desc limit 3",
			"select * from loan_applications where organization_id = ? and (status = 'EXPIRED' or (status in ('PENDING', 'APPROVED') and expires_at <= ?)) order by created_at desc, id desc limit 3",
			"select * from loan_applications where (created_at, id) < (?, ?) order by created_at desc, id desc limit 3",
		];
		const ofLists = await Promise.all(lists.map((list) => planOf(list, 1, 1)));
		const ofBorrower = await plansOf(
			borrower("u").statement,
			findProduct(db as never, productFor("u", undefined)),
			findProduct(db as never, productFor("u", "p")),
			findOpenApplication(db as never, "u", productFor("u", undefined)),
			findAccountOfProduct(db as never, "u", productFor("u", "p")),
			offeredProduct("a", "u").statement,
			findRecordsOf("a", "u"),
		);
		const steps = [...due, ...ofLists.flat(), ...ofBorrower];
		expect(steps.filter((step) => /SCAN (?!CONSTANT ROW)|TEMP B-TREE/.test(step))).toEqual([]);
	});
});
