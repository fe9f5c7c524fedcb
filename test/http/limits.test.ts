// Rate limits, approximate and exact, and the headers that state them.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Database } from "../../src/db/database";
import { purge } from "../../src/db/purge";
import { rateWindows } from "../../src/db/rate-windows.table";
import { type Access, anyone, apiKey, isPublic, member, operator, type UserCaller, user } from "../../src/http/callers/access";
import { type Limit, POLICIES } from "../../src/http/limit";
import { addressOf, expiredWindows, limit, policyOf } from "../../src/http/limits";
import { type AnyOperation, operation } from "../../src/http/operation";
import { ApiError } from "../../src/shared/errors";
import { everyDatabase } from "../support/databases";
import { operations } from "../support/domains";
import { db, givenApiKey, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { expectErrors } from "../support/log";
import { probe, whoami } from "../support/probe";
import { servePath } from "../support/serve";
import { meteredBindings } from "../support/statements";

const asked: { binding: string; key: string }[] = [];
/** A rate-limit binding that refuses when its name is in `over`. */
const binding = (name: string, over: readonly string[] = []): RateLimit => ({
	async limit({ key }) {
		asked.push({ binding: name, key: key ?? "" });
		return { success: !over.includes(name) };
	},
});
const NAMES = ["USER_LIMIT", "CLIENT_LIMIT", "ADDRESS_LIMIT", "EXCHANGE_LIMIT", "CODED_LIMIT", "HEAVY_LIMIT", "FAILURE_LIMIT"] as const;
const limited = (over: readonly string[] = []) => {
	asked.length = 0;
	return {
		vars: { RATE_LIMITS: "on", ...Object.fromEntries(NAMES.map((name) => [name, binding(name, over)])) } as Partial<Env>,
		ports: { limit },
	};
};
const posts = (limit?: Limit): AnyOperation => ({ ...whoami(anyone, "POST"), ...(limit && { limit }) });

describe("a rate limit", () => {
	it("is counted per user, API key and operator, from every address", async () => {
		const { id } = await givenOrganization();
		const someone = await givenUser();
		const callers = [
			[whoami(user), someone.token, "USER_LIMIT", `user:${someone.id}`, '"user";q=300;w=60'],
			[whoami(operator), await operatorToken(), "CLIENT_LIMIT", expect.stringMatching(/^operator:/), '"client";q=1200;w=60'],
			[
				whoami(apiKey("loans:write")),
				await givenApiKey(id, ["loans:write"]),
				"CLIENT_LIMIT",
				expect.stringMatching(/^key:/),
				'"client";q=1200;w=60',
			],
		] as const;
		for (const [op, as, name, key, policy] of callers) {
			const answer = await probe([op as AnyOperation], { as }, limited());
			expect(answer.status).toBe(200);
			expect(asked).toEqual([{ binding: name, key }]);
			expect(answer.headers.get("ratelimit-policy")).toBe(policy);
			expect(answer.headers.get("ratelimit")).toBeNull();
		}
	});

	it("answers 429 with Retry-After before the input is parsed", async () => {
		const { token } = await givenUser();
		const strict = operation({
			id: "strict",
			method: "POST",
			path: "/whoami",
			summary: "Asks for a body",
			access: user,
			request: { body: z.strictObject({ a: z.string() }) },
			response: null,
			handle: async () => undefined,
		});
		const answer = await probe([strict], { as: token, body: "{" }, limited(["USER_LIMIT"]));
		expect(answer).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(answer.headers.get("retry-after")).toBe("60");
		expect(answer.headers.get("ratelimit")).toBe('"user";r=0;t=60');
		expect(answer.headers.get("ratelimit-policy")).toBe('"user";q=300;w=60');
		// Without credentials there is no caller to count.
		expect(await probe([strict], { body: "{" }, limited(["USER_LIMIT"]))).toMatchObject({ status: 401 });
		expect(asked).toEqual([]);
		// A caller who is refused for another reason still learns the limit.
		const bad = await probe([strict], { as: token, body: "{" }, limited());
		expect(bad.status).toBe(400);
		expect(bad.headers.get("ratelimit-policy")).toBe('"user";q=300;w=60');
	});

	it("is counted before it is decided whether the subject may call, and costs refused callers no look-up", async () => {
		const { id } = await givenOrganization();
		const someone = await givenUser();
		const { vars, meter } = meteredBindings();
		for (const [op, as, name, key] of [
			[whoami(operator), someone.token, "USER_LIMIT", `user:${someone.id}`],
			[whoami(member("org:members:read")), someone.token, "USER_LIMIT", `user:${someone.id}`],
			[whoami(apiKey("repayments:write")), await givenApiKey(id, ["loans:write"]), "CLIENT_LIMIT", expect.stringMatching(/^key:/)],
		] as const) {
			const within = limited();
			expect(await probe([op as AnyOperation], { as }, within)).toMatchObject({ status: 403 });
			expect(asked).toEqual([{ binding: name, key }]);
			const before = meter.trips;
			const over = limited([name]);
			expect(await probe([op as AnyOperation], { as }, { ...over, vars: { ...vars, ...over.vars } })).toMatchObject({ status: 429 });
			expect(meter.trips).toBe(before);
		}
		expect(await probe([whoami(operator) as AnyOperation], { as: "rubbish" }, limited(["USER_LIMIT", "CLIENT_LIMIT"]))).toMatchObject({
			status: 401,
		});
	});

	it("ends the guesses of a stranger, whether they are answered 403 or 404", async () => {
		const { token } = await givenUser();
		let left = 2;
		const vars = { RATE_LIMITS: "on", USER_LIMIT: { limit: async () => ({ success: left-- > 0 }) } };
		const guess = async () => {
			const path = left % 2 === 0 ? "/v1/platform/issuers" : `/v1/accounts/${crypto.randomUUID()}`;
			return (await servePath(path, { headers: { authorization: `Bearer ${token}` } }, vars)).status;
		};
		expect([await guess(), await guess(), await guess()]).toEqual([403, 404, 429]);
	});

	it("is counted per address for public operations, and public reads have none", async () => {
		const from = (address: string) => ({ headers: { "cf-connecting-ip": address } });
		for (const [declared, name] of [
			["address", "ADDRESS_LIMIT"],
			["exchange", "EXCHANGE_LIMIT"],
			[undefined, "ADDRESS_LIMIT"],
		] as const) {
			expect(await probe([posts(declared)], from("192.0.2.7"), limited([name]))).toMatchObject({ status: 429 });
			expect(asked).toEqual([{ binding: name, key: "192.0.2.7" }]);
		}
		const read = await probe([whoami(anyone)], from("192.0.2.7"), limited(NAMES));
		expect(read.status).toBe(200);
		expect(read.headers.has("ratelimit-policy")).toBe(false);
		expect(asked).toEqual([]);
	});

	it("is counted for each coded address, because a provider sends for all from few addresses", async () => {
		const answer = await probe([posts("coded")], { headers: { "cf-connecting-ip": "192.0.2.7" } }, limited(["CODED_LIMIT"]));
		expect(answer.status).toBe(429);
		expect(answer.headers.get("ratelimit-policy")).toBe('"coded";q=600;w=60');
		expect(asked).toEqual([{ binding: "CODED_LIMIT", key: expect.stringMatching(/ \/whoami$/) }]);
		const coded = operations.filter(({ path }) => /\{(code|secret)\}/.test(path));
		expect(coded.filter((op) => op.limit !== "coded").map(({ id }) => id)).toEqual([]);
	});

	it("is counted for each caller about each thing, where thousands of rows are looked at", async () => {
		const someone = await givenUser();
		const op = { ...whoami(user), limit: "heavy" } as AnyOperation;
		expect(await probe([op], { as: someone.token }, limited(["HEAVY_LIMIT"]))).toMatchObject({ status: 429 });
		expect(asked).toEqual([{ binding: "HEAVY_LIMIT", key: `user:${someone.id} /whoami` }]);
		expect(operations.filter(({ limit }) => limit === "heavy").map(({ id }) => id)).toEqual([
			"tryIssuer",
			"tryWebhookFilter",
			"recoverWebhook",
		]);
	});

	it("counts an IPv6 /64 network as one address", () => {
		const address = (text: string) => addressOf(new Request("http://localhost", { headers: { "cf-connecting-ip": text } }));
		expect(address("2001:db8:1:2::1")).toBe("2001:db8:1:2::/64");
		expect(address("2001:db8:1:2:ffff::9")).toBe("2001:db8:1:2::/64");
		expect(address("2001:db8:1:3::1")).not.toBe("2001:db8:1:2::/64");
		expect(address("::ffff:192.0.2.7")).toBe("192.0.2.7");
		expect(address("nonsense")).toBe("unknown");
	});

	it("refuses nobody when its counter fails or when limits are off", async () => {
		expectErrors("rate limit could not be counted");
		const failing = { limit: () => Promise.reject(new Error("no counter")) };
		const options = limited();
		const vars = { ...options.vars, ADDRESS_LIMIT: failing };
		expect(await probe([posts()], {}, { ...options, vars })).toMatchObject({ status: 200 });
		const off = limited(NAMES);
		const answer = await probe([posts()], {}, { ...off, vars: { ...off.vars, RATE_LIMITS: "off" } });
		expect(answer.status).toBe(200);
		expect(answer.headers.has("ratelimit-policy")).toBe(false);
		expect(asked).toEqual([]);
	});

	it("has the same numbers in the bindings as in its headers", async () => {
		const headers = { "cf-connecting-ip": "198.51.100.1" };
		// A window may end meanwhile: then more requests than the quota are allowed, never fewer.
		const statuses: number[] = [];
		while (statuses.length < 2 * POLICIES.address.quota + 1 && statuses.at(-1) !== 429) {
			statuses.push((await probe([posts("address")], { headers }, { vars: { RATE_LIMITS: "on" }, ports: { limit } })).status);
		}
		expect(statuses.slice(0, POLICIES.address.quota).every((status) => status === 200)).toBe(true);
		expect(statuses.at(-1)).toBe(429);
		for (const name of NAMES) expect(env[name], name).toBeDefined();
	});
});

describe("an exact limit", () => {
	const apply = (access: Access<UserCaller> = user, handle?: () => Promise<undefined>) =>
		operation({
			id: "apply",
			method: "POST",
			path: "/whoami",
			summary: "Does something that is limited",
			access,
			limit: { name: "loan-applications", quota: 10, windowSeconds: 3600 },
			request: {},
			response: null,
			handle: async (_, services) => {
				await handle?.();
				return services.commit([services.db.orm.run(sql`insert into sandbox_clock (offset_ms) values (0)`)], undefined);
			},
		});
	const done = async () => (await everyDatabase.prepare("select count(*) as n from sandbox_clock").first<number>("n")) ?? 0;
	const on = limited();

	it("lets exactly its quota through, also concurrently, at no extra round trip", async () => {
		const { token } = await givenUser();
		const answers = await Promise.all(Array.from({ length: 14 }, () => probe([apply()], { as: token }, on)));
		expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(204), ...Array(4).fill(429)]);
		expect(await done()).toBe(10);
		const refused = answers.find(({ status }) => status === 429);
		expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(Number(refused?.headers.get("retry-after"))).toBeLessThanOrEqual(3600);
		expect(refused?.headers.get("ratelimit")).toMatch(/^"loan-applications";r=0;t=\d+$/);
		const other = await probe([apply()], { as: (await givenUser()).token }, on);
		expect(other.status).toBe(204);
		expect(other.headers.get("server-timing")).toContain("trips=2 ");
		expect(other.headers.get("ratelimit-policy")).toBe('"user";q=300;w=60, "loan-applications";q=10;w=3600');
	});

	it("counts neither replays nor refusals", async () => {
		const { token } = await givenUser();
		const headers = { "idempotency-key": "k" };
		for (let i = 0; i < 12; i++) expect(await probe([apply()], { as: token, headers }, on)).toMatchObject({ status: 204 });
		const fails = apply(user, () => Promise.reject(new ApiError("INVALID_STATE", { description: "no" })));
		await probe([fails], { as: token }, on);
		expect(await db.select({ uses: rateWindows.uses }).from(rateWindows)).toEqual([{ uses: 1 }]);
	});

	it("removes windows that have ended", async () => {
		await db.insert(rateWindows).values([
			{ key: "old", uses: 1, quota: 10, expiresAt: 1_000 },
			{ key: "current", uses: 1, quota: 10, expiresAt: 3_000 },
		]);
		const database = new Database(env.DB, "first-primary");
		await purge(database, [expiredWindows(database.orm, 2_000)]);
		expect(await db.select({ key: rateWindows.key }).from(rateWindows)).toEqual([{ key: "current" }]);
	});
});

