// What the service sends OpenFGA of members and of grants for merchants.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { authorizationSyncs } from "../../../../src/domains/organizations/authorization/table";
import { acceptInvitation } from "../../../../src/domains/organizations/invitations/acceptance.operations";
import { addMember } from "../../../../src/domains/organizations/members/operations";
import { deleteMerchantGrant, putMerchantGrant } from "../../../../src/domains/organizations/merchant-grants/operations";
import { memberships, merchantGrants } from "../../../../src/domains/organizations/table";
import { listWork, retryWork } from "../../../../src/domains/work/operations";
import { objectOf } from "../../../../src/providers/openfga/requests";
import type { Role } from "../../../../src/shared/permissions";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { dyingAt } from "../../../support/crashes";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../../support/factories";
import { givenInvitation } from "../../../support/invitations";
import { down, givenKnownOrganization, sendSyncs } from "../../../support/known-organization";
import { allowErrors } from "../../../support/log";
import { type FakeOpenFga, fakeOpenFga, tupleVars as vars } from "../../../support/openfga";

let fga: FakeOpenFga;
beforeEach(() => {
	fga = fakeOpenFga();
});

const given = (role?: Role) => givenKnownOrganization(fga, role);

describe("OpenFGA gets a tuple of", () => {
	it("each change of a membership, in one request each", async () => {
		const { organization, subject, path, change, remove, object } = await given("organization-viewer");
		expect(fga.of(subject.id)).toEqual([`viewer ${object}`]);
		expectOk(await change("organization-developer"));
		expect(fga.of(subject.id)).toEqual([`developer ${object}`]);
		expectOk(await change("organization-owner"));
		expect(fga.of(subject.id)).toEqual([`owner ${object}`]);
		fga.tuples.add(`user:${subject.id} audit_read ${object}`);
		expect((await remove()).status).toBe(204);
		expect(fga.of(subject.id)).toEqual([]);
		const body = { user_id: subject.id, role: "organization-admin" as const };
		expectOk(await call(addMember, { as: await operatorToken(), path: { organizationId: organization.id }, body, vars }));
		expect(fga.of(path.userId)).toEqual([`admin ${object}`]);
		expect(fga.received).toHaveLength(4);
		expect(await db.select().from(authorizationSyncs).where(eq(authorizationSyncs.userId, subject.id))).toMatchObject([
			{ merchantId: "", changes: 5, failure: null, reachedAt: expect.any(Number) },
		]);
	});

	it("who has accepted an invitation", async () => {
		const { organization, owner, object } = await given();
		const anna = await givenUser({ email: "anna@example.com" });
		const { token } = await givenInvitation(owner.token, organization.id, { email: "anna@example.com", role: "organization-viewer" });
		expectOk(await call(acceptInvitation, { as: anna.token, body: { token }, vars }));
		expect(fga.of(anna.id)).toEqual([`viewer ${object}`]);
	});

	it("what a member was granted for a merchant, until it is taken back", async () => {
		const { organization, owner, subject, object } = await given("organization-viewer");
		const merchant = await objectOf({ type: "merchant", id: "m 1*", organizationId: organization.id });
		const path = { merchantId: "m 1*", userId: subject.id };
		const put = (permissions: ("org:financing.merchants:read" | "org:financing.invoices:write")[]) =>
			call(putMerchantGrant, { as: owner.token, path, body: { permissions }, vars });
		expectOk(await put(["org:financing.merchants:read", "org:financing.invoices:write"]));
		expect(fga.of(subject.id)).toEqual([
			`financing_invoices_write ${merchant}`,
			`financing_merchants_read ${merchant}`,
			`viewer ${object}`,
		]);
		expectOk(await put(["org:financing.merchants:read"]));
		expect(fga.of(subject.id)).toEqual([`financing_merchants_read ${merchant}`, `viewer ${object}`]);
		expect((await call(deleteMerchantGrant, { as: owner.token, path, vars })).status).toBe(204);
		expect(fga.of(subject.id)).toEqual([`viewer ${object}`]);
	});

	it("members and grants that are older than its use", async () => {
		const { id } = await givenOrganization();
		const subject = await givenMember(id, "organization-viewer");
		await db.insert(merchantGrants).values(
			["m-1", "m-2"].map((merchantId) => ({
				...{ organizationId: id, merchantId, userId: subject.id, permission: "org:financing.merchants:read" as const, createdAt: 1 },
			})),
		);
		await sendSyncs();
		const merchants = await Promise.all(["m-1", "m-2"].map((merchant) => objectOf({ type: "merchant", id: merchant, organizationId: id })));
		expect(fga.of(subject.id)).toEqual([...merchants.map((one) => `financing_merchants_read ${one}`), `viewer organization:${id}`].sort());
		fga.received.splice(0);
		await sendSyncs();
		expect(fga.received).toEqual([]);
	});

	it("nothing where its deployer writes the tuples", async () => {
		const { change, subject } = await given();
		expectOk(await change("organization-viewer", { OPENFGA_TUPLES: "yours" } as Partial<Env>));
		expect(fga.received).toEqual([]);
		expect(await db.select({ reachedAt: memberships.reachedAt }).from(memberships).where(eq(memberships.userId, subject.id))).toEqual([
			{ reachedAt: null },
		]);
	});
});

