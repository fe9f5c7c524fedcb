// The names of members: copied when they join, and renewed whenever their profile changes, in any order of arrival.

import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getApproval, listApprovals, requestApproval } from "../../../../src/domains/approvals/operations";
import { listAudit } from "../../../../src/domains/audit/operations";
import { createApiKey } from "../../../../src/domains/organizations/api-keys/operations";
import { memberCopy } from "../../../../src/domains/organizations/copies.plan";
import { acceptInvitation } from "../../../../src/domains/organizations/invitations/acceptance.operations";
import { addMember, changeRole, listMembers } from "../../../../src/domains/organizations/members/operations";
import { memberships, organizationMembers } from "../../../../src/domains/organizations/table";
import { exchangePartnerToken } from "../../../../src/domains/tokens/exchange/operations";
import { users } from "../../../../src/domains/users/model/table";
import { updateMe } from "../../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../../support/client";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../../../support/factories";
import { givenInvitation } from "../../../support/invitations";
import { jobsFor } from "../../../support/jobs";
import { beforeCommit } from "../../../support/loans";
import { sandboxToken } from "../../../support/tokens";

async function given() {
	const organization = await givenOrganization();
	const owner = await givenMember(organization.id);
	return { organization, owner, path: { organizationId: organization.id } };
}

const rename = (as: string, display_name: string | null, vars?: Partial<Env>) =>
	call(updateMe, { as, body: { display_name }, ...(vars && { vars }) });

describe("a member's name, address and tag", () => {
	it("are shown from joining on, and after each change", async () => {
		const { owner, path } = await given();
		const { id, token } = await givenUser({ email: "anna@example.com" });
		const [{ tag } = { tag: "" }] = await db.select({ tag: users.tag }).from(users).where(eq(users.id, id));
		expectOk(await rename(token, "Anna"));
		const as = await operatorToken();
		const added = expectOk(await call(addMember, { as, path, body: { user_id: id, role: "organization-viewer" } }));
		expect(added).toMatchObject({ display_name: "Anna", email: "anna@example.com", tag });
		const shown = async () =>
			expectOk(await call(listMembers, { as: owner.token, path, query: {} })).data.find(({ user_id }) => user_id === id);
		expect(await shown()).toEqual(added);
		expectOk(await rename(token, "Anna B."));
		expect(await shown()).toMatchObject({ display_name: "Anna B.", email: "anna@example.com", tag });
		for (const role of ["organization-admin", "organization-owner"] as const) {
			const changed = await call(changeRole, { as: owner.token, path: { ...path, userId: id }, body: { role } });
			expect(expectOk(changed)).toMatchObject({ role, display_name: "Anna B." });
		}
		expectOk(await rename(token, null));
		expect(await shown()).toMatchObject({ display_name: null, tag });
	});

	it("come with an invitation, and with what the partner's tokens say", async () => {
		const { organization, owner, path } = await given();
		const partner = async (email: string) => {
			const claims = { org_id: organization.slug, email, email_verified: true, jti: crypto.randomUUID() };
			const partner_token = await sandboxToken("partner", "anna", claims);
			return expectOk(await call(exchangePartnerToken, { body: { partner_token } })).access_token;
		};
		const token = await partner("anna@example.com");
		const invitation = await givenInvitation(owner.token, organization.id, { email: "anna@example.com" });
		const accepted = expectOk(await call(acceptInvitation, { as: token, body: { token: invitation.token } }));
		expect(accepted).toMatchObject({ display_name: null, email: "anna@example.com", tag: expect.stringMatching(/^@/) });
		await db.update(users).set({ mobileNumber: "+254712345678" }).where(eq(users.id, accepted.user_id));
		await partner("anna@new.example");
		const { data } = expectOk(await call(listMembers, { as: owner.token, path, query: {} }));
		expect(data.find(({ user_id }) => user_id === accepted.user_id)).toMatchObject({ email: "anna@new.example" });
	});

	it("are those of the present profile, with any joins or changes at the same moment", async () => {
		const { path, organization } = await given();
		const copied = async (userId: string) => {
			const isIt = and(eq(organizationMembers.organizationId, organization.id), eq(organizationMembers.userId, userId));
			return (await db.select().from(organizationMembers).where(isIt))[0]?.displayName;
		};
		const as = await operatorToken();
		const join = async (user_id: string, vars?: Partial<Env>) =>
			expectOk(await call(addMember, { as, path, body: { user_id, role: "organization-viewer" }, ...(vars && { vars }) }));
		const [first, second] = [await givenUser(), await givenUser()];
		await join(
			first.id,
			beforeCommit(() => rename(first.token, "Renamed first")),
		);
		expect(await copied(first.id)).toBe("Renamed first");
		expectOk(
			await rename(
				second.token,
				"Joined first",
				beforeCommit(() => join(second.id)),
			),
		);
		expect(await copied(second.id)).toBe("Joined first");
		// Of two changes at once the overtaken one is made again, from what the other has left.
		expectOk(
			await rename(
				second.token,
				"Overtaken",
				beforeCommit(() => rename(second.token, "Overtaking")),
			),
		);
		expect(await copied(second.id)).toBe("Overtaken");
		expect((await db.select().from(users).where(eq(users.id, second.id)))[0]?.displayName).toBe("Overtaken");
	});

	it("have the same result in any order of messages, and when they are repeated", async () => {
		const { organization } = await given();
		const user = await givenUser();
		const membership = {
			id: user.id,
			organizationId: organization.id,
			userId: user.id,
			role: "organization-viewer" as const,
			version: 1,
			createdAt: 1,
			reachedAt: null,
		};
		const there = await jobsFor(organization.id);
		const named = (displayName: string, profileVersion: number) => ({ displayName, email: null, tag: "@anna", profileVersion });
		for (const [displayName, version] of [
			["third", 3],
			["first", 1],
			["third", 3],
			["second", 2],
		] as const) {
			await there.commit(memberCopy.apply(there, { ...membership, profile: named(displayName, version) }));
		}
		const [copy] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, user.id));
		expect(copy).toMatchObject({ displayName: "third", role: "organization-viewer", removedAt: null });
		await db.update(organizationMembers).set({ removedAt: 1 }).where(eq(organizationMembers.userId, user.id));
		await there.commit(memberCopy.apply(there, { ...membership, profile: named("fourth", 4) }));
		const [removed] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, user.id));
		expect(removed).toMatchObject({ displayName: "fourth", removedAt: 1 });
		expect(await db.select().from(memberships).where(eq(memberships.userId, user.id))).toEqual([]);
	});
});

