// API keys are shown once, expire, and end at once when they are revoked.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from "../../../../src/domains/organizations/api-keys/operations";
import { apiKeys } from "../../../../src/domains/organizations/table";
import { webhookEvents } from "../../../../src/events/table";
import { apiKey } from "../../../../src/http/callers/access";
import { SCOPES } from "../../../../src/shared/permissions";
import { call, expectOk, send } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { db, givenApiKey, givenMember, givenOrganization, operatorToken } from "../../../support/factories";
import { beforeCommit } from "../../../support/loans";
import { planOf } from "../../../support/plans";
import { probe, whoami } from "../../../support/probe";

const writesLoans = whoami(apiKey("loans:write"));
const uses = (key: string) => probe([writesLoans], { as: key });

async function givenKey() {
	const organization = await givenOrganization();
	const { token } = await givenMember(organization.id, "organization-admin");
	const path = { organizationId: organization.id };
	const key = expectOk(await call(createApiKey, { as: token, path, body: { name: "till", scopes: ["loans:write"] } }));
	return { organization, token, path, id: key.id, key: key.key ?? "" };
}

describe("what an API key may move in a day", () => {
	it("is not changed of a key that somebody else revokes before the commit", async () => {
		const { token, path, id } = await givenKey();
		const revoke = () => call(deleteApiKey, { as: token, path: { ...path, id } });
		const change = (vars: Partial<Env> = {}) =>
			call(updateApiKey, { as: token, path: { ...path, id }, body: { daily_amount: 1_000 }, vars });
		expect(expectOk(await change()).daily_amount).toBe(1_000);
		expect((await change(beforeCommit(revoke))).status).toBe(404);
	});
});

