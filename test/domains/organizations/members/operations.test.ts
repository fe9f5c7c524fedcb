// Roles of members, and the owner who always stays.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { additionCopy } from "../../../../src/domains/organizations/copies.plan";
import { addMember, changeRole, listMembers, removeMember } from "../../../../src/domains/organizations/members/operations";
import { memberships, organizationMembers } from "../../../../src/domains/organizations/table";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { webhookEvents } from "../../../../src/events/table";
import type { Role } from "../../../../src/shared/permissions";
import { call, expectOk } from "../../../support/client";
import { rowsRead } from "../../../support/credit";
import { db, givenMember, givenOrganization, givenUser, newId, operatorToken } from "../../../support/factories";
import { jobsFor } from "../../../support/jobs";
import { expectUser } from "../../../support/profiles";
import { expectRows } from "../../../support/rows";

const remove = (as: string, organizationId: string, userId: string) => call(removeMember, { as, path: { organizationId, userId } });
const change = (as: string, organizationId: string, userId: string, role: Role) =>
	call(changeRole, { as, path: { organizationId, userId }, body: { role } });
const list = async (as: string, organizationId: string, query = {}) =>
	expectOk(await call(listMembers, { as, path: { organizationId }, query }));
const eventsOf = async (type: string) =>
	(await db.select().from(webhookEvents).where(eq(webhookEvents.eventType, type))).map(({ data }) => JSON.parse(data) as object);

/** The roles of a user in both places. */
async function rolesOf(userId: string) {
	const [membership] = await db.select().from(memberships).where(eq(memberships.userId, userId));
	const [copy] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, userId));
	return [membership?.role, copy?.removedAt === null ? copy.role : undefined];
}

describe("the list of members", () => {
	it("shows them newest first, page by page, by id or slug of the organization", async () => {
		const { id, slug } = await givenOrganization();
		const members = [await givenMember(id)];
		for (const role of ["organization-admin", "organization-viewer", "organization-developer"] as const) {
			await scheduler.wait(2);
			members.push(await givenMember(id, role));
		}
		await givenMember((await givenOrganization()).id);
		const [owner] = members as [{ id: string; token: string }];
		const ids = members.map((member) => member.id).reverse();
		expect((await list(owner.token, slug)).data.map((member) => member.user_id)).toEqual(ids);
		const first = await list(owner.token, id, { size: "3" });
		const second = await list(owner.token, id, { size: "3", after: first.links.next });
		expect([...first.data, ...second.data].map((member) => member.user_id)).toEqual(ids);
		expect((await list(owner.token, id, { before: second.links.prev, size: "3" })).data).toEqual(first.data);
	});

	it("reads no more than five rows beyond the page", async () => {
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		for (let index = 0; index < 30; index++) {
			const gone = await givenMember(id, "organization-viewer");
			if (index % 2) await db.update(organizationMembers).set({ removedAt: 1 }).where(eq(organizationMembers.userId, gone.id));
		}
		await list(owner.token, id, { size: "10" });
		const answer = await call(listMembers, { as: owner.token, path: { organizationId: id }, query: { size: "10" } });
		expect(answer.headers.get("server-timing")).toContain("trips=1 ");
		expectRows(rowsRead(answer)).atMost(15);
	});

	it("can be read by operators and by members with the permission", async () => {
		const { id } = await givenOrganization();
		await givenMember(id);
		const viewer = await givenMember(id, "organization-viewer");
		const financing = await givenMember(id, "organization-financing-viewer");
		expect((await list(viewer.token, id)).data).toHaveLength(3);
		expect((await list(await operatorToken(), id)).data).toHaveLength(3);
		expect(await call(listMembers, { as: financing.token, path: { organizationId: id }, query: {} })).toMatchObject({ status: 403 });
	});
});

