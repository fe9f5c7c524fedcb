// Members whose home is in another database than the organization's: what a request that is interrupted after its first commit leaves.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { placesOf } from "../../../../src/db/places";
import { acceptInvitation } from "../../../../src/domains/organizations/invitations/acceptance.operations";
import { revokeInvitation } from "../../../../src/domains/organizations/invitations/operations";
import { invitations } from "../../../../src/domains/organizations/invitations/table";
import { changeRole } from "../../../../src/domains/organizations/members/operations";
import { memberships, organizationMembers } from "../../../../src/domains/organizations/table";
import { homeOf } from "../../../../src/shared/ids";
import type { Role } from "../../../../src/shared/permissions";
import { sweep } from "../../../../src/wiring/cron";
import { getHealth } from "../../../../src/wiring/health.operations";
import { call, expectOk } from "../../../support/client";
import { alone, refusingWrites } from "../../../support/databases";
import { db, givenMember, givenOrganization, givenUser } from "../../../support/factories";
import { givenInvitation } from "../../../support/invitations";
import { beforeTrip } from "../../../support/loans";
import { servicesFor } from "../../../support/outbound";

const places = placesOf(env);
const placeOf = (id: string) => places.of(homeOf(id)).name;
const inHomeOf = (id: string) => refusingWrites([placeOf(id)]);

async function sweepAll() {
	for (const place of places.all) await sweep(await servicesFor({ env, ctx: createExecutionContext(), place }));
}

async function givenTwoPlaces() {
	const [organization, other] = [await givenOrganization(), await givenOrganization()];
	expect(placeOf(organization.id)).not.toBe(placeOf(other.id));
	return { organization, other, owner: await givenMember(organization.id, "organization-owner", { organizationId: organization.id }) };
}

const rolesOf = async (userId: string) => {
	const held = await db.select().from(memberships).where(eq(memberships.userId, userId));
	const copies = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, userId));
	return [held[0]?.role, copies[0]?.role];
};

describe.runIf(!alone)("a request that is interrupted after its first commit", () => {
	// The first request of a process runs a sweep, which must end before a test leaves work to the next sweep.
	beforeEach(async () => {
		await call(getHealth, { vars: {} });
	});

	it("has changed only the membership or only the copy; the sweep updates the other", async () => {
		const { organization, other, owner } = await givenTwoPlaces();
		const member = await givenMember(organization.id, "organization-viewer", { organizationId: other.id });
		const change = async (role: Role, vars: Partial<Env>) =>
			expectOk(
				await call(changeRole, { as: owner.token, path: { organizationId: organization.id, userId: member.id }, body: { role }, vars }),
			);
		await change("organization-owner", inHomeOf(organization.id));
		expect(await rolesOf(member.id)).toEqual(["organization-owner", "organization-viewer"]);
		await sweepAll();
		expect(await rolesOf(member.id)).toEqual(["organization-owner", "organization-owner"]);
		await change("organization-developer", inHomeOf(member.id));
		expect(await rolesOf(member.id)).toEqual(["organization-owner", "organization-developer"]);
		await sweepAll();
		expect(await rolesOf(member.id)).toEqual(["organization-developer", "organization-developer"]);
	});

	it.each([2, 3])("accepts no invitation that is revoked before its round trip %i", async (trip) => {
		const { organization, other, owner } = await givenTwoPlaces();
		const anna = await givenUser({ organizationId: other.id, email: "anna@example.com" });
		const { id, token } = await givenInvitation(owner.token, organization.id, { email: "anna@example.com" });
		const path = { organizationId: organization.id, id };
		const vars = beforeTrip(trip, () => call(revokeInvitation, { as: owner.token, path }));
		expect((await call(acceptInvitation, { as: anna.token, body: { token }, vars })).status).toBe(409);
		expect(await rolesOf(anna.id)).toEqual([undefined, undefined]);
	});

	it("has reserved the invitation for the user, who can accept it again", async () => {
		const { organization, other, owner } = await givenTwoPlaces();
		const anna = await givenUser({ organizationId: other.id, email: "anna@example.com" });
		const { token } = await givenInvitation(owner.token, organization.id, { email: "anna@example.com" });
		const accept = (vars: Partial<Env> = {}) => call(acceptInvitation, { as: anna.token, body: { token }, vars });
		expect((await accept(inHomeOf(anna.id))).status).toBeGreaterThanOrEqual(500);
		expect((await db.select().from(invitations))[0]).toMatchObject({ status: "PENDING", acceptingUserId: anna.id });
		expect(expectOk(await accept()).user_id).toBe(anna.id);
		expect(await rolesOf(anna.id)).toEqual(["organization-viewer", "organization-viewer"]);
	});
});