describe("every operation", () => {
	it("that is public and not a read declares its limit", () => {
		const undeclared = operations.filter((op) => isPublic(op.access) && op.method !== "GET" && op.limit === undefined);
		expect(undeclared.map(({ id }) => id)).toEqual([]);
	});

	it("with an exact limit has a name for it that no other limit has", () => {
		const names = operations.flatMap(({ limit }) => (typeof limit === "object" ? [limit.name] : []));
		expect(new Set([...names, ...Object.keys(POLICIES)]).size).toBe(names.length + Object.keys(POLICIES).length);
	});
});

describe("ordinary use", () => {
	it("is far from any limit: each allows at least one call a second, except loan applications, issued statements and what is heavy", () => {
		for (const op of operations) {
			const callers = ["anyone", "user:u", "key:k", "operator:o"];
			for (const name of callers.map((caller) => policyOf(op, caller))) {
				if (name && name !== "heavy") expect(POLICIES[name].quota / POLICIES[name].windowSeconds, op.id).toBeGreaterThanOrEqual(1);
			}
		}
		const exact = operations.flatMap(({ limit }) => (typeof limit === "object" ? [limit] : []));
		expect(exact).toEqual([
			{ name: "statements", quota: 20, windowSeconds: 86_400 },
			{ name: "loan-applications", quota: 10, windowSeconds: 3600 },
		]);
	});

	it("falls under the strict limit of an address only where a message is sent", () => {
		const policies = operations.map((op) => [op.id, policyOf(op, "anyone")] as const);
		expect(policies.filter(([, name]) => name === "address").map(([id]) => id)).toEqual(["startPhoneVerification"]);
		expect(policies).toContainEqual(["exchangePhoneToken", "exchange"]);
		expect(policies).toContainEqual(["confirmPhoneVerification", "exchange"]);
	});
});
