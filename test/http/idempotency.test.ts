import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { Database, StaleWrite } from "../../src/db/database";
import { idempotencyRecords } from "../../src/db/idempotency.table";
import { names } from "../../src/db/names.table";
import { DIRECTORY_HOME } from "../../src/db/places";
import { purge } from "../../src/db/purge";
import { createApiKey } from "../../src/domains/organizations/api-keys/operations";
import { addMember } from "../../src/domains/organizations/members/operations";
import { createOrganization } from "../../src/domains/organizations/operations";
import { apiKeys, memberships, organizations } from "../../src/domains/organizations/table";
import { SANDBOX_ISSUER } from "../../src/domains/tokens/issuers/store";
import { signOut } from "../../src/domains/tokens/sessions/operations";
import { users } from "../../src/domains/users/table";
import { createWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { operator } from "../../src/http/access";
import { expiredRecords, type KeyedCall, readKey } from "../../src/http/idempotency";
import { type Claim, KEPT_MS, MAX_RUNS } from "../../src/http/idempotency-keys";
import { operation } from "../../src/http/operation";
import type { Services } from "../../src/runtime/services";
import { ApiError, badInput } from "../../src/shared/errors";
import { homeOf, uuidv7 } from "../../src/shared/ids";
import { call, expectOk } from "../support/client";
import { databases } from "../support/databases";
import { accessToken, db, givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { type Probed, probe } from "../support/probe";
import { testEnv } from "../support/storage";

const body = { name: "Acme", slug: "acme" };
const create = async (sent = body, key = "k") =>
	call(createOrganization, { as: await operatorToken(), headers: { "idempotency-key": key }, body: sent });

const root = { caller: { kind: "operator", operatorId: `${SANDBOX_ISSUER}#root` }, identity: `operator:${SANDBOX_ISSUER}#root` } as const;
const keyOf = (call: Partial<KeyedCall> = {}, header = "k") =>
	readKey(header, { op: createOrganization, ...root, home: DIRECTORY_HOME, path: {}, body, ...call });
const objectOf = async (call?: Partial<KeyedCall>, header?: string) =>
	testEnv.IDEMPOTENCY_KEYS.getByName((await keyOf(call, header)).object);

const replayed = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed") === "true";
const reused = { status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } };

/** Operations of an operator who creates an organization in a way of the test's own. */
const creating = (handle: (services: Services, sent: { name: string }) => Promise<{ id: string }>) =>
	operation({
		id: "create",
		method: "POST",
		path: "/whoami",
		summary: "Creates something",
		access: operator,
		home: "directory",
		request: { body: z.object({ name: z.string() }) },
		response: z.object({ id: z.string() }),
		handle: ({ body }, services) => handle(services, body),
	});
const insert = ({ db }: Services, id: string) => db.orm.insert(organizations).values({ id, slug: id, name: id, createdAt: 0 });
const sendTo = async (op: ReturnType<typeof creating>, name = "a", key = "k", vars: Partial<Env> = {}): Promise<Probed> => {
	const headers = { "idempotency-key": key, "content-type": "application/json" };
	return probe([op], { as: await operatorToken(), headers, body: JSON.stringify({ name }) }, { vars });
};
/** Kills the caller's object as a deployment does. */
const loseObjectOfProbe = async (key?: string) => {
	const lost = runInDurableObject(await objectOfProbe(key), (_, state) => state.abort("lost"));
	await lost.catch(() => {});
};
const objectOfProbe = (key?: string) => objectOf({ op: { method: "POST", path: "/whoami" } }, key);

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

	it("replays from D1 what was committed, whatever became of its Durable Object, which stores nothing", async () => {
		const first = await create();
		const object = await objectOf();
		expect(await runDurableObjectAlarm(object)).toBe(false);
		await runInDurableObject(object, (_, { storage }) => {
			expect(storage.sql.exec("select name from sqlite_master where name not like '_cf%'").toArray()).toEqual([]);
		});
		await evictDurableObject(object);
		const second = await create();
		expect(second.text).toBe(first.text);
		expect(replayed(second)).toBe(true);
		expect(await db.select().from(organizations)).toHaveLength(1);
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

	it("refuses another body, where the answer is found in the first read and where it is found in the commit", async () => {
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

	it("lets one effect happen even when the lock is lost", async () => {
		const first = await create();
		await evictDurableObject(await objectOf());
		// Only the record is left: its primary key refuses the second commit, and the first answer is read back.
		await db.delete(organizations);
		await db.delete(names);
		const second = await create();
		expect(second.text).toBe(first.text);
		expect(await db.select().from(organizations)).toEqual([]);
	});

	it("keeps a 4xx that the operation decided, but not what its schemas refuse", async () => {
		expectOk(await create(body, "other"));
		const taken = await create();
		expect(taken).toMatchObject({ status: 409, body: { code: "ORGANIZATION_SLUG_TAKEN" } });
		await db.delete(organizations);
		await db.delete(names);
		expect((await create()).text).toBe(taken.text);
		expect(await create({ name: "Beta", slug: "beta" })).toMatchObject(reused);
		await evictDurableObject(await objectOf());
		expect((await create()).text).toBe(taken.text);

		expect(await create({ name: "", slug: "acme" }, "third")).toMatchObject({ status: 400 });
		expect(await create(body, "third")).toMatchObject({ status: 201 });
	});

	it("keeps a value that the operation itself refuses, and is then bound to that body", async () => {
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
		await evictDurableObject(await objectOfProbe());
		expect(await sendTo(op)).toMatchObject({ status: 200, body: { id: "1" } });
		expect(await sendTo(op, "b")).toMatchObject(reused);
	});

	it.each([
		["401", () => new ApiError("UNAUTHORISED")],
		["403", () => new ApiError("FORBIDDEN")],
		["429", () => new ApiError("TOO_MANY_REQUESTS")],
		["503", () => new ApiError("SERVICE_UNAVAILABLE")],
		["500", () => new Error("a defect")],
		["409 of a lost race", () => new StaleWrite("stale write")],
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

	it("keeps no refusal of a stranger, whom the organization is hidden from", async () => {
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
		await db
			.insert(memberships)
			.values({ organizationId, userId: user.id, role: "organization-owner", createdAt: 0, id: uuidv7(0, homeOf(user.id)) });
		expect(await mint()).toMatchObject({ status: 201 });
	});

	it("is bound to a committed record even after a failure", async () => {
		let failing = true;
		const op = creating(async (services, { name }) => {
			const answer = await services.commit([insert(services, name)], { id: name });
			if (failing) throw new Error("after the commit");
			return answer;
		});
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect(await sendTo(op)).toMatchObject({ status: 500 });
		failing = false;
		expect(await sendTo(op, "b")).toMatchObject(reused);
		const replay = await sendTo(op);
		expect(replay).toMatchObject({ status: 200, body: { id: "a" } });
		expect(replayed(replay)).toBe(true);
	});

	it("answers normally when its Durable Object is lost in mid-run, and replays a commit", async () => {
		let runs = 0;
		const op = creating(async (services, { name }) => {
			runs++;
			await loseObjectOfProbe(name === "refused" ? "another" : "k");
			if (name === "refused") throw badInput("name", "is refused", "NOT_ALLOWED");
			return services.commit([insert(services, name)], { id: name });
		});
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect(await sendTo(op)).toMatchObject({ status: 200, body: { id: "a" } });
		const replay = await sendTo(op);
		expect(replay).toMatchObject({ status: 200, body: { id: "a" } });
		expect(replayed(replay)).toBe(true);

		runs = 0;
		for (let i = 1; i <= 2; i++) {
			expect(await sendTo(op, "refused", "another")).toMatchObject({ status: 400 });
			expect(runs).toBe(i);
		}
	});

	it("lets one of 20 identical calls run, and gives all the same answer", async () => {
		const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		expect(answers.filter(replayed)).toHaveLength(19);
		expect(await db.select().from(organizations)).toHaveLength(1);
	});

	it("lets 20 identical calls have one effect without any lock, and gives all the same answer", async () => {
		const unlocked = { getByName: () => testEnv.IDEMPOTENCY_KEYS.getByName(crypto.randomUUID()) } as unknown as Env["IDEMPOTENCY_KEYS"];
		const op = creating((services, { name }) => services.commit([insert(services, name)], { id: services.newId() }));
		const answers = await Promise.all(Array.from({ length: 20 }, () => sendTo(op, "a", "k", { IDEMPOTENCY_KEYS: unlocked })));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
		expect(answers.filter(replayed)).toHaveLength(19);
	});

	it("gives a waiting call the refusal of the first, and refuses another body at once", async () => {
		const { promise: goOn, resolve } = Promise.withResolvers<void>();
		const { promise: started, resolve: start } = Promise.withResolvers<void>();
		let runs = 0;
		const op = creating(async () => {
			runs++;
			start();
			await goOn;
			throw new ApiError("INVALID_STATE");
		});
		const first = sendTo(op);
		await started;
		const waiting = sendTo(op);
		expect(await sendTo(op, "b")).toMatchObject(reused);
		resolve();
		expect(await Promise.all([first, waiting])).toMatchObject([{ status: 409 }, { status: 409, body: (await first).body }]);
		expect(replayed(await waiting)).toBe(true);
		expect(runs).toBe(1);
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

	it.each(["id", "capitals", "slug"] as const)("counts an organization named by its %s as what it names", async (form) => {
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

	it("is forgotten by D1 after seven days", async () => {
		await create();
		const session = new Database(env.DB, "first-primary");
		await purge(session, [expiredRecords(session.orm, Date.now())]);
		expect(await db.select().from(idempotencyRecords)).toHaveLength(1);
		await purge(session, [expiredRecords(session.orm, Date.now() + KEPT_MS + 1000)]);
		expect(await db.select().from(idempotencyRecords)).toEqual([]);
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

	it("begins its scope with the digits of its home, and names neither caller nor key in its object", async () => {
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

describe("the Durable Object of a caller's keys", () => {
	const answer = { status: 409, body: "{}" };
	const claim = async (scope = "s", fingerprint = "f") => (await objectOf()).claim(scope, fingerprint);
	const started = async (scope?: string) => {
		const claimed = await claim(scope);
		if (claimed.kind !== "run") throw new Error(`expected to run, got ${claimed.kind}`);
		return claimed;
	};
	const rows = async () =>
		runInDurableObject(await objectOf(), (_, { storage }) => storage.sql.exec("select scope, id from kept order by id").toArray());

	it("frees the key of a run whose Worker is gone", async () => {
		const first = await started();
		const waiting = claim();
		first[Symbol.dispose]();
		expect(await waiting).toMatchObject({ kind: "run" });
	});

	it("answers that the first call is still running after ten seconds of waiting", { timeout: 20_000 }, async () => {
		using first = await started();
		const began = Date.now();
		expect(await claim()).toEqual({ kind: "in-progress" });
		expect(Date.now() - began).toBeGreaterThanOrEqual(9_900);
		await first.run.endRecorded(answer);
	});

	it("holds no lock after a run, and refuses more than it can hold", { timeout: 20_000 }, async () => {
		const object = await objectOf();
		for (let i = 0; i < 3; i++) {
			using run = await started();
			await run.run.endRecorded(answer);
		}
		await runInDurableObject(object, async (instance) => {
			const kinds = async (count: number, from: number) => {
				const claims: Claim[] = [];
				for (let i = 0; i < count; i++) claims.push(await instance.claim(`s${from + i}`, "f"));
				return new Set(claims.map(({ kind }) => kind));
			};
			expect(await kinds(MAX_RUNS, 0)).toEqual(new Set(["run"]));
			expect(await kinds(1, MAX_RUNS)).toEqual(new Set(["too-many"]));
		});
	});

	it("forgets an answer seven days later, and sleeps until then", async () => {
		for (const scope of ["one", "two"]) {
			using run = await started(scope);
			await run.run.endUnrecorded(answer);
		}
		const object = await objectOf();
		const expire = (scope: string) =>
			runInDurableObject(object, (_, { storage }) => void storage.sql.exec("update kept set expires_at = 1 where scope = ?", scope));
		const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
		const due = await alarm();
		expect(due).toBeGreaterThan(Date.now() + KEPT_MS - 60_000);

		await expire("one");
		expect(await claim("one")).toMatchObject({ kind: "run" });
		expect(await runDurableObjectAlarm(object)).toBe(true);
		expect((await rows()).map(({ scope }) => scope)).toEqual(["two"]);
		expect(await alarm()).toBeGreaterThanOrEqual(due ?? 0);
		expect(await claim("two")).toEqual({ kind: "replay", answer });

		await expire("two");
		expect(await runDurableObjectAlarm(object)).toBe(true);
		await runInDurableObject(object, (_, { storage }) => {
			expect(storage.sql.exec("select name from sqlite_master where name = 'kept'").toArray()).toEqual([]);
		});
		expect(await alarm()).toBeNull();
		using again = await started("two");
		await again.run.endUnrecorded(answer);
		expect(await claim("two")).toEqual({ kind: "replay", answer });
	});

	it("stores the last ten thousand answers", async () => {
		const keep = async (scope: string) => {
			using run = await started(scope);
			await run.run.endUnrecorded(answer);
		};
		await keep("old");
		await keep("young");
		await runInDurableObject(
			await objectOf(),
			(_, { storage }) => void storage.sql.exec("update kept set id = 10001 where scope = 'young'"),
		);
		await keep("new");
		expect((await rows()).map(({ scope }) => scope)).toEqual(["young", "new"]);
	});
});
