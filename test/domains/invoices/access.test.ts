// Who may upload, read and decide invoices, by roles and by outside providers.

import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import {
	cancelInvoice,
	decideInvoice,
	getInvoice,
	listInvoices,
	listMerchantInvoices,
	uploadInvoice,
	uploadInvoices,
} from "../../../src/domains/invoices/operations";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { deleteMerchantGrant, getMerchantGrant, putMerchantGrant } from "../../../src/domains/organizations/merchant-grants/operations";
import { createIssuer } from "../../../src/domains/tokens/issuers/operations";
import { SANDBOX_ISSUER } from "../../../src/domains/tokens/issuers/own.plan";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { objectOf } from "../../../src/providers/openfga/requests";
import { call, expectOk } from "../../support/client";
import { everyDatabase } from "../../support/databases";
import { givenMember, givenOrganization, operatorToken } from "../../support/factories";
import { givenBuyer, givenInvoice, invoiceBody } from "../../support/invoices";
import { givenKey, signed } from "../../support/issuers";
import { answerOutbound } from "../../support/outbound";
import { sandboxToken } from "../../support/tokens";

/** A member with no role in financing, granted these permissions for merchant m-1. */
async function givenMerchantUser(organizationId: string, permissions: ("org:financing.merchants:read" | "org:financing.invoices:write")[]) {
	const owner = await givenMember(organizationId);
	const user = await givenMember(organizationId, "organization-viewer");
	const path = { merchantId: "m-1", userId: user.id };
	const put = await call(putMerchantGrant, { as: owner.token, path, body: { permissions } });
	expect(expectOk(put)).toEqual({ merchant_id: "m-1", user_id: user.id, permissions });
	return { owner, path, ...user };
}

describe("a merchant's user", () => {
	it("uploads, sees and withdraws the invoices of that merchant, and no others", async () => {
		const buyer = await givenBuyer();
		const { token: as } = await givenMerchantUser(buyer.organization.id, ["org:financing.merchants:read", "org:financing.invoices:write"]);
		const { id } = expectOk(await call(uploadInvoice, { as, body: invoiceBody() }));
		const foreign = await givenInvoice(buyer, { merchant_id: "m-2" });
		expect(await call(uploadInvoice, { as, body: invoiceBody({ merchant_id: "m-2" }) })).toMatchObject({
			status: 403,
			body: { code: "FORBIDDEN", identifier: expect.any(String), invalid_params: [] },
		});
		const mixed = { invoices: [invoiceBody(), invoiceBody({ merchant_id: "m-2" })] };
		expect(await call(uploadInvoices, { as, body: mixed })).toMatchObject({ status: 403 });
		expect(expectOk(await call(listMerchantInvoices, { as, path: { merchantId: "m-1" }, query: {} })).data).toMatchObject([{ id }]);
		expect(await call(listMerchantInvoices, { as, path: { merchantId: "m-2" }, query: {} })).toMatchObject({ status: 403 });
		expect(await call(listInvoices, { as, query: {} })).toMatchObject({ status: 403 });
		expectOk(await call(getInvoice, { as, path: { id } }));
		for (const op of [getInvoice, cancelInvoice]) expect(await call(op, { as, path: { id: foreign.id } })).toMatchObject({ status: 404 });
		expect(await call(decideInvoice, { as, path: { id: foreign.id }, body: { decision: "APPROVED" } })).toMatchObject({ status: 403 });
		expectOk(await call(cancelInvoice, { as, path: { id } }));
	});

	it("may do only what was granted, until the grant is removed", async () => {
		const buyer = await givenBuyer();
		const { token: as, owner, path } = await givenMerchantUser(buyer.organization.id, ["org:financing.merchants:read"]);
		expect(await call(uploadInvoice, { as, body: invoiceBody() })).toMatchObject({ status: 403 });
		const list = () => call(listMerchantInvoices, { as, path: { merchantId: "m-1" }, query: {} });
		expectOk(await list());
		expect(expectOk(await call(getMerchantGrant, { as: owner.token, path })).permissions).toEqual(["org:financing.merchants:read"]);
		expect((await call(deleteMerchantGrant, { as: owner.token, path })).status).toBe(204);
		expect((await list()).status).toBe(403);
		for (const op of [getMerchantGrant, deleteMerchantGrant])
			expect(await call(op, { as: owner.token, path })).toMatchObject({ status: 404 });
	});

	it("must be a member of the organization", async () => {
		const { organization } = await givenBuyer();
		const owner = await givenMember(organization.id);
		const stranger = await givenMember((await givenOrganization()).id);
		const path = { merchantId: "m-1", userId: stranger.id };
		expect(await call(putMerchantGrant, { as: owner.token, path, body: { permissions: ["org:financing.merchants:read"] } })).toMatchObject({
			status: 404,
		});
	});
});