describe("changing a role", () => {
	it("takes effect immediately, in the membership and in its copy, and raises an event", async () => {
		const { id, slug } = await givenOrganization();
		const owner = await givenMember(id);
		const member = await givenMember(id, "organization-viewer");
		const steps: Role[] = [
			"organization-admin",
			"organization-owner",
			"organization-developer",
			"organization-owner",
			"organization-viewer",
		];
		for (const role of steps) {
			expect(await change(owner.token, slug, member.id, role)).toMatchObject({ status: 200, body: { user_id: member.id, role } });
			expect(await rolesOf(member.id)).toEqual([role, role]);
			expect(expectUser(await call(getMe, { as: member.token })).organizations).toMatchObject([{ role }]);
		}
		const previous = ["organization-viewer", ...steps];
		const told = steps.map((role, index) => ({ user_id: member.id, role, previous_role: previous[index] }));
		expect(await eventsOf("member.role_changed")).toEqual(expect.arrayContaining(told));
		expect(await eventsOf("member.role_changed")).toHaveLength(steps.length);
	});

	it("to the present one changes nothing", async () => {
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		expect(await change(owner.token, id, owner.id, "organization-owner")).toMatchObject({ status: 200 });
		expect(await eventsOf("member.role_changed")).toEqual([]);
	});

	it("is refused above the caller's own rank", async () => {
		const { id } = await givenOrganization();
		const [owner, admin] = [await givenMember(id), await givenMember(id, "organization-admin")];
		const viewer = await givenMember(id, "organization-viewer");
		const refused = { status: 403, body: { code: "FORBIDDEN", description: "The role is above your own" } };
		expect(await change(admin.token, id, viewer.id, "organization-owner")).toMatchObject(refused);
		expect(await change(admin.token, id, admin.id, "organization-owner")).toMatchObject(refused);
		expect(await change(admin.token, id, owner.id, "organization-viewer")).toMatchObject(refused);
		expect(await remove(admin.token, id, owner.id)).toMatchObject(refused);
		expect(await change(viewer.token, id, viewer.id, "organization-developer")).toMatchObject({ status: 403 });
		expect(await change(admin.token, id, viewer.id, "organization-admin")).toMatchObject({ status: 200 });
		expect(await change(await operatorToken(), id, viewer.id, "organization-owner")).toMatchObject({ status: 200 });
	});

	it("of the last owner is refused, even to an operator", async () => {
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		for (const as of [owner.token, await operatorToken()]) {
			expect(await change(as, id, owner.id, "organization-viewer")).toMatchObject({ status: 409, body: { code: "LAST_OWNER" } });
		}
		await givenMember(id);
		expect(await change(owner.token, id, owner.id, "organization-viewer")).toMatchObject({ status: 200 });
	});

	it("answers 404 for members of other organizations", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const owner = await givenMember(mine.id);
		const stranger = await givenMember(other.id, "organization-viewer");
		for (const role of ["organization-owner", "organization-admin"] as const) {
			expect(await change(owner.token, mine.id, stranger.id, role)).toMatchObject({ status: 404 });
			expect(await change(owner.token, other.id, stranger.id, role)).toMatchObject({ status: 404 });
		}
		expect(await rolesOf(stranger.id)).toEqual(["organization-viewer", "organization-viewer"]);
	});
});

describe("removing a member", () => {
	it("ends the membership immediately, by an owner or an operator", async () => {
		const { id, slug } = await givenOrganization();
		const owner = await givenMember(id);
		for (const as of [owner.token, await operatorToken()]) {
			const developer = await givenMember(id, "organization-developer");
			expect(expectUser(await call(getMe, { as: developer.token })).organizations).toHaveLength(1);
			expect(await remove(developer.token, slug, owner.id)).toMatchObject({ status: 403 });
			expect(await remove(as, slug, developer.id)).toMatchObject({ status: 204 });
			expect(expectUser(await call(getMe, { as: developer.token })).organizations).toEqual([]);
			expect(await remove(as, slug, developer.id)).toMatchObject({ status: 404 });
		}
	});

	it("answers 404 for members of other organizations", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const owner = await givenMember(mine.id);
		const stranger = await givenMember(other.id, "organization-viewer");
		expect(await remove(owner.token, mine.id, stranger.id)).toMatchObject({ status: 404 });
		expect(await remove(owner.token, other.id, stranger.id)).toMatchObject({ status: 404 });
	});

	it("keeps the last owner, even when two owners remove each other concurrently", async () => {
		const { id } = await givenOrganization();
		const [first, second] = [await givenMember(id), await givenMember(id)];
		const as = await operatorToken();
		const answers = await Promise.all([remove(as, id, first.id), remove(as, id, second.id)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
		for (const answer of answers) if (!answer.ok) expect(answer.body.code).toBe("LAST_OWNER");
		expect(await db.select().from(memberships)).toHaveLength(1);
	});
});

describe("a member who was removed", () => {
	it("can be added again, with another role", async () => {
		const { id } = await givenOrganization();
		await givenMember(id);
		const user = await givenUser();
		const as = await operatorToken();
		for (const role of ["organization-owner", "organization-viewer", "organization-admin"] as const) {
			expectOk(await call(addMember, { as, path: { organizationId: id }, body: { user_id: user.id, role } }));
			expect(await rolesOf(user.id)).toEqual([role, role]);
			expect(await remove(as, id, user.id)).toMatchObject({ status: 204 });
			expect(await rolesOf(user.id)).toEqual([undefined, undefined]);
		}
		expect(await eventsOf("member.removed")).toHaveLength(3);
		expect(await eventsOf("member.added")).toEqual(
			["organization-owner", "organization-viewer", "organization-admin"].map((role) => ({ user_id: user.id, role })),
		);
	});

	it("are an event once when they are added, however often the organization's home hears of it", async () => {
		const { id } = await givenOrganization();
		const user = await givenUser();
		const there = await jobsFor(id);
		const row = { ...{ id: newId(user.id), organizationId: id, userId: user.id, role: "organization-viewer" as const }, version: 1 };
		const profile = { displayName: null, email: null, tag: "@u", profileVersion: 1 };
		const payload = { row: { ...row, createdAt: 1, reachedAt: null }, profile, eventId: newId(id) };
		for (const _ of [1, 2]) await there.commit(additionCopy.apply(there, payload));
		expect(await eventsOf("member.added")).toEqual([{ user_id: user.id, role: "organization-viewer" }]);
	});
});
