import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Database } from "../../src/db/database";
import { idempotencyRecords } from "../../src/db/idempotency.table";
import { names } from "../../src/db/names.table";
import { DIRECTORY_HOME } from "../../src/db/places";
import { purge } from "../../src/db/purge";
import { createApiKey } from "../../src/domains/organizations/api-keys/operations";
import { createOrganization } from "../../src/domains/organizations/operations";
import { organizations } from "../../src/domains/organizations/table";
import { SANDBOX_ISSUER } from "../../src/domains/tokens/issuers/store";
import { signOut } from "../../src/domains/tokens/sessions/operations";
import { users } from "../../src/domains/users/table";
import { createWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { expiredRecords, findRecord, keyIn, readKey } from "../../src/http/idempotency";
import { KEPT_MS } from "../../src/http/idempotency-key";
import { call, expectOk } from "../support/client";
import { accessToken, db, givenMember, givenOrganization, operatorToken } from "../support/factories";

const body = { name: "Acme", slug: "acme" };
const create = async (sent = body, key = "k") =>
	call(createOrganization, { as: await operatorToken(), headers: { "idempotency-key": key }, body: sent });

async function objectOf(key = "k") {
	const read = await readKey(key, `operator:${SANDBOX_ISSUER}#root`, "POST", createOrganization.path, body);
	return env.IDEMPOTENCY_KEYS.getByName(read?.scope ?? "");
}

describe("an idempotency key", () => {
	it("keeps neither the headers of a refusal nor the error format that the client asked for", async () => {
		const headers = { "idempotency-key": "k" };
		const stranger = await call(signOut, { as: await accessToken(crypto.randomUUID()), headers, body: {} });
		expect(stranger.status).toBe(401);
		expect(stranger.headers.get("www-authenticate")).toMatch(/^Bearer/);

		await create(body, "other");
		const problem = { ...headers, accept: "application/problem+json" };
		const as = await operatorToken();
		for (const replayed of [null, "true"]) {
			const answer = await call(createOrganization, { as, headers: problem, body });
			expect(answer).toMatchObject({ status: 409, body: { code: "ORGANIZATION_SLUG_TAKEN" } });
			expect(JSON.parse(answer.text)).toMatchObject({ title: "ORGANIZATION_SLUG_TAKEN", instance: createOrganization.path });
			expect(answer.headers.get("content-type")).toBe("application/problem+json");
			expect(answer.headers.get("idempotent-replayed")).toBe(replayed);
		}
		const plain = await create();
		expect(Object.keys(JSON.parse(plain.text) as object)).toEqual(["code", "description"]);
		expect(plain.headers.get("content-type")).toBe("application/json");
	});

	it("replays after its Durable Object was evicted from memory", async () => {
		const first = await create();
		await evictDurableObject(await objectOf());
		const second = await create();
		expect(second.text).toBe(first.text);
		expect(second.headers.get("idempotent-replayed")).toBe("true");
	});

	it("replays from D1 when the run committed but its Durable Object has no answer", async () => {
		const first = await create();
		await runInDurableObject(await objectOf(), (_, { storage }) => storage.delete("answer"));
		const second = await create();
		expect(second.text).toBe(first.text);
		expect(second.headers.get("idempotent-replayed")).toBe("true");
		expect(await db.select().from(organizations)).toHaveLength(1);
	});

	it("refuses a caller who was blocked meanwhile, also where the answer is found in D1", async () => {
		const organization = await givenOrganization();
		const member = await givenMember(organization.id);
		const sent = { name: "billing", scopes: ["loans:write" as const] };
		const path = { organizationId: organization.id };
		const again = () => call(createApiKey, { as: member.token, path, headers: { "idempotency-key": "k" }, body: sent });
		expect((await again()).status).toBe(201);
		const key = await readKey("k", `user:${member.id}`, "POST", `/v1/organizations/${organization.id}/api-keys`, sent);
		await runInDurableObject(env.IDEMPOTENCY_KEYS.getByName(key?.scope ?? ""), async (_, { storage }) => {
			expect(await storage.delete("answer")).toBe(true);
		});
		await db.update(users).set({ blockedAt: Date.now() });
		expect(await again()).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
	});

	it("runs again when the run before ended without a commit", async () => {
		await runInDurableObject(await objectOf(), async (_, { storage }) => {
			storage.kv.put("fingerprint", (await readKey("k", "", "", "", body))?.fingerprint);
		});
		const answer = await create();
		expect(answer.status).toBe(201);
		expect(answer.headers.get("idempotent-replayed")).toBeNull();
	});

	it("lets one effect happen even when the lock is lost", async () => {
		const first = await create();
		await runInDurableObject(await objectOf(), (_, { storage }) => storage.deleteAll());
		// Only the record is left: its primary key refuses the second commit, and the first answer is read back.
		await db.delete(organizations);
		await db.delete(names);
		const second = await create();
		expect(second.text).toBe(first.text);
		expect(await db.select().from(organizations)).toEqual([]);
	});

	it("keeps a 4xx that the operation decided, but not a failed validation", async () => {
		expectOk(await create(body, "other"));
		const taken = await create();
		expect(taken).toMatchObject({ status: 409, body: { code: "ORGANIZATION_SLUG_TAKEN" } });
		await db.delete(organizations);
		await db.delete(names);
		expect((await create()).text).toBe(taken.text);

		expect(await create({ name: "", slug: "acme" }, "third")).toMatchObject({ status: 400 });
		expect(await create(body, "third")).toMatchObject({ status: 201 });
	});

	it("is rejected when empty or over 255 characters, and accepted at 255", async () => {
		expect(await create(body, "")).toMatchObject({ status: 400, body: { invalid_params: [{ path: "header.Idempotency-Key" }] } });
		expect(await create(body, "k".repeat(256))).toMatchObject({ status: 400, body: { invalid_params: [{ sub_code: "TOO_LONG" }] } });
		expect(await create(body, "k".repeat(255))).toMatchObject({ status: 201 });
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

	it("belongs to the organization that its caller names", async () => {
		const [one, other] = [await givenOrganization(), await givenOrganization()];
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

	it("does not keep a failed validation by the handler either", async () => {
		const as = await operatorToken();
		const { slug: organizationId } = await givenOrganization();
		const mint = (expires_at: string) =>
			call(createApiKey, {
				as,
				path: { organizationId },
				headers: { "idempotency-key": "k" },
				body: { name: "till", scopes: ["loans:write"], expires_at },
			});
		expect(await mint("2020-01-01T00:00:00Z")).toMatchObject({ status: 400 });
		expect(await mint("2120-01-01T00:00:00Z")).toMatchObject({ status: 201 });
	});

	it("answers that the first call is still running after ten seconds of waiting", { timeout: 20_000 }, async () => {
		const object = await objectOf();
		const { promise: first, resolve: finish } = Promise.withResolvers<{ keep: boolean; answer: { status: number; body: null } }>();
		const running = object.execute("f", () => first);
		expect(await object.execute("f", () => first)).toEqual({ kind: "in-progress" });
		finish({ keep: true, answer: { status: 204, body: null } });
		expect(await running).toMatchObject({ kind: "ran" });
		expect(await object.execute("f", () => first)).toMatchObject({ kind: "replayed" });
	});

	it("is deleted after seven days, from its Durable Object and from D1", async () => {
		await create();
		expect(await runDurableObjectAlarm(await objectOf())).toBe(true);
		await runInDurableObject(await objectOf(), async (_, { storage }) => expect((await storage.list()).size).toBe(0));
		const session = new Database(env.DB, "first-primary");
		await purge(session, [expiredRecords(session.orm, Date.now())]);
		expect(await db.select().from(idempotencyRecords)).toHaveLength(1);
		await purge(session, [expiredRecords(session.orm, Date.now() + KEPT_MS + 1000)]);
		expect(await db.select().from(idempotencyRecords)).toEqual([]);
	});

	it("does not serve an expired record, even before the purge removes it", async () => {
		await create();
		const sent = await readKey("k", `operator:${SANDBOX_ISSUER}#root`, "POST", createOrganization.path, body);
		const key = sent && keyIn(DIRECTORY_HOME, sent);
		const session = new Database(env.DB, "first-primary");
		expect(key && (await findRecord(session, key, Date.now()))).toMatchObject({ status: 201 });
		expect(key && (await findRecord(session, key, Date.now() + KEPT_MS + 1000))).toBeUndefined();
	});
});