describe("creating an API key", () => {
	it("is refused beyond 100 active keys of an organization, even concurrently", async () => {
		const { organization, token, path, id } = await givenKey();
		await everyDatabase
			.prepare(
				"with recursive n(i) as (select 1 union all select i + 1 from n where i < 98) insert into api_keys (id, organization_id, name, hash, masked_key, scopes, created_by, created_at) select 'k' || i, ?, 'n', 'h', 'm', '[]', 'p', 0 from n",
			)
			.bind(organization.id)
			.run();
		const create = () => call(createApiKey, { as: token, path, body: { name: "till", scopes: ["loans:write"] } });
		const answers = await Promise.all([create(), create(), create()]);
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
		expect(await create()).toMatchObject({ status: 409, body: { code: "TOO_MANY_API_KEYS" } });
		await call(deleteApiKey, { as: token, path: { ...path, id } });
		expect(await create()).toMatchObject({ status: 201 });
	});

	it("refuses an expiry whose year UTC cannot express, and lists that are too long, with one fault each", async () => {
		const organization = await givenOrganization();
		const { token } = await givenMember(organization.id, "organization-admin");
		const path = { organizationId: organization.id };
		const valid = { name: "till", scopes: ["loans:write"] };
		const refusal = async (body: object) => (await send(createApiKey as never, { as: token, path, body })).body;
		expect(await refusal({ ...valid, expires_at: "9999-12-31T23:59:59-12:00" })).toMatchObject({
			invalid_params: [{ path: "expires_at", sub_code: "OUT_OF_RANGE" }],
		});
		expect(await refusal({ ...valid, scopes: Array(100_000).fill(0) })).toMatchObject({
			invalid_params: [{ path: "scopes", sub_code: "TOO_LONG" }],
		});
	});

	it("shows the key once and stores only its hash", async () => {
		const { organization, token, path, id, key } = await givenKey();
		expect(key).toMatch(/^sk_[\w-]{86}$/);
		const listed = await call(listApiKeys, { as: token, path, query: {} });
		expect(expectOk(listed).data).toEqual([
			{
				id,
				name: "till",
				masked_key: `sk_...${key.slice(-4)}`,
				scopes: ["loans:write"],
				daily_amount: 100_000_000,
				created_by: expect.any(String),
				created_at: expect.any(String),
				expires_at: null,
				last_used_at: null,
			},
		]);
		expect(listed.text).not.toContain(key);
		expect(JSON.stringify(await db.select().from(apiKeys))).not.toContain(key);
		expect(await uses(key)).toMatchObject({ status: 200, body: { kind: "key", keyId: id, organizationId: organization.id } });
	});

	it("repeats the key to who lost the answer, and makes one", async () => {
		const organization = await givenOrganization();
		const send = async () =>
			call(createApiKey, {
				as: await operatorToken(),
				path: { organizationId: organization.slug },
				headers: { "idempotency-key": "k" },
				body: { name: "till", scopes: ["loans:write"] },
			});
		const first = expectOk(await send());
		const replay = await send();
		expect(first.key).toBeDefined();
		expect(expectOk(replay)).toEqual(first);
		expect(replay).toMatchObject({ status: 201 });
		expect(await db.select().from(apiKeys)).toHaveLength(1);
	});

	it("accepts each existing scope once, and no other", async () => {
		const { token, path } = await givenKey();
		const make = (scopes: unknown) => send(createApiKey as never, { as: token, path, body: { name: "n", scopes } });
		expect(await make(SCOPES)).toMatchObject({ status: 201 });
		for (const [scopes, sub_code] of [
			[[], "TOO_SHORT"],
			[["loans:write", "loans:write"], "DUPLICATE"],
			[["everything"], "NOT_ALLOWED"],
		] as const) {
			expect(await make(scopes)).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS", invalid_params: [{ sub_code }] } });
		}
	});

	it("rejects an expiry in the past", async () => {
		const { token, path } = await givenKey();
		const body = { name: "n", scopes: ["loans:write" as const], expires_at: "2020-01-01T00:00:00Z" };
		expect(await call(createApiKey, { as: token, path, body })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "expires_at", sub_code: "OUT_OF_RANGE" }] },
		});
	});

	it("raises an event without the key", async () => {
		const { organization, token, path, id, key } = await givenKey();
		await call(deleteApiKey, { as: token, path: { ...path, id } });
		const events = await db.select().from(webhookEvents).orderBy(webhookEvents.sequence);
		expect(events).toMatchObject([
			{ organizationId: organization.id, eventType: "api_key.created", category: "ORGANIZATION", eventKey: `api_key.created:${id}` },
			{ organizationId: organization.id, eventType: "api_key.revoked", eventKey: `api_key.revoked:${id}` },
		]);
		for (const event of events) {
			expect(JSON.parse(event.data)).toEqual({ api_key_id: id, name: "till", masked_key: `sk_...${key.slice(-4)}` });
		}
	});
});

describe("revoking an API key", () => {
	it("is 404 when somebody else has revoked it before the commit, and raises one event", async () => {
		const { token, path, id } = await givenKey();
		const revoke = (vars: Partial<Env> = {}) => call(deleteApiKey, { as: token, path: { ...path, id }, vars });
		expect((await revoke(beforeCommit(() => revoke()))).status).toBe(404);
		const types = (await db.select().from(webhookEvents)).map(({ eventType }) => eventType);
		expect(types.filter((type) => type === "api_key.revoked")).toHaveLength(1);
	});
});

describe("listing API keys", () => {
	it("returns the keys of one organization only, newest first, in pages, through an index", async () => {
		const { token, path } = await givenKey();
		await givenKey();
		for (const name of ["b", "c"]) await call(createApiKey, { as: token, path, body: { name, scopes: ["loans:write"] } });
		const first = expectOk(await call(listApiKeys, { as: token, path, query: { size: "2" } }));
		expect(first.data.map(({ name }) => name)).toEqual(["c", "b"]);
		const second = await call(listApiKeys, { as: token, path, query: { size: "2", after: first.links.next ?? "" } });
		expect(expectOk(second)).toMatchObject({ data: [{ name: "till" }], links: { next: null } });
		expect(second.headers.get("server-timing")).toContain("trips=1 ");
		const query =
			"select * from api_keys where organization_id = ? and revoked_at is null and (created_at, id) < (?, ?) order by created_at desc, id desc limit 3";
		expect(await planOf(query, "o", 1, "i")).toEqual([expect.stringContaining("USING INDEX api_keys_list")]);
	});
});