describe("an identity issuer's token", () => {
	const vars = { OPENFGA_URL: "https://fga.example/", OPENFGA_STORE_ID: "s", OPENFGA_MODEL_ID: "m" };

	async function givenIssuer(resource_access_provider: "embedded" | "openfga") {
		const key = await givenKey();
		const issuer = `https://${crypto.randomUUID()}.example`;
		const body = { issuer, kind: "identity", audience: "financial-account-service", jwks: { keys: [key.jwk] }, resource_access_provider };
		expectOk(await call(createIssuer, { as: await operatorToken(), body: body as never, vars }));
		const tokenOf = (subject: string, claims = {}) => signed(key, { iss: issuer, sub: subject, ...claims });
		const link = async (userId: string, subject: string) =>
			expectOk(await call(linkIdentity, { as: await operatorToken(), path: { userId }, body: { issuer, subject } }));
		return { tokenOf, link };
	}

	it("opens the buyer's list by the user's role, never by a claim", async () => {
		const buyer = await givenBuyer();
		const { tokenOf, link } = await givenIssuer("embedded");
		const viewer = await givenMember(buyer.organization.id, "organization-viewer");
		await link(buyer.decider.id, "admin");
		await link(viewer.id, "viewer");
		const { id } = await givenInvoice(buyer);
		const claims = { permissions: ["org:financing.merchants:read"], role: "organization-owner", scope: "org:financing.merchants:read" };
		expect(expectOk(await call(listInvoices, { as: await tokenOf("admin"), query: {} })).data).toMatchObject([{ id }]);
		expect(await call(listInvoices, { as: await tokenOf("viewer", claims), query: {} })).toMatchObject({ status: 403 });
		expect(await call(listInvoices, { as: await tokenOf("unknown"), query: {} })).toMatchObject({ status: 401 });
		const other = await givenOrganization();
		expect(await call(listInvoices, { as: await tokenOf("admin", { org_id: other.id }), query: {} })).toMatchObject({ status: 403 });
	});

	it("has its access to each merchant decided by its issuer's resource-access provider", async () => {
		const buyer = await givenBuyer();
		const { tokenOf, link } = await givenIssuer("openfga");
		const user = await givenMember(buyer.organization.id, "organization-viewer");
		await link(user.id, "subject");
		const asked: string[] = [];
		let allowed = true;
		answerOutbound(async (_, init) => {
			const { tuple_key } = JSON.parse(String(init?.body)) as { tuple_key: { user: string; relation: string; object: string } };
			asked.push(`${tuple_key.user} ${tuple_key.relation} ${tuple_key.object}`);
			return allowed ? Response.json({ allowed: true }) : new Response(null, { status: 400 });
		});
		const list = async (merchantId: string) =>
			call(listMerchantInvoices, { as: await tokenOf("subject"), path: { merchantId }, query: {}, vars });
		expectOk(await list("m-1"));
		expect(asked).toEqual([
			`user:${user.id} financing_merchants_read ${await objectOf({ type: "merchant", id: "m-1", organizationId: buyer.organization.id })}`,
		]);
		// The service's own token comes from no issuer with a provider, so the embedded provider decides.
		expect(await call(listMerchantInvoices, { as: user.token, path: { merchantId: "m-1" }, query: {}, vars })).toMatchObject({
			status: 403,
		});
		allowed = false;
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect(await list("m-9")).toMatchObject({
			status: 503,
			body: { code: "SERVICE_UNAVAILABLE" },
		});
	});
});