describe("a change that OpenFGA has not taken", () => {
	beforeEach(() => allowErrors("authorization provider failed"));

	it("is sent after the process has died between its commit and the request", async () => {
		const { change, subject, object } = await given();
		allowErrors("request failed");
		const death = dyingAt(3, "after");
		expect((await change("organization-viewer", death.vars)).status).toBe(500);
		expect(death.died()).toBe(true);
		expect([fga.received, fga.of(subject.id)]).toEqual([[], [`admin ${object}`]]);
		await sendSyncs();
		expect(fga.of(subject.id)).toEqual([`viewer ${object}`]);
	});

	it("is tried again after growing delays, is work that waits, and is done at once when somebody asks", async () => {
		const { change, subject, object } = await given();
		fga.write = down;
		expectOk(await change("organization-viewer"));
		for (let minute = 0; minute < 60; minute++) {
			await moveClock(60_000);
			await sendSyncs();
		}
		// 15 s, 30 s, … after one another, and two tries each.
		expect(fga.received.length).toBeGreaterThan(8);
		expect(fga.received.length).toBeLessThan(20);
		const as = await operatorToken();
		const work = async () => expectOk(await call(listWork, { as, query: { kind: "AUTHORIZATION_SYNC" }, vars })).data;
		const [waiting, ...others] = await work();
		expect(others).toEqual([]);
		expect(waiting).toMatchObject({ user_id: subject.id, state: "FAILED", reason: "status 500 internal_error" });
		fga.write = (told) => fga.apply(told);
		await sendSyncs();
		expect(fga.of(subject.id)).toEqual([`admin ${object}`]);
		const path = { kind: "AUTHORIZATION_SYNC" as const, id: waiting?.id ?? "" };
		expect((await call(retryWork, { as, path, vars })).status).toBe(202);
		await sendSyncs();
		expect(fga.of(subject.id)).toEqual([`viewer ${object}`]);
		expect(await work()).toEqual([]);
	});

	it("is not overtaken by the one before it", async () => {
		const { change, subject, object } = await given("organization-viewer");
		let beside = 0;
		fga.write = async (told) => {
			fga.write = (other) => {
				beside++;
				return fga.apply(other);
			};
			expectOk(await change("organization-developer"));
			expect(beside).toBe(0);
			return fga.apply(told);
		};
		expectOk(await change("organization-admin"));
		await sendSyncs();
		expect(beside).toBe(1);
		expect(fga.of(subject.id)).toEqual([`developer ${object}`]);
	});
});
