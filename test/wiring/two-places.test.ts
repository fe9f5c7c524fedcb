// A process that dies between its commits in two databases: the next request or the sweep completes what it began.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { beforeEach, describe, expect, it } from "vitest";
import { homeMessages } from "../../src/db/home-messages.table";
import { names } from "../../src/db/names.table";
import { placesOf } from "../../src/db/places";
import { creditCycles } from "../../src/domains/credit-accounts/table";
import { reportDisbursement } from "../../src/domains/disbursements/result.operations";
import { createLoanProduct } from "../../src/domains/loan-products/administration.operations";
import { loanProducts } from "../../src/domains/loan-products/model/table";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { addMember, removeMember } from "../../src/domains/organizations/members/operations";
import { createOrganization } from "../../src/domains/organizations/operations";
import { memberships, organizationMembers, organizations } from "../../src/domains/organizations/table";
import { exchangePartnerToken } from "../../src/domains/tokens/exchange/operations";
import { createSandboxToken } from "../../src/domains/tokens/sandbox/operations";
import { linkIdentity } from "../../src/domains/users/identity.operations";
import { identityLinks, users } from "../../src/domains/users/model/table";
import { getMe } from "../../src/domains/users/profile.operations";
import { homeOf } from "../../src/shared/ids";
import { sweep } from "../../src/wiring/cron";
import { getHealth } from "../../src/wiring/health.operations";
import { call, expectOk } from "../support/client";
import { alone, databaseOf, databases, refusingWrites } from "../support/databases";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { givenBorrower, givenLoanProduct, givenOffer, LOAN_PRODUCT } from "../support/loans";
import { answerOutbound, servicesFor } from "../support/outbound";
import { expectUser } from "../support/profiles";

const places = placesOf(env);
const OUTSIDE_DISBURSER = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example", DISBURSER_SECRET: "a disburser's secret" };
const in_ = (database: D1Database) => drizzle(database, { casing: "snake_case" });
const shards = places.all.filter(({ name }) => name !== "DB").map(({ name }) => name);
/** The name of the database that holds an id's home. */
const placeOf = (id: string) => places.of(homeOf(id)).name;

async function sweepAll() {
	for (const place of places.all) await sweep(await servicesFor({ env, ctx: { waitUntil() {} }, place }));
	expect(await db.select().from(homeMessages)).toEqual([]);
}

/** Organizations in two databases, so that a user of the one can become a member of the other. */
async function givenTwoPlaces() {
	const [organization, other] = [await givenOrganization(), await givenOrganization()];
	expect(placeOf(organization.id)).not.toBe(placeOf(other.id));
	return { organization, user: await givenUser({ organizationId: other.id }) };
}

/** An accepted offer that the disburser is to pay out. Returns the disbursement's id. */
async function givenSubmitted(): Promise<string> {
	answerOutbound(async () => new Response(null, { status: 202 }));
	const { token } = await givenBorrower();
	const { id } = await givenOffer(token);
	expectOk(await call(applyForLoan, { as: token, path: { application_id: id }, body: { loan_amount: 5_000 }, vars: OUTSIDE_DISBURSER }));
	return id;
}

