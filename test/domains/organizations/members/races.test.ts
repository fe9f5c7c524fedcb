// Concurrent changes to the members of one organization.
// @module-tag thorough

import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { memberCopy, membershipRemoval, promotionCopy, roleChange } from "../../../../src/domains/organizations/copies.plan";
import { changeRole, removeMember } from "../../../../src/domains/organizations/members/operations";
import { memberships, organizationMembers } from "../../../../src/domains/organizations/table";
import type { Role } from "../../../../src/shared/permissions";
import { call, expectOk } from "../../../support/client";
import { db, givenMember, givenOrganization, newId, operatorToken } from "../../../support/factories";
import { jobsFor } from "../../../support/jobs";
import { beforeCommit, beforeTrip, eventsOf } from "../../../support/loans";

const leave = (organizationId: string, { id, token }: { id: string; token: string }) =>
	call(removeMember, { as: token, path: { organizationId, userId: id } });
const change = (as: string, organizationId: string, userId: string, role: Role) =>
	call(changeRole, { as, path: { organizationId, userId }, body: { role } });

async function owners(organizationId: string) {
	const copies = await db
		.select()
		.from(organizationMembers)
		.where(and(eq(organizationMembers.organizationId, organizationId), isNull(organizationMembers.removedAt)));
	const held = await db.select().from(memberships).where(eq(memberships.organizationId, organizationId));
	const roles = (rows: readonly { userId: string; role: Role }[]) => rows.map(({ userId, role }) => `${userId} ${role}`).sort();
	expect(roles(copies)).toEqual(roles(held));
	return held.filter(({ role }) => role === "organization-owner");
}

describe("an organization keeps an owner", () => {
	it("when fifty owners leave concurrently", async () => {
		const { id } = await givenOrganization();
		const all = [];
		for (let index = 0; index < 50; index++) all.push(await givenMember(id));
		const answers = await Promise.all(all.map((owner) => leave(id, owner)));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(49);
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("LAST_OWNER");
		expect(await owners(id)).toHaveLength(1);
	});

	it("when fifty owners give up ownership concurrently", async () => {
		const { id } = await givenOrganization();
		const all = [];
		for (let index = 0; index < 50; index++) all.push(await givenMember(id));
		const answers = await Promise.all(all.map((owner) => change(owner.token, id, owner.id, "organization-viewer")));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(49);
		expect(await owners(id)).toHaveLength(1);
	});

	it("when two owners remove or demote each other repeatedly", async () => {
		for (let round = 0; round < 10; round++) {
			const { id } = await givenOrganization();
			const [first, second] = [await givenMember(id), await givenMember(id)];
			const answers = await Promise.all([
				round % 2
					? call(removeMember, { as: first.token, path: { organizationId: id, userId: second.id } })
					: change(first.token, id, second.id, "organization-viewer"),
				round % 4 < 2
					? call(removeMember, { as: second.token, path: { organizationId: id, userId: first.id } })
					: change(second.token, id, first.id, "organization-admin"),
			]);
			expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
			expect(await owners(id)).toHaveLength(1);
		}
	});

	it("when one owner promotes a member while the other owner leaves", async () => {
		for (let round = 0; round < 10; round++) {
			const { id } = await givenOrganization();
			const owner = await givenMember(id);
			const viewer = await givenMember(id, "organization-viewer");
			await Promise.all([change(await operatorToken(), id, viewer.id, "organization-owner"), leave(id, owner)]);
			expect((await owners(id)).length).toBeGreaterThan(0);
		}
	});
});

describe("a member who is changed concurrently", () => {
	it("ends with one role in the membership and in its copy, and an event for each change", async () => {
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		const member = await givenMember(id, "organization-viewer");
		const roles: Role[] = ["organization-owner", "organization-admin", "organization-developer", "organization-financing-admin"];
		const answers = await Promise.all(
			Array.from({ length: 24 }, (_, index) => change(owner.token, id, member.id, roles[index % 4] as Role)),
		);
		expect(answers.some(({ ok }) => ok)).toBe(true);
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("INVALID_STATE");
		await owners(id);
	});

	it("stays removed once a removal has succeeded", async () => {
		for (let round = 0; round < 10; round++) {
			const { id } = await givenOrganization();
			const owner = await givenMember(id);
			const member = await givenMember(id, "organization-viewer");
			const roles: Role[] = ["organization-owner", "organization-admin"];
			const [removed] = await Promise.all([
				call(removeMember, { as: owner.token, path: { organizationId: id, userId: member.id } }),
				...roles.map((role) => change(owner.token, id, member.id, role)),
			]);
			const held = await owners(id);
			if (removed.ok) expect(held.map(({ userId }) => userId)).toEqual([owner.id]);
		}
	});
});