describe("a provider that cannot decide", () => {
	it("makes the buyer's list fail instead of showing it empty", async () => {
		const buyer = await givenBuyer();
		answerOutbound(async () => new Response(null, { status: 400 }));
		vi.spyOn(console, "error").mockImplementation(() => {});
		const vars = { AUTHORIZATION_PROVIDER: "openfga", OPENFGA_URL: "https://fga.example/", OPENFGA_STORE_ID: "s", OPENFGA_MODEL_ID: "m" };
		const headers = { "x-organization-id": buyer.organization.id };
		expect(await call(listInvoices, { as: buyer.decider.token, query: {}, headers, vars })).toMatchObject({
			status: 503,
			body: { code: "SERVICE_UNAVAILABLE" },
		});
		expect(env.AUTHORIZATION_PROVIDER).toBe("embedded");
	});
});

describe("the decision on an invoice", () => {
	const decide = (as: string, id: string, headers = {}) =>
		call(decideInvoice, { as, path: { id }, body: { decision: "APPROVED" }, headers });
	const refused = { status: 403, body: { code: "SELF_APPROVAL", identifier: expect.any(String) } };

	it("cannot be made by the person who uploaded the invoice, with any credentials of theirs", async () => {
		const { organization, uploader, decider } = await givenBuyer();
		const owner = await givenMember(organization.id);
		const path = { organizationId: organization.id };
		const { key } = expectOk(await call(createApiKey, { as: owner.token, path, body: { name: "till", scopes: ["invoices:write"] } }));
		const byUser = expectOk(await call(uploadInvoice, { as: uploader.token, body: invoiceBody() }));
		const byKey = expectOk(await call(uploadInvoice, { as: key ?? "", body: invoiceBody() }));
		expect(await decide(uploader.token, byUser.id)).toMatchObject(refused);
		expect(await decide(owner.token, byKey.id)).toMatchObject(refused);
		expectOk(await decide(decider.token, byUser.id));
		expectOk(await decide(decider.token, byKey.id));
	});

	it("cannot be made by an operator who is linked to the user who uploaded the invoice", async () => {
		const { organization, uploader } = await givenBuyer();
		const headers = { "x-organization-id": organization.id };
		await call(linkIdentity, {
			as: await operatorToken(),
			path: { userId: uploader.id },
			body: { issuer: SANDBOX_ISSUER, subject: "linked" },
		});
		const [linked, other] = [await sandboxToken("operator", "linked"), await sandboxToken("operator", "other")];
		const { id } = expectOk(await call(uploadInvoice, { as: uploader.token, body: invoiceBody() }));
		expect(await decide(linked, id, headers)).toMatchObject(refused);
		expectOk(await decide(other, id, headers));
		const byOperator = expectOk(await call(uploadInvoice, { as: other, body: invoiceBody(), headers }));
		expect(await decide(other, byOperator.id, headers)).toMatchObject(refused);
		expectOk(await decide(linked, byOperator.id, headers));
	});

	it("by the person who uploaded the invoice is refused by the database too", async () => {
		const { uploader, ...buyer } = await givenBuyer();
		const { id } = await givenInvoice(buyer as never);
		const approve = everyDatabase.prepare("update invoices set decided_by = uploaded_by where id = ?").bind(id);
		await expect(approve.run()).rejects.toThrow("invoices_four_eyes");
		expect(uploader.id).toMatch(/-/);
	});
});
