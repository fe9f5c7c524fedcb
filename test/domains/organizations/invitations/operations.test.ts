// Inviting, sending again and revoking, within the bounds on mails.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { listMessages } from "../../../../src/domains/messages/operations";
import {
	createInvitation,
	listInvitations,
	resendInvitation,
	revokeInvitation,
} from "../../../../src/domains/organizations/invitations/operations";
import { invitationSends, invitations } from "../../../../src/domains/organizations/invitations/table";
import { organizations } from "../../../../src/domains/organizations/table";
import { webhookEvents } from "../../../../src/events/table";
import { ROLES, type Role } from "../../../../src/shared/permissions";
import { advanceClock } from "../../../../src/wiring/clock.operations";
import { call, expectOk, send } from "../../../support/client";
import { rowsRead } from "../../../support/credit";
import { db, givenMember, givenOrganization, newId, operatorToken } from "../../../support/factories";
import { givenInvitation, mailedToken } from "../../../support/invitations";
import { beforeCommit } from "../../../support/loans";
import { expectRows } from "../../../support/rows";

async function givenParties() {
	const organization = await givenOrganization();
	return { ...organization, owner: await givenMember(organization.id) };
}
const invite = (as: string, organizationId: string, email: string, role: Role = "organization-viewer") =>
	call(createInvitation, { as, path: { organizationId }, body: { email, role } });
const resend = (as: string, organizationId: string, id: string) => call(resendInvitation, { as, path: { organizationId, id } });
const revoke = (as: string, organizationId: string, id: string) => call(revokeInvitation, { as, path: { organizationId, id } });
const list = async (as: string, organizationId: string, query: Record<string, string | readonly string[]> = {}) =>
	expectOk(await send(listInvitations as never, { as, path: { organizationId }, query })) as {
		data: { id: string; role: string; status: string }[];
		links: { next: string; prev: string };
	};
const eventsOf = async (type: string) =>
	(await db.select().from(webhookEvents).where(eq(webhookEvents.eventType, type))).map(({ data }) => JSON.parse(data) as object);
const laterBy = async (advance: string) => expectOk(await call(advanceClock, { as: await operatorToken(), body: { advance } }));

