// What a repeated call gets, and which refusals a key keeps.

import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { Database, StaleWrite } from "../../../src/db/database";
import { idempotencyRecords } from "../../../src/db/idempotency.table";
import { names } from "../../../src/db/names.table";
import { purge } from "../../../src/db/purge";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { createOrganization } from "../../../src/domains/organizations/operations";
import { apiKeys, memberships, organizationMembers, organizations } from "../../../src/domains/organizations/table";
import { signOut } from "../../../src/domains/tokens/sessions/operations";
import { users } from "../../../src/domains/users/model/table";
import { expiredRecords } from "../../../src/http/idempotency/expired-records";
import { recordCheck, recordOf } from "../../../src/http/idempotency/idempotency";
import { KEPT_MS } from "../../../src/http/idempotency/idempotency-keys";
import { ApiError } from "../../../src/shared/errors";
import { homeOf, uuidv7 } from "../../../src/shared/ids";
import { call, expectOk } from "../../support/client";
import { databases } from "../../support/databases";
import { evict, inObject, runAlarm } from "../../support/durable-objects";
import { accessToken, db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { ACME, create, creating, insert, objectOf, objectOfProbe, replayed, reused, sendTo } from "../../support/idempotency";

describe("an idempotency key", () => {
	it("keeps neither the headers of a refusal nor the error format that the client asked for", async () => {
		const headers = { "idempotency-key": "k" };
		const stranger = await call(signOut, { as: await accessToken(crypto.randomUUID()), headers, body: {} });
		expect(stranger.status).toBe(401);
		expect(stranger.headers.get("www-authenticate")).toMatch(/^Bearer/);

		await create(ACME, "other");
		const problem = { ...headers, accept: "application/problem+json" };
		const as = await operatorToken();
		for (const replayed of [null, "true"]) {
			const answer = await call(createOrganization, { as, headers: problem, body: ACME });
			expect(answer).toMatchObject({ status: 409, body: { code: "ORGANIZATION_SLUG_TAKEN" } });
			expect(JSON.parse(answer.text)).toMatchObject({ title: "ORGANIZATION_SLUG_TAKEN", instance: createOrganization.path });
			expect(answer.headers.get("content-type")).toBe("application/problem+json");
			expect(answer.headers.get("idempotent-replayed")).toBe(replayed);
		}
		const plain = await create();
		expect(Object.keys(JSON.parse(plain.text) as object)).toEqual(["code", "description", "reason"]);
		expect(plain.headers.get("content-type")).toBe("application/json");
	});

	it("replays a committed answer from D1, even without its Durable Object, which stores nothing", async () => {
		const first = await create();
		const object = await objectOf();
		expect(await runAlarm(object)).toBe(false);
		await inObject(object, ({ storage }) => {
			expect(storage.sql.exec("select name from sqlite_master where name not like '_cf%'").toArray()).toEqual([]);
		});
		await evict(object);
		const second = await create();
		expect(second.text).toBe(first.text);
		expect(replayed(second)).toBe(true);
		expect(await db.select().from(organizations)).toHaveLength(1);
	});

	it("keeps a refusal sealed in its object, and repeats one from before as it is and none of a retired master key", async () => {
		await create(ACME, "other");
		const refused = await create();
		expect(refused).toMatchObject({ status: 409, body: { code: "ORGANIZATION_SLUG_TAKEN" } });
		const object = await objectOf();
		const store = (body: string, ...values: string[]) =>
			inObject(object, ({ storage }) => void storage.sql.exec(`update kept set body = ${body}`, ...values));
		const [kept] = await inObject(object, ({ storage }) => storage.sql.exec<{ body: string }>("select body from kept").toArray());
		expect(kept?.body).toMatch(/^[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
		expect((await create()).text).toBe(refused.text);
		await store("'00000000' || substr(body, 9)");
		expect(await create()).toMatchObject({ body: { code: "IDEMPOTENCY_KEY_REUSED" } });
		await store("?", refused.text);
		expect(await create()).toMatchObject({ status: 409, text: refused.text });
	});

	it("costs no round trip to D1", async () => {
		const organization = await givenOrganization();
		// In the organization's home: members of other homes cost a round trip more.
		const { token } = await givenMember(organization.id, "organization-owner", { organizationId: organization.id });
		const path = { organizationId: organization.id };
		const mint = (headers: Record<string, string>) =>
			call(createApiKey, { as: token, path, headers, body: { name: "till", scopes: ["loans:write"] } });
		const trips = ({ headers }: { headers: Headers }) => /trips=\d+/.exec(headers.get("server-timing") ?? "")?.[0];
		expect(trips(await mint({ "idempotency-key": "k" }))).toBe(trips(await mint({})));
		expect(trips(await mint({ "idempotency-key": "k" }))).toBe("trips=1");
		// A handler that commits without a read: the record's primary key makes the replay.
		expect(trips(await create())).toBe(`trips=${databases.length}`);
		expect(trips(await create())).toBe("trips=2");
	});

	it("refuses another body, whether the first read or the commit finds the answer", async () => {
		const organization = await givenOrganization();
		const { token } = await givenMember(organization.id);
		const mint = (name: string) =>
			call(createApiKey, {
				as: token,
				path: { organizationId: organization.id },
				headers: { "idempotency-key": "k" },
				body: { name, scopes: ["loans:write"] },
			});
		expect(await mint("till")).toMatchObject({ status: 201 });
		expect(await mint("another")).toMatchObject(reused);
		expect(await mint("till")).toMatchObject({ status: 201 });
		expect(await db.select().from(apiKeys)).toHaveLength(1);

		expect(await create()).toMatchObject({ status: 201 });
		expect(await create({ name: "Beta", slug: "beta" })).toMatchObject(reused);
		expect(await create({ name: "Beta", slug: "acme" })).toMatchObject(reused);
	});

	it("refuses a caller who was blocked meanwhile: replays of a commit, of a refusal and other bodies", async () => {
		const organization = await givenOrganization();
		const member = await givenMember(organization.id);
		const path = { organizationId: organization.id };
		const mint = (key: string, expires_at?: string, name = "billing") =>
			call(createApiKey, {
				as: member.token,
				path,
				headers: { "idempotency-key": key },
				body: { name, scopes: ["loans:write"], ...(expires_at && { expires_at }) },
			});
		const all = [() => mint("done"), () => mint("done", undefined, "other"), () => mint("refused", "2020-01-01T00:00:00Z")];
		const statuses = async () => (await Promise.all(all.map((one) => one()))).map(({ status }) => status);
		expect(await mint("done")).toMatchObject({ status: 201 });
		expect(await statuses()).toEqual([201, 409, 400]);
		await db.update(users).set({ blockedAt: Date.now() });
		expect(await statuses()).toEqual([403, 403, 403]);
	});

	it("keeps a 4xx that the operation decided, but not what its schemas refuse", async () => {
		expectOk(await create(ACME, "other"));
		const taken = await create();
		expect(taken).toMatchObject({ status: 409, body: { code: "ORGANIZATION_SLUG_TAKEN" } });
		await db.delete(organizations);
		await db.delete(names);
		expect((await create()).text).toBe(taken.text);
		expect(await create({ name: "Beta", slug: "beta" })).toMatchObject(reused);
		await evict(await objectOf());
		expect((await create()).text).toBe(taken.text);

		expect(await create({ name: "", slug: "acme" }, "third")).toMatchObject({ status: 400 });
		expect(await create(ACME, "third")).toMatchObject({ status: 201 });
	});

	it("keeps the refusal of a value by the operation itself, and is then bound to that body", async () => {
		const as = await operatorToken();
		const { slug: organizationId } = await givenOrganization();
		const mint = (expires_at: string) =>
			call(createApiKey, {
				as,
				path: { organizationId },
				headers: { "idempotency-key": "k" },
				body: { name: "till", scopes: ["loans:write"], expires_at },
			});
		const refused = await mint("2020-01-01T00:00:00Z");
		expect(refused).toMatchObject({ status: 400 });
		expect(replayed(refused)).toBe(false);
		const again = await mint("2020-01-01T00:00:00Z");
		expect(again.text).toBe(refused.text);
		expect(replayed(again)).toBe(true);
		expect(await mint("2120-01-01T00:00:00Z")).toMatchObject(reused);
	});

	it("keeps a success that committed nothing", async () => {
		let runs = 0;
		const op = creating(async () => ({ id: String(++runs) }));
		expect(await sendTo(op)).toMatchObject({ status: 200, body: { id: "1" } });
		await evict(await objectOfProbe());
		expect(await sendTo(op)).toMatchObject({ status: 200, body: { id: "1" } });
		expect(await sendTo(op, "b")).toMatchObject(reused);
	});

	it.each([
		["401", () => new ApiError("UNAUTHORISED")],
		["403", () => new ApiError("FORBIDDEN", { description: "no" })],
		["429", () => new ApiError("TOO_MANY_REQUESTS")],
		["503", () => new ApiError("SERVICE_UNAVAILABLE")],
		["500", () => new Error("a defect")],
		["409 after a lost race", () => new StaleWrite("stale write")],
	])("keeps no %s: the key is free for any body", async (_, refusal) => {
		let refusing = true;
		const op = creating(async (services, { name }) => {
			if (refusing) throw refusal();
			return services.commit([insert(services, name)], { id: name });
		});
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect((await sendTo(op)).status).toBeGreaterThanOrEqual(400);
		refusing = false;
		expect(await sendTo(op, "b")).toMatchObject({ status: 200, body: { id: "b" } });
	});

	it("distinguishes a lost race from a true refusal", async () => {
		const op = creating(async () => {
			throw new StaleWrite("stale write");
		});
		const lost = await sendTo(op);
		expect(lost).toMatchObject({ status: 409, body: { code: "INVALID_STATE", sub_code: "CONCURRENT_CHANGE" } });
		expect(lost.headers.get("retry-after")).toBe("1");
	});

	it("records no refusal for a caller from whom the organization is hidden", async () => {
		const { id: organizationId } = await givenOrganization();
		const user = await givenUser();
		const mint = () =>
			call(createApiKey, {
				as: user.token,
				path: { organizationId },
				headers: { "idempotency-key": "k" },
				body: { name: "till", scopes: ["loans:write"] },
			});
		expect(await mint()).toMatchObject({ status: 404 });
		const row = { organizationId, userId: user.id, role: "organization-owner", createdAt: 0 } as const;
		const id = uuidv7(0, homeOf(user.id));
		await db.insert(memberships).values({ ...row, id });
		await db.insert(organizationMembers).values({ ...row, membershipId: id, version: 1 });
		expect(await mint()).toMatchObject({ status: 201 });
	});

	it("is forgotten by D1 after seven days", async () => {
		await create();
		const session = new Database(env.DB, "first-primary");
		await purge(session, [expiredRecords(session.orm, Date.now())]);
		expect(await db.select().from(idempotencyRecords)).toHaveLength(1);
		await purge(session, [expiredRecords(session.orm, Date.now() + KEPT_MS + 1000)]);
		expect(await db.select().from(idempotencyRecords)).toEqual([]);
	});

	it("deletes an expired record when it writes the new one, unless the read has found none", () => {
		const given = () => ({ object: "o", scope: "s", fingerprint: "f", hasNoRecord: false, text: "key" });
		const writesAfter = (records: readonly unknown[] | undefined) => {
			const key = given();
			if (records) recordCheck(key, 2).accept([records]);
			return recordOf(key, { status: 200, body: null }, 2).statements.length;
		};
		const expired = { scope: "s", fingerprint: "f", status: 200, body: null, expiresAt: 1 };
		expect([writesAfter(undefined), writesAfter([expired]), writesAfter([])]).toEqual([2, 2, 1]);
	});

	it("runs again once its record has expired, even before the purge removes it", async () => {
		const first = await create();
		await db.update(idempotencyRecords).set({ expiresAt: Date.now() - 1 });
		await db.delete(organizations);
		await db.delete(names);
		const second = await create();
		expect(second).toMatchObject({ status: 201 });
		expect(second.text).not.toBe(first.text);
		expect(await create()).toMatchObject({ text: second.text });
	});
});
