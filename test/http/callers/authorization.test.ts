// Permissions by roles in D1 and by an outside provider.

import { beforeEach, describe, expect, it } from "vitest";
import { merchantGrants } from "../../../src/domains/organizations/table";
import { member, memberOfPath } from "../../../src/http/callers/access";
import { objectOf } from "../../../src/providers/openfga/requests";
import type { AuthorizationProvider, Question } from "../../../src/runtime/ports";
import { everyDatabase } from "../../support/databases";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { allowErrors, expectErrors } from "../../support/log";
import { type FakeOpenFga, fakeOpenFga, json, servicesAt, vars } from "../../support/openfga";
import { probe, whoami } from "../../support/probe";

let fga: FakeOpenFga;
beforeEach(() => {
	fga = fakeOpenFga();
});

const adapters: {
	name: AuthorizationProvider["name"];
	grantMerchant: (organizationId: string, merchantId: string, userId: string) => Promise<void>;
	giveRole: (organizationId: string, userId: string) => Promise<void>;
	breakIt: () => Promise<void>;
}[] = [
	{
		name: "embedded",
		async grantMerchant(organizationId, merchantId, userId) {
			await db
				.insert(merchantGrants)
				.values({ organizationId, merchantId, userId, permission: "org:financing.invoices:write", createdAt: 1 });
		},
		giveRole: async () => {},
		async breakIt() {
			await everyDatabase.batch([everyDatabase.prepare("drop table memberships"), everyDatabase.prepare("drop table merchant_grants")]);
		},
	},
	{
		name: "openfga",
		async grantMerchant(organizationId, merchantId, userId) {
			fga.tuples.add(`user:${userId} financing_invoices_write ${await objectOf({ type: "merchant", id: merchantId, organizationId })}`);
		},
		async giveRole(organizationId, userId) {
			fga.tuples.add(`user:${userId} financing_invoices_write organization:${organizationId}`);
		},
		async breakIt() {
			fga.answer = () => json({ code: "internal_error" }, 500);
		},
	},
];

describe.each(adapters)("the $name authorization provider", ({ name, grantMerchant, giveRole, breakIt }) => {
	const about = (userId: string, resource: Question["resource"]): Question => ({
		subject: { userId },
		permission: "org:financing.invoices:write",
		resource,
		write: false,
	});
	const check = async (question: Question) => (await servicesAt()).providers.resourceAccess(name).check(question);

	async function given() {
		const organization = await givenOrganization();
		const admin = await givenMember(organization.id, "organization-financing-admin");
		await giveRole(organization.id, admin.id);
		return { organization, admin, ofOrganization: { type: "organization", id: organization.id } as const };
	}

	it("allows the permissions of a role in the organization", async () => {
		const { admin, ofOrganization } = await given();
		expect(await check(about(admin.id, ofOrganization))).toBe("ALLOW");
	});

	it("denies another permission, another organization, and an unknown user", async () => {
		const { admin, ofOrganization } = await given();
		const other = await givenOrganization();
		expect(await check({ ...about(admin.id, ofOrganization), permission: "org:branding:write" })).toBe("DENY");
		expect(await check(about(admin.id, { type: "organization", id: other.id }))).toBe("DENY");
		expect(await check(about(crypto.randomUUID(), ofOrganization))).toBe("DENY");
	});

	it("distinguishes merchants", async () => {
		const { organization } = await given();
		const { id: userId } = await givenUser();
		await grantMerchant(organization.id, "m-1", userId);
		const merchant = (id: string) => about(userId, { type: "merchant", id, organizationId: organization.id });
		expect(await check(merchant("m-1"))).toBe("ALLOW");
		expect(await check(merchant("m-2"))).toBe("DENY");
		expect(await check({ ...merchant("m-1"), permission: "org:financing.approvals:decide" })).toBe("DENY");
	});

	it("rejects when it cannot decide", async () => {
		allowErrors("authorization provider failed");
		const { admin, ofOrganization, organization } = await given();
		await breakIt();
		await expect(check(about(admin.id, ofOrganization))).rejects.toThrow();
		await expect(check(about(admin.id, { type: "merchant", id: "m-1", organizationId: organization.id }))).rejects.toThrow();
	});
});

describe("members authorized by OpenFGA", () => {
	const reads = whoami(memberOfPath("org:members:read"), "GET", "/at/{organizationId}");
	const writes = whoami(member("org:webhooks:write"), "POST");

	it("are members in D1, where their role permits nothing: what they may is in the tuples", async () => {
		const { id, slug } = await givenOrganization();
		const viewer = await givenMember(id, "organization-lending-viewer");
		const owner = await givenMember(id, "organization-owner");
		fga.tuples.add(`user:${viewer.id} members_read organization:${id}`);
		for (const path of [`/at/${id}`, `/at/${slug}`]) {
			expect(await probe([reads], { path, as: viewer.token }, { vars })).toMatchObject({ status: 200, body: { organizationId: id } });
			expect(await probe([reads], { path, as: owner.token }, { vars })).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		}
	});

	it("are no others: OpenFGA is not asked about somebody who is no member", async () => {
		const { id, slug } = await givenOrganization();
		const stranger = await givenUser();
		fga.tuples.add(`user:${stranger.id} members_read organization:${id}`);
		for (const path of [`/at/${id}`, `/at/${slug}`])
			expect(await probe([reads], { path, as: stranger.token }, { vars })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		expect(fga.asked).toEqual([]);
	});

	it("get the same answer for an organization to which they do not belong as for an unknown organization", async () => {
		const { id } = await givenOrganization();
		const stranger = await givenUser();
		const [theirs, nobodys] = [id, crypto.randomUUID()].map((path) =>
			probe([reads], { path: `/at/${path}`, as: stranger.token }, { vars }),
		);
		expect(await theirs).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		expect((await theirs)?.body).toEqual((await nobodys)?.body);
		const acting = await probe([writes], { as: stranger.token, headers: { "x-organization-id": id } }, { vars });
		expect(acting).toMatchObject({ status: 403 });
	});

	it("are refused while blocked, without asking OpenFGA", async () => {
		const { id } = await givenOrganization();
		const blocked = await givenUser({ blocked: true });
		fga.tuples.add(`user:${blocked.id} members_read organization:${id}`);
		expect(await probe([reads], { path: `/at/${id}`, as: blocked.token }, { vars })).toMatchObject({ status: 403 });
		expect(fga.asked).toEqual([]);
	});

	it("are checked with higher consistency when they write", async () => {
		const { id } = await givenOrganization();
		const only = await givenMember(id, "organization-viewer");
		fga.tuples.add(`user:${only.id} webhooks_write organization:${id}`);
		expect(await probe([writes], { as: only.token }, { vars })).toMatchObject({ status: 200, body: { organizationId: id } });
		expect(fga.asked).toMatchObject([{ check: { consistency: "HIGHER_CONSISTENCY" } }]);
	});

	it("are refused while it is down, and operators are not", async () => {
		expectErrors("authorization provider failed");
		fga.answer = () => json({}, 500);
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		expect(await probe([reads], { path: `/at/${id}`, as: owner.token }, { vars })).toMatchObject({
			status: 503,
			body: { code: "SERVICE_UNAVAILABLE" },
		});
		expect(await probe([reads], { path: `/at/${id}`, as: await operatorToken() }, { vars })).toMatchObject({ status: 200 });
	});
});
