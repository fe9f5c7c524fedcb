// Organizations over HTTP, and the waiting list.

import { describe, expect, it } from "vitest";
import { addMember } from "../../../src/domains/organizations/members/operations";
import { createOrganization, listOrganizations, updateOrganization } from "../../../src/domains/organizations/operations";
import { admitUser, getMe } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { beforeCommit } from "../../support/loans";
import { expectUser } from "../../support/profiles";

describe("organizations", () => {
	it("are created by operators, with a unique slug", async () => {
		const as = await operatorToken();
		const created = await call(createOrganization, { as, body: { name: "Acme", slug: "acme" } });
		expect(created).toMatchObject({ status: 201, body: { name: "Acme", slug: "acme" } });
		const again = await call(createOrganization, { as, body: { name: "Other", slug: "acme" } });
		expect(again).toMatchObject({ status: 409, body: { code: "ORGANIZATION_SLUG_TAKEN" } });
	});

	it("cannot be created by users", async () => {
		const { token } = await givenUser();
		expect(await call(createOrganization, { as: token, body: { name: "Acme", slug: "acme" } })).toMatchObject({ status: 403 });
		expect(await call(createOrganization, { body: { name: "Acme", slug: "acme" } })).toMatchObject({ status: 401 });
	});

	it("keep a suspension that comes in before the commit of a new name", async () => {
		const as = await operatorToken();
		const { id } = await givenOrganization();
		const change = (body: object, vars: Partial<Env> = {}) => call(updateOrganization, { as, path: { organizationId: id }, body, vars });
		const renamed = await change(
			{ name: "Acme Credit" },
			beforeCommit(async () => expectOk(await change({ status: "SUSPENDED" }))),
		);
		expect(expectOk(renamed)).toMatchObject({ name: "Acme Credit", status: "SUSPENDED" });
	});

	it("appear in /v1/me once the user is a member", async () => {
		const organization = await givenOrganization("acme");
		const user = await givenUser();
		await call(addMember, {
			as: await operatorToken(),
			path: { organizationId: "acme" },
			body: { user_id: user.id, role: "organization-admin" },
		});
		const me = await call(getMe, { as: user.token });
		expect(expectUser(me).organizations).toEqual([{ id: organization.id, slug: "acme", role: "organization-admin" }]);
		expect(me.headers.get("server-timing")).toContain("trips=1 ");
	});

	it("accept a member once, by id or slug, and reject a second membership", async () => {
		const { id, slug } = await givenOrganization();
		const user = await givenUser();
		const as = await operatorToken();
		const add = (organizationId: string, user_id = user.id) =>
			call(addMember, { as, path: { organizationId }, body: { user_id, role: "organization-viewer" } });
		const added = await add(slug);
		expect(added).toMatchObject({ status: 201 });
		expect(expectOk(added)).toMatchObject({
			id: expect.any(String),
			user_id: user.id,
			role: "organization-viewer",
			created_at: expect.stringMatching(/Z$/),
		});
		expect(await add(id.toUpperCase())).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE", description: "The user is already a member" },
		});
		expect(await add("nobodys")).toMatchObject({ status: 404 });
		expect(await add(id, crypto.randomUUID())).toMatchObject({ status: 404 });
	});

	it("cannot have a slug in the form of an id", async () => {
		const { id } = await givenOrganization();
		for (const slug of [id, crypto.randomUUID()]) {
			expect(await call(createOrganization, { as: await operatorToken(), body: { name: "Impostor", slug } })).toMatchObject({
				status: 400,
				body: { invalid_params: [{ path: "slug" }] },
			});
		}
	});

	it("replay a response byte for byte and reject another body with the same key", async () => {
		const as = await operatorToken();
		const headers = { "idempotency-key": "k1" };
		const [first, second] = await Promise.all([
			call(createOrganization, { as, headers, body: { name: "Acme", slug: "acme" } }),
			call(createOrganization, { as, headers, body: { slug: "acme", name: "Acme" } }),
		]);
		expect(first.text).toBe(second.text);
		expect([first, second].map((a) => a.headers.get("idempotent-replayed")).sort()).toEqual(["true", null].sort());
		expect(await call(createOrganization, { as, headers, body: { name: "Acme", slug: "other" } })).toMatchObject({
			status: 409,
			body: { code: "IDEMPOTENCY_KEY_REUSED" },
		});
	});
});

describe("the waiting list", () => {
	it("ends for a user when an operator admits them, and admitting twice changes nothing", async () => {
		const user = await givenUser({ status: "WAITING_LIST" });
		expect(expectUser(await call(getMe, { as: user.token })).status).toBe("WAITING_LIST");
		const as = await operatorToken();
		expect(expectOk(await call(admitUser, { as, path: { userId: user.id } })).status).toBe("ACTIVE");
		expect(expectOk(await call(admitUser, { as, path: { userId: user.id.toUpperCase() } })).status).toBe("ACTIVE");
		expect(expectUser(await call(getMe, { as: user.token })).status).toBe("ACTIVE");
	});
});

describe("the list of organizations", () => {
	it("shows operators all, newest first, or the one with the given slug", async () => {
		const [first, second] = [await givenOrganization("first"), await givenOrganization("second")];
		const as = await operatorToken();
		const list = async (query: object) => expectOk(await call(listOrganizations, { as, query })).data.map(({ id }) => id);
		expect(await list({})).toEqual([second.id, first.id]);
		expect(await list({ slug: "first" })).toEqual([first.id]);
		expect(await list({ slug: "third" })).toEqual([]);
		const page = expectOk(await call(listOrganizations, { as, query: { size: "1" } }));
		expect(await list({ size: 1, after: page.links.next })).toEqual([first.id]);
	});
});