describe("an invitation", () => {
	it("does not show its token, which is only in the mail and stored as a hash", async () => {
		const { id, slug, owner } = await givenParties();
		const answer = await invite(owner.token, slug, "Anna@Example.com", "organization-financing-admin");
		expect(answer).toMatchObject({ status: 201 });
		const created = expectOk(answer);
		expect(created).toEqual({
			id: expect.any(String),
			email: "Anna@Example.com",
			role: "organization-financing-admin",
			status: "PENDING",
			created_at: expect.stringMatching(/Z$/),
			resource_id: `inv_${created.id.replaceAll("-", "")}`,
			expires_at: expect.stringMatching(/Z$/),
			accepted_at: null,
		});
		expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(7 * 86_400_000);
		const token = await mailedToken("Anna@Example.com");
		expect(token).toMatch(new RegExp(`^inv_${created.id}_[0-9a-f]{64}$`));
		const mails = await call(listMessages, { as: await operatorToken(), query: { recipient: "Anna@Example.com" } });
		expect(expectOk(mails).data).toMatchObject([{ channel: "EMAIL", purpose: "INVITATION", token }]);
		expect(answer.text).not.toContain(token.slice(-64));
		expect(JSON.stringify(await db.select().from(invitations))).not.toContain(token.slice(-64));
		expect(await eventsOf("invitation.created")).toEqual([{ invitation_id: created.id, role: "organization-financing-admin" }]);
		expect((await list(owner.token, id)).data).toEqual([created]);
	});

	it("is unique for an address, in any spelling, while it is pending", async () => {
		const { id, owner } = await givenParties();
		const pending = { status: 409, body: { code: "INVITATION_PENDING" } };
		const answers = await Promise.all(["anna@bücher.example", "ANNA@xn--bcher-kva.example"].map((email) => invite(owner.token, id, email)));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
		expect(answers.find(({ ok }) => !ok)).toMatchObject(pending);
		expect(await invite(owner.token, id, "Anna@Bücher.example")).toMatchObject(pending);
		const other = await givenParties();
		expect(await invite(other.owner.token, other.id, "anna@bücher.example")).toMatchObject({ status: 201 });
	});

	it("is refused for a role above the caller's, and for an invalid address", async () => {
		const { id, owner } = await givenParties();
		const [admin, viewer] = [await givenMember(id, "organization-admin"), await givenMember(id, "organization-viewer")];
		expect(await invite(admin.token, id, "a@example.com", "organization-owner")).toMatchObject({ status: 403 });
		expect(await invite(viewer.token, id, "a@example.com")).toMatchObject({ status: 403 });
		expect(await invite(admin.token, id, "a@example.com", "organization-admin")).toMatchObject({ status: 201 });
		expect(await invite(await operatorToken(), id, "b@example.com", "organization-owner")).toMatchObject({ status: 201 });
		for (const email of ["anna", "anna@localhost", "a b@example.com", `${"x".repeat(250)}@example.com`]) {
			expect(await invite(owner.token, id, email)).toMatchObject({ status: 400, body: { invalid_params: [{ path: "email" }] } });
		}
	});

	it("for an owner cannot be sent again or revoked by an admin", async () => {
		const { id, owner } = await givenParties();
		const admin = await givenMember(id, "organization-admin");
		const invitation = await givenInvitation(owner.token, id, { role: "organization-owner" });
		expect(await resend(admin.token, id, invitation.id)).toMatchObject({ status: 403 });
		expect(await revoke(admin.token, id, invitation.id)).toMatchObject({ status: 403 });
	});

	it("of another organization answers 404", async () => {
		const [mine, other] = [await givenParties(), await givenParties()];
		const { id } = await givenInvitation(other.owner.token, other.id);
		expect(await resend(mine.owner.token, mine.id, id)).toMatchObject({ status: 404 });
		expect(await revoke(mine.owner.token, mine.id, id)).toMatchObject({ status: 404 });
	});
});

describe("the mails of a day", () => {
	it("are limited to three to an address, even for concurrent requests", async () => {
		const { id, owner } = await givenParties();
		const { id: invitation } = await givenInvitation(owner.token, id, { email: "anna@example.com" });
		const answers = await Promise.all(Array.from({ length: 8 }, () => resend(owner.token, id, invitation)));
		expect(answers.filter(({ ok }) => ok).length).toBeLessThanOrEqual(2);
		for (const answer of answers) if (!answer.ok) expect(["INVALID_STATE", "TOO_MANY_REQUESTS"]).toContain(answer.body.code);
		while ((await resend(owner.token, id, invitation)).ok);
		const refused = await resend(owner.token, id, invitation);
		expect([refused.status, refused.ok ? null : refused.body.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
		const mails = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient: "anna@example.com" } })).data;
		expect(mails).toHaveLength(3);
		await laterBy("P1D");
		expect(await resend(owner.token, id, invitation)).toMatchObject({ status: 200 });
	});

	it("are limited to fifty by an organization", async () => {
		const { id, owner } = await givenParties();
		const answers = [];
		for (let index = 0; index < 51; index++) answers.push(await invite(owner.token, id, `a${index}@example.com`));
		expect(answers.map(({ status }) => status).filter((status) => status !== 201)).toEqual([429]);
		const other = await givenParties();
		expect(await invite(other.owner.token, other.id, "a1@example.com")).toMatchObject({ status: 201 });
	});
});