describe("an API key", () => {
	it("is rejected as soon as it is revoked, and is revoked only once", async () => {
		const { token, path, id, key } = await givenKey();
		expect(await uses(key)).toMatchObject({ status: 200 });
		expect(await call(deleteApiKey, { as: token, path: { ...path, id } })).toMatchObject({ status: 204 });
		expect(await uses(key)).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		expect(await call(deleteApiKey, { as: token, path: { ...path, id } })).toMatchObject({ status: 404 });
		expect(expectOk(await call(listApiKeys, { as: token, path, query: {} })).data).toEqual([]);
	});

	it("cannot be revoked through another organization", async () => {
		const mine = await givenKey();
		const other = await givenKey();
		expect(await call(deleteApiKey, { as: mine.token, path: { ...mine.path, id: other.id } })).toMatchObject({ status: 404 });
		expect(await call(deleteApiKey, { as: mine.token, path: { ...other.path, id: other.id } })).toMatchObject({ status: 404 });
		expect(await uses(other.key)).toMatchObject({ status: 200 });
	});

	it("is rejected from its expiry on", async () => {
		const { id } = await givenOrganization();
		const lasting = await givenApiKey(id, ["loans:write"], { expiresAt: Date.now() + 60_000 });
		expect(await uses(lasting)).toMatchObject({ status: 200 });
		const over = await givenApiKey(id, ["loans:write"], { expiresAt: Date.now() - 1 });
		expect(await uses(over)).toMatchObject({ status: 401 });
	});

	it("gives access only to what its scopes name", async () => {
		const { id } = await givenOrganization();
		const key = await givenApiKey(
			id,
			SCOPES.filter((scope) => scope !== "loans:write"),
		);
		expect(await uses(key)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
	});

	it("is rejected when any character is changed: in the organization's id, its own id or the secret", async () => {
		const { id } = await givenOrganization();
		const key = await givenApiKey(id, ["loans:write"]);
		for (const at of [5, 30, 70]) {
			const forged = `${key.slice(0, at)}${key[at] === "A" ? "B" : "A"}${key.slice(at + 1)}`;
			expect(await uses(forged), `character ${at}`).toMatchObject({ status: 401 });
		}
	});

	it("is rejected together with a bearer token", async () => {
		const { id } = await givenOrganization();
		const key = await givenApiKey(id, ["loans:write"]);
		const answer = await probe([writesLoans], { as: key, headers: { authorization: `Bearer ${await operatorToken()}` } });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path: "header.X-API-Key", sub_code: "MUTUALLY_EXCLUSIVE" }] } });
	});

	it("has its last use recorded to the minute, at no extra round trip", async () => {
		const { id } = await givenOrganization();
		const lastUsedAt = async (key: string) => {
			const [row] = await db
				.select({ at: apiKeys.lastUsedAt })
				.from(apiKeys)
				.where(eq(apiKeys.maskedKey, `sk_...${key.slice(-4)}`));
			return row?.at;
		};
		const fresh = await givenApiKey(id, ["loans:write"]);
		const answer = await uses(fresh);
		expect(answer.headers.get("server-timing")).toMatch(/trips=1 read=\w+ written=0/);
		expect(await lastUsedAt(fresh)).toEqual(expect.any(Number));

		const justUsed = Date.now() - 50_000;
		const recent = await givenApiKey(id, ["loans:write"], { lastUsedAt: justUsed });
		await uses(recent);
		expect(await lastUsedAt(recent)).toBe(justUsed);
		const idle = await givenApiKey(id, ["loans:write"], { lastUsedAt: Date.now() - 61_000 });
		await uses(idle);
		expect(await lastUsedAt(idle)).toBeGreaterThan(justUsed);
	});
});