describe("the actor of each row", () => {
	it("is called by name in the audit trail and in approvals, in one round trip where one database has all", async () => {
		const { organization, owner, path } = await given();
		expectOk(await rename(owner.token, "Otieno"));
		const { id: keyId } = expectOk(
			await call(createApiKey, { as: owner.token, path, body: { name: "till", scopes: ["approvals:write"] } }),
		);
		const borrower = await givenUser({ organizationId: organization.id });
		const body = {
			approval_type: "BLOCK_CHANGE" as const,
			entity_type: "USER" as const,
			entity_id: borrower.id,
			payload: { blocked: true },
		};
		const asked = expectOk(await call(requestApproval, { as: owner.token, body }));
		const key = await givenApiKey(organization.id, ["approvals:write"], { createdBy: owner.id });
		const headers = { "x-organization-id": organization.id };
		for (const as of [owner.token, key, await operatorToken()]) {
			const { data } = expectOk(await call(listApprovals, { as, query: { entity_id: borrower.id } }));
			expect(data).toMatchObject([{ id: asked.id, actor_display: "Otieno", decided_by_display: null }]);
			expect(expectOk(await call(getApproval, { as, path: { id: asked.id } }))).toEqual(data[0]);
		}
		expectOk(await call(createApiKey, { as: await operatorToken(), path, body: { name: "other", scopes: ["loans:write"] } }));
		const trail = expectOk(await call(listAudit, { as: owner.token, headers, query: { operation: "createApiKey" } }));
		expect(trail.actor_display).toEqual({ [owner.id]: "Otieno", [trail.data[0]?.actor_id ?? ""]: "root" });
		expect(trail.data.map(({ entity_id }) => entity_id)).toContain(keyId);
		// Names of another organization's members are shown to nobody else.
		const stranger = await givenMember((await givenOrganization()).id);
		expect(expectOk(await call(listApprovals, { as: stranger.token, query: { entity_id: borrower.id } })).data).toEqual([]);
	});
});