describe("a mail that another one overtakes before its commit", () => {
	const inviteWhile = async (
		by: { id: string; owner: { token: string } },
		email: string,
		happens: () => Promise<unknown>,
		vars: Partial<Env> = {},
	) =>
		call(createInvitation, {
			as: by.owner.token,
			path: { organizationId: by.id },
			body: { email, role: "organization-viewer" },
			vars: { ...vars, ...beforeCommit(happens) },
		});

	it("is refused when the address has got three", async () => {
		// Sends are counted in the home of the organization.
		const one = await givenParties();
		const beside = async (slug: string) => {
			const id = newId(one.id);
			await db.insert(organizations).values({ id, slug, name: slug, createdAt: Date.now() });
			return { id, slug, owner: await givenMember(id) };
		};
		const [two, three, four] = [await beside("two"), await beside("three"), await beside("four")];
		for (const { id, owner } of [one, two]) expectOk(await invite(owner.token, id, "anna@example.com"));
		const twoId = (await list(two.owner.token, two.id)).data[0]?.id ?? "";
		const third = () => invite(three.owner.token, three.id, "anna@example.com");
		const { id: invitationId } = (await list(one.owner.token, one.id)).data[0] ?? { id: "" };
		const path = { organizationId: one.id, id: invitationId };
		expect((await call(resendInvitation, { as: one.owner.token, path, vars: beforeCommit(third) })).status).toBe(429);
		await db.delete(invitationSends).where(eq(invitationSends.organizationId, three.id));
		const fourth = () => call(resendInvitation, { as: two.owner.token, path: { organizationId: two.id, id: twoId } });
		expect((await inviteWhile(four, "anna@example.com", fourth)).status).toBe(429);
	});

	it("is refused when the organization has sent fifty", async () => {
		const by = await givenParties();
		const sent = { organizationId: by.id, emailKey: "somebody@example.com", sentAt: Date.now() };
		for (let index = 0; index < 49; index++) await db.insert(invitationSends).values({ ...sent, id: newId(by.id) });
		expect((await inviteWhile(by, "b@example.com", () => invite(by.owner.token, by.id, "c@example.com"))).status).toBe(429);
	});

	it("is refused when the minute's budget of messages is used up", async () => {
		const by = await givenParties();
		const refused = await inviteWhile(by, "b@example.com", () => invite(by.owner.token, by.id, "c@example.com"), {
			MESSAGE_BUDGET_PER_MINUTE: "1",
		});
		expect(refused.ok).toBe(false);
		expect(await db.select().from(invitations)).toHaveLength(1);
	});
});

describe("sending again", () => {
	it("gives an invitation a new token and seven more days, even if it has expired", async () => {
		const { id, owner } = await givenParties();
		const invitation = await givenInvitation(owner.token, id, { email: "anna@example.com" });
		await laterBy("P8D");
		expect((await list(owner.token, id)).data).toMatchObject([{ status: "EXPIRED" }]);
		expect(await eventsOf("invitation.expired")).toEqual([{ invitation_id: invitation.id, role: "organization-viewer" }]);
		const again = expectOk(await resend(owner.token, id, invitation.id));
		expect(again).toMatchObject({ id: invitation.id, status: "PENDING" });
		expect(Date.parse(again.expires_at)).toBeGreaterThan(Date.parse(invitation.expires_at) + 7 * 86_400_000);
		expect(await mailedToken("anna@example.com")).not.toBe(invitation.token);
		await laterBy("P8D");
		expect(await eventsOf("invitation.expired")).toHaveLength(2);
	});

	it("is refused while another invitation to the address is pending, and after a revocation", async () => {
		const { id, owner } = await givenParties();
		const first = await givenInvitation(owner.token, id, { email: "anna@example.com" });
		await laterBy("P8D");
		const second = await givenInvitation(owner.token, id, { email: "anna@example.com" });
		expect(await resend(owner.token, id, first.id)).toMatchObject({ status: 409, body: { code: "INVITATION_PENDING" } });
		expect(await revoke(owner.token, id, second.id)).toMatchObject({ status: 200, body: { status: "REVOKED" } });
		expect(await resend(owner.token, id, second.id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await resend(owner.token, id, first.id)).toMatchObject({ status: 200 });
	});
});

describe("an overdue invitation", () => {
	it("reads as EXPIRED before the sweep, cannot be revoked, and allows another invitation", async () => {
		const { id, owner } = await givenParties();
		const { id: overdue } = await givenInvitation(owner.token, id, { email: "anna@example.com" });
		await db
			.update(invitations)
			.set({ expiresAt: Date.now() - 1 })
			.where(eq(invitations.id, overdue));
		expect((await list(owner.token, id)).data).toMatchObject([{ status: "EXPIRED" }]);
		expect(await revoke(owner.token, id, overdue)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await invite(owner.token, id, "anna@example.com")).toMatchObject({ status: 201 });
		expect(await eventsOf("invitation.expired")).toHaveLength(1);
	});
});

describe("revoking", () => {
	it("happens once, with one event, even for concurrent requests", async () => {
		const { id, owner } = await givenParties();
		const invitation = await givenInvitation(owner.token, id);
		const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(owner.token, id, invitation.id)));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
		expect(await eventsOf("invitation.revoked")).toEqual([{ invitation_id: invitation.id, role: "organization-viewer" }]);
	});
});

