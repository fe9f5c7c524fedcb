// For which organization a call acts, and who may act for it.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { memberships } from "../../../src/domains/organizations/table";
import { createWebhook, listWebhooks } from "../../../src/domains/webhooks/endpoints/operations";
import { apiKey, member, memberOfPath, oneOf, operator, user } from "../../../src/http/callers/access";
import { PERMISSIONS, ROLES, rolePermits } from "../../../src/shared/permissions";
import { call, expectOk } from "../../support/client";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, newId, operatorToken } from "../../support/factories";
import { probe, whoami } from "../../support/probe";

const reads = whoami(member("org:members:read"));
const writes = whoami(member("org:members:read"), "POST");
const ofPath = whoami(memberOfPath("org:members:read"), "GET", "/at/{organizationId}");
const acting = (as: string, organization?: string, op: typeof reads = reads) =>
	probe([op], { as, ...(organization !== undefined && { headers: { "x-organization-id": organization } }) });
const at = (as: string, organization: string) => probe([ofPath], { as, path: `/at/${organization}` });

async function join(userId: string, organizationId: string) {
	const row = { id: newId(userId), organizationId, userId, role: "organization-owner", createdAt: 1 } as const;
	await db.insert(memberships).values(row);
}

/** An organization whose slug is the id of another one. */
describe("the organization a member acts for", () => {
	it("is the only organization of which they are a member", async () => {
		const { id } = await givenOrganization();
		const { id: userId, token } = await givenMember(id);
		expect(await acting(token)).toMatchObject({ status: 200, body: { kind: "member", userId, organizationId: id } });
	});

	it("must be named when there are several: by id in either case, or by slug", async () => {
		const [one, two] = [await givenOrganization(), await givenOrganization()];
		const { id, token } = await givenMember(one.id);
		await join(id, two.id);
		for (const op of [reads, writes]) {
			expect(await acting(token, undefined, op)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
			for (const name of [two.id, two.id.toUpperCase(), two.slug]) {
				expect(await acting(token, name, op)).toMatchObject({ status: 200, body: { organizationId: two.id } });
			}
		}
		expect(await at(token, one.slug)).toMatchObject({ status: 200, body: { organizationId: one.id } });
	});

	it("is refused for a user without a membership", async () => {
		const { token } = await givenUser();
		expect(await acting(token)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
	});

	it("is refused to outsiders: 403 by header and 404 by path, whether it exists or not", async () => {
		const theirs = await givenOrganization();
		const { token } = await givenMember((await givenOrganization()).id);
		const absent = { id: crypto.randomUUID(), slug: "nobodys" };
		for (const name of ["id", "slug"] as const) {
			for (const op of [reads, writes]) {
				const [one, other] = [await acting(token, theirs[name], op), await acting(token, absent[name], op)];
				expect(one).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
				expect(one.body).toEqual(other.body);
			}
			const [one, other] = [await at(token, theirs[name]), await at(token, absent[name])];
			expect(one).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
			expect(one.body).toEqual(other.body);
		}
	});

	it("is refused once the role is removed, from the next write on", async () => {
		const { id } = await givenOrganization();
		const { token } = await givenMember(id);
		expect(await acting(token)).toMatchObject({ status: 200 });
		await db.delete(memberships);
		expect(await acting(token, undefined, writes)).toMatchObject({ status: 403 });
		expect(await acting(token)).toMatchObject({ status: 403 });
	});

	it("may have changed since it was cached: input and replays are still checked", async () => {
		const [before, after] = [await givenOrganization(), await givenOrganization()];
		const { id, token } = await givenMember(before.id);
		const headers = { "idempotency-key": "k" };
		const endpoint = { name: "events", url: "https://127.0.0.1/hook", events: ["user.admitted"] };
		const first = await call(createWebhook, { as: token, headers, body: endpoint });
		expect(first.status).toBe(201);
		await db.update(memberships).set({ organizationId: after.id }).where(eq(memberships.userId, id));
		expect(await call(createWebhook, { as: token, body: { ...endpoint, url: "" } })).toMatchObject({ status: 400 });
		await acting(token);
		await db.update(memberships).set({ organizationId: before.id }).where(eq(memberships.userId, id));
		expect(await call(createWebhook, { as: token, headers, body: endpoint })).toMatchObject({ status: 201 });
		expect(expectOk(await call(listWebhooks, { as: token })).length).toBe(1);
	});

	it("costs no extra round trip, except for a slug that is not cached yet", async () => {
		const { id, slug } = await givenOrganization();
		const { token } = await givenMember(id);
		const trips = async (as: string, name: string) => (await acting(as, name, writes)).headers.get("server-timing");
		// The one trip is the authorization check, which would ride with the operation's own read if it had one.
		for (const as of [token, await operatorToken()]) {
			expect(await trips(as, id)).toContain("trips=1 ");
			await trips(as, slug);
			expect(await trips(as, slug)).toContain("trips=1 ");
		}
	});
});

describe("operators", () => {
	it("may act for any organization that exists, and must name it", async () => {
		const as = await operatorToken();
		const { id, slug } = await givenOrganization();
		for (const name of [id, slug]) {
			expect(await acting(as, name)).toMatchObject({ status: 200, body: { kind: "operator", organizationId: id } });
			expect(await at(as, name)).toMatchObject({ status: 200, body: { kind: "operator", organizationId: id } });
		}
		expect(await acting(as)).toMatchObject({ status: 403 });
		for (const absent of [crypto.randomUUID(), "nobodys"]) {
			expect(await acting(as, absent)).toMatchObject({ status: 403 });
			expect(await at(as, absent)).toMatchObject({ status: 404 });
		}
	});

	it("need not name one where the operation is also open to operators", async () => {
		const { id } = await givenOrganization();
		const either = whoami(oneOf(operator, member("org:members:read")));
		const as = await operatorToken();
		expect(await acting(as, undefined, either as never)).toMatchObject({ status: 200, body: { kind: "operator" } });
		expect(await acting(as, id, either as never)).toMatchObject({ status: 200, body: { kind: "operator", organizationId: id } });
	});
});

describe("an operation with several kinds of callers", () => {
	const open = whoami(oneOf(user, member("org:members:read"), apiKey("loans:write")));

	it("is called by users for themselves unless they name an organization", async () => {
		const { id } = await givenOrganization();
		const { id: userId, token } = await givenMember(id);
		expect((await acting(token, undefined, open as never)).body).toEqual({ kind: "user", userId, sessionId: null });
		expect((await acting(token, id, open as never)).body).toEqual({ kind: "member", userId, organizationId: id });
		const viewer = await givenMember(id, "organization-financing-viewer");
		expect(await acting(viewer.token, id, open as never)).toMatchObject({ status: 403 });
		expect(await acting(viewer.token, undefined, open as never)).toMatchObject({ status: 200 });
	});

	it("accepts an API key for the key's own organization, with any header", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const key = await givenApiKey(mine.id, ["loans:write"]);
		expect(await acting(key, other.id, open as never)).toMatchObject({ status: 200, body: { kind: "key", organizationId: mine.id } });
	});
});

describe("roles", () => {
	it("allow exactly what their permissions allow", async () => {
		const { id } = await givenOrganization();
		for (const role of ROLES) {
			const { token } = await givenMember(id, role);
			for (const permission of PERMISSIONS) {
				const { status } = await acting(token, undefined, whoami(member(permission)) as never);
				expect(status, `${role} ${permission}`).toBe(rolePermits(role, permission) ? 200 : 403);
			}
		}
	});
});
