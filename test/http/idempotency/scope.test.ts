// Of which caller, organization and path a key is.

import { describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { addMember } from "../../../src/domains/organizations/members/operations";
import { createOrganization } from "../../../src/domains/organizations/operations";
import { organizations } from "../../../src/domains/organizations/table";
import { createWebhook } from "../../../src/domains/webhooks/endpoints/operations";
import { call, expectOk } from "../../support/client";
import { db, givenMember, givenOrganization, givenUser, newId, operatorToken } from "../../support/factories";
import { ACME, create, keyOf, replayed } from "../../support/idempotency";

describe("an idempotency key", () => {
	it("is rejected when empty or over 255 characters, and accepted at 255", async () => {
		expect(await create(ACME, "")).toMatchObject({ status: 400, body: { invalid_params: [{ path: "header.Idempotency-Key" }] } });
		expect(await create(ACME, "k".repeat(256))).toMatchObject({ status: 400, body: { invalid_params: [{ sub_code: "TOO_LONG" }] } });
		expect(await create(ACME, "k".repeat(255))).toMatchObject({ status: 201 });
	});

	it("belongs to its caller: the same key of another caller runs its own request", async () => {
		const first = await create();
		const other = await call(createOrganization, {
			as: await operatorToken("another"),
			headers: { "idempotency-key": "k" },
			body: { name: "Beta", slug: "beta" },
		});
		expect(other.status).toBe(201);
		expect(other.text).not.toBe(first.text);
	});

	it("belongs to the organization that its caller names, even if another one shares its home", async () => {
		const one = await givenOrganization();
		const other = { id: newId(one.id) };
		await db.insert(organizations).values({ id: other.id, slug: "other", name: "Other", createdAt: Date.now() });
		const as = await operatorToken();
		const register = (organization: string) =>
			call(createWebhook, {
				as,
				headers: { "idempotency-key": "k", "x-organization-id": organization },
				body: { name: "events", url: "https://127.0.0.1/hook", events: ["user.admitted"] },
			});
		const first = expectOk(await register(one.id));
		const replay = await register(one.id);
		expect(replay.headers.get("idempotent-replayed")).toBe("true");
		expect(expectOk(replay).id).toBe(first.id);
		const elsewhere = await register(other.id);
		expect(elsewhere.headers.get("idempotent-replayed")).toBeNull();
		expect(expectOk(elsewhere).id).not.toBe(first.id);
	});

	it.each(["id", "capitals", "slug"] as const)("treats an organization as the same when it is named by %s", async (form) => {
		const { id, slug } = await givenOrganization();
		const named = { id, capitals: id.toUpperCase(), slug }[form];
		const [as, { token }, user] = [await operatorToken(), await givenMember(id), await givenUser()];
		const headers = { "idempotency-key": "k" };
		const calls = {
			"a member, by the path": (organizationId: string) =>
				call(createApiKey, { as: token, path: { organizationId }, headers, body: { name: "till", scopes: ["loans:write"] } }),
			"an operator, by the path": (organizationId: string) =>
				call(addMember, { as, path: { organizationId }, headers, body: { user_id: user.id, role: "organization-admin" } }),
			"a member, by the header": (organization: string) =>
				call(createWebhook, {
					as: token,
					headers: { ...headers, "x-organization-id": organization },
					body: { name: "events", url: "https://127.0.0.1/hook", events: ["user.admitted"] },
				}),
		};
		for (const [who, send] of Object.entries(calls)) {
			expect(await send(id), who).toMatchObject({ status: 201 });
			const again = await send(named);
			expect(again, who).toMatchObject({ status: 201 });
			expect(replayed(again), who).toBe(true);
		}
	});

	it("begins its scope with the digits of its home, and keeps caller and key out of its object's name", async () => {
		const secret = `key:${"sk_secret"}`;
		const { object, scope } = await keyOf({ identity: secret }, "sk_secret");
		expect(scope).toMatch(/^000[0-9a-f]{64}$/);
		expect(object).toMatch(/^[0-9a-f]{64}:[0-9a-f]$/);
	});

	it("shares an object with the other keys of its user, and one of sixteen with those of its client", async () => {
		const objects = async (identity: string) =>
			new Set((await Promise.all(Array.from({ length: 200 }, (_, i) => keyOf({ identity }, `k${i}`)))).map(({ object }) => object)).size;
		expect(await objects("user:a")).toBe(1);
		expect(await objects("operator:a")).toBe(16);
		expect(await objects("key:a")).toBe(16);
	});
});