describe("the list of invitations", () => {
	async function givenMany() {
		const parties = await givenParties();
		const { owner, id } = parties;
		for (let index = 0; index < 30; index++) {
			await scheduler.wait(1);
			expectOk(await invite(owner.token, id, `a${index}@example.com`, ROLES[index % ROLES.length] as Role));
		}
		return parties;
	}

	it("filters by one role or several, page by page, and reads at most six rows beyond the page", { tags: ["thorough"] }, async () => {
		const { id, owner } = await givenMany();
		for (const roles of [[], ["organization-viewer"], ["organization-viewer", "organization-admin"], ROLES.slice(1), ROLES]) {
			const wanted = (await list(owner.token, id, { size: "100" })).data.filter(
				({ role }) => roles.length === 0 || roles.includes(role as Role),
			);
			const found = [];
			let cursor: string | undefined;
			do {
				const query = { size: "4", ...(roles.length > 0 && { roles }), ...(cursor !== undefined && { after: cursor }) };
				const answer = await send(listInvitations as never, { as: owner.token, path: { organizationId: id }, query });
				// One row shows whether there is a next page, one is the cursor's, and each further role reads one row ahead.
				const ahead = roles.length < ROLES.length ? Math.max(0, roles.length - 1) : 0;
				expectRows(rowsRead(answer)).atMost(4 + 2 + ahead);
				const page = expectOk(answer) as Awaited<ReturnType<typeof list>>;
				found.push(...page.data);
				cursor = page.links.next ?? undefined;
			} while (cursor !== undefined);
			expect(found).toEqual(wanted);
		}
	});

	it("pages backwards, with cursors that are valid for the same roles in any order, and for no others", async () => {
		const { id, owner } = await givenMany();
		const [viewer, admin] = ["organization-viewer", "organization-admin"];
		const first = await list(owner.token, id, { size: "4", roles: [viewer, admin] });
		const second = await list(owner.token, id, { size: "4", roles: [admin, viewer, admin], after: first.links.next });
		expect(await list(owner.token, id, { size: "4", roles: [viewer, admin], before: second.links.prev })).toMatchObject({
			data: first.data,
		});
		const other = await send(listInvitations as never, {
			as: owner.token,
			path: { organizationId: id },
			query: { roles: viewer, after: first.links.next },
		});
		expect(other).toMatchObject({ status: 400, body: { invalid_params: [{ path: "query.after", sub_code: "INVALID_CURSOR" }] } });
	});

	it("refuses an unknown role, and several in one parameter", async () => {
		const { id, owner } = await givenParties();
		for (const roles of ["owner", "organization-viewer,organization-admin", "", ["organization-viewer", "x"]]) {
			expect(await send(listInvitations as never, { as: owner.token, path: { organizationId: id }, query: { roles } })).toMatchObject({
				status: 400,
				body: { code: "INVALID_PARAMS", invalid_params: [{ sub_code: "NOT_ALLOWED" }] },
			});
		}
	});
});
