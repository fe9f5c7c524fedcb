// Accepting an invitation makes one membership, wherever the process dies.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { acceptInvitation } from "../../../../src/domains/organizations/invitations/acceptance.operations";
import { endAcceptances } from "../../../../src/domains/organizations/invitations/job";
import { resendInvitation, revokeInvitation } from "../../../../src/domains/organizations/invitations/operations";
import { invitations } from "../../../../src/domains/organizations/invitations/table";
import { listMembers, removeMember } from "../../../../src/domains/organizations/members/operations";
import { memberships, organizationMembers } from "../../../../src/domains/organizations/table";
import { createIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { identityLinks, users } from "../../../../src/domains/users/model/table";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { webhookEvents } from "../../../../src/events/table";
import { advanceClock } from "../../../../src/wiring/clock.operations";
import { call, expectOk } from "../../../support/client";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../../support/factories";
import { givenInvitation, mailedToken } from "../../../support/invitations";
import { givenKey, signed } from "../../../support/issuers";
import { jobsFor } from "../../../support/jobs";
import { expectUser } from "../../../support/profiles";

const ANNA = "anna@example.com";

async function givenInvited(role = "organization-financing-admin" as const) {
	const organization = await givenOrganization();
	const owner = await givenMember(organization.id);
	return { organization, owner, invitation: await givenInvitation(owner.token, organization.id, { email: ANNA, role }) };
}
const accept = (as: string, token: string, headers: Record<string, string> = {}) =>
	call(acceptInvitation, { as, body: { token }, headers });
const eventsOf = async (type: string) =>
	(await db.select().from(webhookEvents).where(eq(webhookEvents.eventType, type))).map(({ data }) => JSON.parse(data) as object);
const countOf = async (table: typeof memberships | typeof users | typeof identityLinks) => (await db.select().from(table)).length;

async function givenIdentityIssuer(auto_admit = false) {
	const key = await givenKey();
	const issuer = `https://${crypto.randomUUID()}.example`;
	const body = { issuer, kind: "identity", jwks: { keys: [key.jwk] }, auto_admit };
	expectOk(await call(createIssuer, { as: await operatorToken(), body: body as never }));
	return (claims: Record<string, unknown> = {}) => signed(key, { iss: issuer, sub: "anna", email: ANNA, email_verified: true, ...claims });
}

describe("accepting an invitation", () => {
	it("makes the invited user a member, even on the waiting list; repeating it changes nothing", async () => {
		const { organization, owner, invitation } = await givenInvited();
		const anna = await givenUser({ email: "Anna@Example.com", status: "WAITING_LIST" });
		const answer = await accept(anna.token, invitation.token);
		expect(answer).toMatchObject({
			status: 200,
			body: { user_id: anna.id, role: "organization-financing-admin", organization_id: organization.id },
		});
		expect(expectUser(await call(getMe, { as: anna.token })).organizations).toMatchObject([{ id: organization.id }]);
		const again = await accept(anna.token, invitation.token);
		expect(again.body).toEqual(answer.body);
		const members = expectOk(await call(listMembers, { as: owner.token, path: { organizationId: organization.id }, query: {} })).data;
		expect(members.map(({ user_id }) => user_id).sort()).toEqual([owner.id, anna.id].sort());
		const { id: invitation_id, role } = invitation;
		expect(await eventsOf("invitation.accepted")).toEqual([{ invitation_id, role, user_id: anna.id }]);
	});

	it("is refused to users with another address or an unverified one", async () => {
		const { invitation } = await givenInvited();
		const token = await givenIdentityIssuer();
		const strangers = [
			(await givenUser()).token,
			(await givenUser({ email: "ben@example.com" })).token,
			await token({ email_verified: false }),
			await token({ email: undefined }),
			await token({ email: "ben@example.com" }),
			await token({ email_verified: "true" }),
		];
		const [DIFFERS, UNPROVEN] = ["ADDRESS_DIFFERS", "ADDRESS_UNPROVEN"];
		const reasons = [UNPROVEN, DIFFERS, UNPROVEN, UNPROVEN, DIFFERS, UNPROVEN];
		for (const [index, as] of strangers.entries())
			expect(await accept(as, invitation.token)).toMatchObject({ status: 403, body: { code: "FORBIDDEN", reason: reasons[index] } });
		expect(await accept((await givenUser({ email: ANNA, blocked: true })).token, invitation.token)).toMatchObject({ status: 403 });
		expect(await countOf(memberships)).toBe(1);
	});

	it("is 404 with a token that is unknown, incomplete or replaced", async () => {
		const { organization, owner, invitation } = await givenInvited();
		const anna = await givenUser({ email: ANNA });
		const wrong = [
			"x",
			invitation.token.slice(0, -1),
			`${invitation.token.slice(0, -1)}${invitation.token.endsWith("0") ? "1" : "0"}`,
			`inv_${crypto.randomUUID()}_00`,
		];
		for (const token of wrong) expect(await accept(anna.token, token)).toMatchObject({ status: 404 });
		expectOk(await call(resendInvitation, { as: owner.token, path: { organizationId: organization.id, id: invitation.id } }));
		expect(await accept(anna.token, invitation.token)).toMatchObject({ status: 404 });
		expect(await accept(anna.token, await mailedToken(ANNA))).toMatchObject({ status: 200 });
	});

	it("is refused when the invitation is revoked, expired, or accepted by another user with the address", async () => {
		const ended = { status: 409, body: { code: "INVALID_STATE" } };
		const anna = await givenUser({ email: ANNA });
		const first = await givenInvited();
		await call(revokeInvitation, { as: first.owner.token, path: { organizationId: first.organization.id, id: first.invitation.id } });
		expect(await accept(anna.token, first.invitation.token)).toMatchObject(ended);
		const second = await givenInvited();
		expectOk(await accept((await givenUser({ email: ANNA })).token, second.invitation.token));
		expect(await accept(anna.token, second.invitation.token)).toMatchObject(ended);
		const third = await givenInvited();
		expectOk(await call(advanceClock, { as: await operatorToken(), body: { advance: "P7D" } }));
		expect(await accept(anna.token, third.invitation.token)).toMatchObject(ended);
	});

	it("is refused to a member, and possible after their removal", async () => {
		const { organization, owner, invitation } = await givenInvited();
		const anna = await givenMember(organization.id, "organization-viewer", { email: ANNA });
		expect(await accept(anna.token, invitation.token)).toMatchObject({ status: 409, body: { description: "You are a member already" } });
		await call(removeMember, { as: owner.token, path: { organizationId: organization.id, userId: anna.id } });
		expect(await accept(anna.token, invitation.token)).toMatchObject({ status: 200, body: { role: "organization-financing-admin" } });
		expect((await db.select().from(organizationMembers).where(eq(organizationMembers.userId, anna.id)))[0]?.removedAt).toBeNull();
	});

	it("is replayed for the same Idempotency-Key", async () => {
		const { invitation } = await givenInvited();
		const anna = await givenUser({ email: ANNA });
		const headers = { "idempotency-key": "k1" };
		const [first, second] = [await accept(anna.token, invitation.token, headers), await accept(anna.token, invitation.token, headers)];
		expect(second.text).toBe(first.text);
		expect(second.headers.get("idempotent-replayed")).toBe("true");
	});
});

describe("an identity without a user", () => {
	it("becomes a user, with a link and a membership, by accepting; other operations refuse it", async () => {
		for (const admitted of [true, false]) {
			const { organization, invitation } = await givenInvited();
			const as = await (await givenIdentityIssuer(admitted))();
			expect(await call(listMembers, { as, path: { organizationId: organization.id }, query: {} })).toMatchObject({ status: 401 });
			expect(await accept(as, `${invitation.token}0`)).toMatchObject({ status: 404 });
			const { user_id } = expectOk(await accept(as, invitation.token));
			const [user] = await db.select().from(users).where(eq(users.id, user_id));
			expect(user).toMatchObject({ status: admitted ? "ACTIVE" : "WAITING_LIST", email: ANNA, homeOrganizationId: null });
			expect(await accept(as, invitation.token)).toMatchObject({ status: 200, body: { user_id } });
			expect(await db.select().from(identityLinks).where(eq(identityLinks.userId, user_id))).toMatchObject([{ subject: "anna" }]);
		}
	});

	it("becomes one user with one membership, even by concurrent acceptances", { tags: ["thorough"] }, async () => {
		const { organization, invitation } = await givenInvited();
		const as = await (await givenIdentityIssuer())();
		const answers = await Promise.all(Array.from({ length: 25 }, () => accept(as, invitation.token)));
		expect(new Set(answers.filter(({ ok }) => ok).map(({ text }) => text)).size).toBe(1);
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("INVALID_STATE");
		expect([await countOf(users), await countOf(memberships), await countOf(identityLinks)]).toEqual([2, 2, 1]);
		expect(await eventsOf("invitation.accepted")).toHaveLength(1);
		expect(await db.select().from(organizationMembers).where(eq(organizationMembers.organizationId, organization.id))).toHaveLength(2);
	});

	it("becomes one user, even by accepting two invitations concurrently", { tags: ["thorough"] }, async () => {
		const [first, second] = [await givenInvited(), await givenInvited()];
		const as = await (await givenIdentityIssuer())();
		const answers = await Promise.all([first, second].map(({ invitation }) => accept(as, invitation.token)));
		const ids = answers.map((answer) => expectOk(answer).user_id);
		expect(new Set(ids).size).toBe(1);
		expect(await countOf(users)).toBe(3);
	});
});

describe("twenty-five acceptances and twenty-five revocations", () => {
	it("have one outcome with one event, and a membership only after an acceptance", async () => {
		const { organization, owner, invitation } = await givenInvited();
		const anna = await givenUser({ email: ANNA });
		const path = { organizationId: organization.id, id: invitation.id };
		const answers = await Promise.all(
			Array.from(
				{ length: 25 },
				() => [accept(anna.token, invitation.token), call(revokeInvitation, { as: owner.token, path })] as const,
			).flat(),
		);
		const [row] = await db.select().from(invitations);
		const events = [await eventsOf("invitation.accepted"), await eventsOf("invitation.revoked")].map(({ length }) => length);
		expect(events).toEqual(row?.status === "ACCEPTED" ? [1, 0] : [0, 1]);
		expect(["ACCEPTED", "REVOKED"]).toContain(row?.status);
		expect(await db.select().from(memberships).where(eq(memberships.userId, anna.id))).toHaveLength(row?.status === "ACCEPTED" ? 1 : 0);
		expect(answers.some(({ ok }) => ok)).toBe(true);
	});
});

describe("an acceptance whose request was interrupted", () => {
	async function givenInterrupted(withMembership: boolean) {
		const { organization, owner, invitation } = await givenInvited();
		const anna = await givenUser({ email: ANNA });
		const long = Date.now() - 600_000;
		await db.update(invitations).set({ acceptingUserId: anna.id, acceptingSince: long }).where(eq(invitations.id, invitation.id));
		const row = {
			id: (await jobsFor(anna.id)).newId(),
			organizationId: organization.id,
			userId: anna.id,
			role: invitation.role,
			version: 1,
			createdAt: long,
		};
		if (withMembership) await db.insert(memberships).values(row);
		return { organization, owner, invitation, anna, path: { organizationId: organization.id, id: invitation.id } };
	}

	it("continues when the user accepts again, and cannot be revoked before that", async () => {
		for (const withMembership of [false, true]) {
			const { owner, invitation, anna, path } = await givenInterrupted(withMembership);
			expect(await call(revokeInvitation, { as: owner.token, path })).toMatchObject({ status: 409 });
			expect(await call(resendInvitation, { as: owner.token, path })).toMatchObject({ status: 409 });
			expect(await accept(anna.token, invitation.token)).toMatchObject({ status: 200, body: { user_id: anna.id } });
			expect(await db.select().from(organizationMembers).where(eq(organizationMembers.userId, anna.id))).toHaveLength(1);
		}
	});

	it("is finished by the sweep if the membership was written, otherwise undone", async () => {
		for (const withMembership of [false, true]) {
			const { organization, invitation, anna } = await givenInterrupted(withMembership);
			for (const _ of [1, 2]) await endAcceptances(await jobsFor(organization.id));
			const [row] = await db.select().from(invitations).where(eq(invitations.id, invitation.id));
			expect([row?.status, row?.acceptingUserId]).toEqual(withMembership ? ["ACCEPTED", anna.id] : ["PENDING", null]);
			const copies = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, anna.id));
			expect(copies).toHaveLength(withMembership ? 1 : 0);
		}
		expect(await eventsOf("invitation.accepted")).toHaveLength(1);
	});
});