describe("a change that another one overtakes before its commit", () => {
	const copyOf = async (userId: string) => (await db.select().from(organizationMembers).where(eq(organizationMembers.userId, userId)))[0];
	const roleOf = async (userId: string) => (await db.select().from(memberships).where(eq(memberships.userId, userId)))[0]?.role;
	const changeWhile = (as: string, organizationId: string, userId: string, role: Role, happens: () => Promise<unknown>) =>
		call(changeRole, { as, path: { organizationId, userId }, body: { role }, vars: beforeCommit(happens) });
	async function given() {
		const { id } = await givenOrganization();
		const [owner, member] = [await givenMember(id), await givenMember(id, "organization-viewer")];
		return { id, owner, member };
	}

	it("continues from the role that the other one has given", async () => {
		const { id, owner, member } = await given();
		const promoted = () => change(owner.token, id, member.id, "organization-admin");
		expectOk(await changeWhile(owner.token, id, member.id, "organization-developer", promoted));
		expect([(await copyOf(member.id))?.role, await roleOf(member.id)]).toEqual(["organization-developer", "organization-developer"]);
		const changes = (await eventsOf(id)).map(({ data }) => [data.previous_role, data.role]);
		expect(changes).toEqual([
			["organization-viewer", "organization-admin"],
			["organization-admin", "organization-developer"],
		]);
	});

	it("makes an owner of a member whose role has changed, in the membership and in its copy", async () => {
		const { id, owner, member } = await given();
		// The round trips of a promotion: the caller and the member, the membership, the commit.
		const vars = beforeTrip(3, () => change(owner.token, id, member.id, "organization-admin"));
		const path = { organizationId: id, userId: member.id };
		expectOk(await call(changeRole, { as: owner.token, path, body: { role: "organization-owner" }, vars }));
		expect([(await copyOf(member.id))?.role, await roleOf(member.id)]).toEqual(["organization-owner", "organization-owner"]);
	});

	it("is 404 for a member who has been removed, and raises no second event", async () => {
		const { id, owner, member } = await given();
		const remove = (vars: Partial<Env> = {}) =>
			call(removeMember, { as: owner.token, path: { organizationId: id, userId: member.id }, vars });
		expect((await remove(beforeCommit(() => remove()))).status).toBe(404);
		expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["member.removed"]);
	});

	it("is refused when its caller has lost the role for it", async () => {
		const { id, owner, member } = await given();
		const other = await givenMember(id);
		const demoted = () => change(other.token, id, owner.id, "organization-viewer");
		expect((await changeWhile(owner.token, id, member.id, "organization-admin", demoted)).status).toBe(403);
		expect((await copyOf(member.id))?.role).toBe("organization-viewer");
	});
});

describe("messages between the homes", () => {
	it("have the same result in any order, and when they are repeated", async () => {
		const { id: organizationId } = await givenOrganization();
		await givenMember(organizationId);
		const { id: userId } = await givenMember(organizationId, "organization-viewer");
		const [membership] = await db.select().from(memberships).where(eq(memberships.userId, userId));
		if (!membership) throw new Error("expected a membership");
		const promoted = { ...membership, role: "organization-owner" as const, version: 3 };
		const promotion = { row: promoted, previousRole: membership.role, eventId: newId(organizationId) };
		const demotion = { id: membership.id, userId, role: "organization-developer" as const, version: 2 };
		const [there, home] = [await jobsFor(organizationId), await jobsFor(userId)];
		await db.update(memberships).set({ role: promoted.role, version: promoted.version }).where(eq(memberships.id, membership.id));
		for (const _ of [1, 2]) {
			await there.commit(promotionCopy.apply(there, promotion));
			await home.commit(roleChange.apply(home, demotion));
			await there.commit(memberCopy.apply(there, membership));
		}
		expect((await db.select().from(memberships).where(eq(memberships.userId, userId)))[0]).toEqual(promoted);
		const [copy] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, userId));
		expect(copy).toMatchObject({ role: "organization-owner", version: 3 });
		await home.commit(membershipRemoval.apply(home, { membershipId: membership.id }));
		await db.update(organizationMembers).set({ removedAt: 1 }).where(eq(organizationMembers.userId, userId));
		await there.commit(memberCopy.apply(there, { ...promoted, version: 5 }));
		expect((await db.select().from(organizationMembers).where(eq(organizationMembers.userId, userId)))[0]?.removedAt).toBe(1);
	});
});