describe.runIf(!alone)("a request that is interrupted after its first commit", () => {
	// The first request of a process starts a sweep, which must end before the test leaves work for a sweep.
	beforeEach(async () => {
		await call(getHealth, { vars: {} });
	});

	it("leaves an organization's copies to the sweep", async () => {
		const request = { as: await operatorToken(), body: { name: "Acme", slug: "acme" } };
		const { id } = expectOk(await call(createOrganization, { ...request, vars: refusingWrites(shards) }));
		const copies = async () => Promise.all(databases.map((each) => in_(each).select({ id: organizations.id }).from(organizations)));
		expect(await copies()).toEqual([[{ id }], [], []]);
		await sweepAll();
		expect(await copies()).toEqual([[{ id }], [{ id }], [{ id }]]);
		expect(await call(createOrganization, request)).toMatchObject({ status: 409 });
	});

	it("leaves a product's copies to the sweep", async () => {
		const request = { as: await operatorToken(), body: LOAN_PRODUCT };
		const { id } = expectOk(await call(createLoanProduct, { ...request, vars: refusingWrites(shards) }));
		await sweepAll();
		for (const database of databases) expect(await in_(database).select({ id: loanProducts.id }).from(loanProducts)).toEqual([{ id }]);
	});

	it("leaves an organization's copy of a membership to the sweep", async () => {
		const { organization, user } = await givenTwoPlaces();
		const request = {
			as: await operatorToken(),
			path: { organizationId: organization.id },
			body: { user_id: user.id, role: "organization-admin" as const },
		};
		expectOk(await call(addMember, { ...request, vars: refusingWrites([placeOf(organization.id)]) }));
		expect(await db.select().from(organizationMembers)).toEqual([]);
		await sweepAll();
		expect(await in_(databaseOf(organization.id)).select().from(organizationMembers)).toMatchObject([
			{ userId: user.id, role: "organization-admin", removedAt: null },
		]);
	});

	it("leaves the membership of a removed member to the sweep", async () => {
		const { organization, user } = await givenTwoPlaces();
		const owner = await givenMember(organization.id);
		const path = { organizationId: organization.id };
		expectOk(await call(addMember, { as: await operatorToken(), path, body: { user_id: user.id, role: "organization-viewer" } }));
		const request = { as: owner.token, path: { ...path, userId: user.id } };
		expectOk(await call(removeMember, { ...request, vars: refusingWrites([placeOf(user.id)]) }));
		const left = () => in_(databaseOf(user.id)).select().from(memberships).where(eq(memberships.userId, user.id));
		expect(await left()).toHaveLength(1);
		await sweepAll();
		expect(await left()).toEqual([]);
	});

	it("leaves a new user's name reserved, with the id under which the next exchange creates the user, once", async () => {
		const sandboxToken = async () =>
			expectOk(await call(createSandboxToken, { body: { kind: "partner", subject: "anna", organization: "acme" } })).token;
		const exchange = async (vars?: Partial<Env>) =>
			call(exchangePartnerToken, { body: { partner_token: await sandboxToken() }, ...(vars && { vars }) });
		expect((await exchange(refusingWrites(shards))).status).toBeGreaterThanOrEqual(500);
		expect(await db.select().from(users)).toEqual([]);
		const [reserved] = await db.select().from(names).where(eq(names.kind, "IDENTITY"));
		const [first, second] = [expectOk(await exchange()), expectOk(await exchange())];
		for (const { access_token } of [first, second]) expect(expectUser(await call(getMe, { as: access_token })).id).toBe(reserved?.id);
		expect(await db.select({ id: users.id }).from(users)).toEqual([{ id: reserved?.id }]);
	});

	it("leaves a transaction reserved for its disbursement, so that only the same report can use it", async () => {
		await givenLoanProduct();
		const [one, other] = [await givenSubmitted(), await givenSubmitted()];
		expect(placeOf(one)).not.toBe(placeOf(other));
		const occurred_at = new Date().toISOString();
		const report = async (disbursement_id: string, vars: Partial<Env> = {}) =>
			call(reportDisbursement, {
				as: await operatorToken(),
				path: { disbursement_id },
				body: { disbursement_id, status: "SUCCEEDED", mobile_money_transaction_id: "TX1", occurred_at },
				vars: { ...OUTSIDE_DISBURSER, ...vars },
			});
		expect((await report(one, refusingWrites([placeOf(one)]))).status).toBeGreaterThanOrEqual(500);
		expect(await report(other)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(await report(one)).toMatchObject({ status: 200 });
		expect(await report(other)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(await db.select({ applicationId: creditCycles.applicationId }).from(creditCycles)).toEqual([{ applicationId: one }]);
	});

	it("leaves an identity's name reserved, so that only the same link can use it", async () => {
		const { user } = await givenTwoPlaces();
		const another = await givenUser();
		const link = async (userId: string, vars?: Partial<Env>) =>
			call(linkIdentity, {
				as: await operatorToken(),
				path: { userId },
				body: { issuer: "https://id.example", subject: "s1" },
				...(vars && { vars }),
			});
		expect((await link(user.id, refusingWrites([placeOf(user.id)]))).status).toBeGreaterThanOrEqual(500);
		expect(await link(another.id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await link(user.id)).toMatchObject({ status: 201 });
		expect(await db.select({ userId: identityLinks.userId }).from(identityLinks)).toEqual([{ userId: user.id }]);
	});
});
