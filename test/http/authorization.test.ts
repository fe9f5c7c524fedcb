import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { merchantGrants } from "../../src/domains/organizations/table";
import { member, memberOfPath } from "../../src/http/access";
import { relationOf } from "../../src/providers/authorization.openfga";
import { configuration } from "../../src/runtime/config";
import type { AuthorizationProvider, Question } from "../../src/runtime/ports";
import { PERMISSIONS } from "../../src/shared/permissions";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { answerOutbound, servicesFor } from "../support/outbound";
import { probe, whoami } from "../support/probe";

const OPENFGA = {
	OPENFGA_URL: "https://fga.example/",
	OPENFGA_STORE_ID: "store-1",
	OPENFGA_MODEL_ID: "model-1",
	OPENFGA_TOKEN: "fga-secret",
};
const vars = { AUTHORIZATION_PROVIDER: "openfga", ...OPENFGA };

type Check = {
	tuple_key: { user: string; relation: string; object: string };
	authorization_model_id: string;
	consistency?: string;
};
type Double = (check: Check, init: RequestInit, url: string) => Response | Promise<Response>;

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const asked: { url: string; check: Check; init: RequestInit }[] = [];
let double: Double;
/** The tuples of the fake OpenFGA, as `user relation object`. */
const tuples = new Set<string>();

beforeEach(() => {
	asked.length = 0;
	tuples.clear();
	double = ({ tuple_key: { user, relation, object } }) => json({ allowed: tuples.has(`${user} ${relation} ${object}`), resolution: "" });
	answerOutbound(async (url, init = {}) => {
		const check = JSON.parse(String(init.body)) as Check;
		asked.push({ url: String(url), check, init });
		return double(check, init, String(url));
	});
});
afterEach(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
});

async function services(realNow = Date.now()) {
	vi.useFakeTimers({ now: realNow, toFake: ["Date"] });
	const built = await servicesFor({ env: { ...env, ...vars }, ctx: { waitUntil: () => {} } });
	vi.useRealTimers();
	return built;
}

const adapters: {
	name: AuthorizationProvider["name"];
	grantMerchant: (organizationId: string, merchantId: string, userId: string) => Promise<void>;
	giveRole: (organizationId: string, userId: string) => Promise<void>;
	breakIt: () => Promise<void>;
}[] = [
	{
		name: "embedded",
		async grantMerchant(organizationId, merchantId, userId) {
			await db
				.insert(merchantGrants)
				.values({ organizationId, merchantId, userId, permission: "org:financing.invoices:write", createdAt: 1 });
		},
		giveRole: async () => {},
		async breakIt() {
			await env.DB.batch([env.DB.prepare("drop table memberships"), env.DB.prepare("drop table merchant_grants")]);
		},
	},
	{
		name: "openfga",
		async grantMerchant(_, merchantId, userId) {
			tuples.add(`user:${userId} financing_invoices_write merchant:${merchantId}`);
		},
		async giveRole(organizationId, userId) {
			tuples.add(`user:${userId} financing_invoices_write organization:${organizationId}`);
		},
		async breakIt() {
			double = () => json({ code: "internal_error" }, 500);
		},
	},
];

describe.each(adapters)("the $name authorization provider", ({ name, grantMerchant, giveRole, breakIt }) => {
	const about = (userId: string, resource: Question["resource"]): Question => ({
		subject: { userId },
		permission: "org:financing.invoices:write",
		resource,
		write: false,
	});
	const check = async (question: Question) => (await services()).providers.resourceAccess(name).check(question);

	async function given() {
		const organization = await givenOrganization();
		const admin = await givenMember(organization.id, "organization-financing-admin");
		await giveRole(organization.id, admin.id);
		return { organization, admin, ofOrganization: { type: "organization", id: organization.id } as const };
	}

	it("allows the permissions of a role in the organization", async () => {
		const { admin, ofOrganization } = await given();
		expect(await check(about(admin.id, ofOrganization))).toBe("ALLOW");
	});

	it("denies another permission, another organization, and an unknown user", async () => {
		const { admin, ofOrganization } = await given();
		const other = await givenOrganization();
		expect(await check({ ...about(admin.id, ofOrganization), permission: "org:branding:write" })).toBe("DENY");
		expect(await check(about(admin.id, { type: "organization", id: other.id }))).toBe("DENY");
		expect(await check(about(crypto.randomUUID(), ofOrganization))).toBe("DENY");
	});

	it("distinguishes merchants", async () => {
		const { organization } = await given();
		const { id: userId } = await givenUser();
		await grantMerchant(organization.id, "m-1", userId);
		const merchant = (id: string) => about(userId, { type: "merchant", id, organizationId: organization.id });
		expect(await check(merchant("m-1"))).toBe("ALLOW");
		expect(await check(merchant("m-2"))).toBe("DENY");
		expect(await check({ ...merchant("m-1"), permission: "org:financing.invoices:approve" })).toBe("DENY");
	});

	it("rejects when it cannot decide", async () => {
		const { admin, ofOrganization, organization } = await given();
		await breakIt();
		await expect(check(about(admin.id, ofOrganization))).rejects.toThrow();
		await expect(check(about(admin.id, { type: "merchant", id: "m-1", organizationId: organization.id }))).rejects.toThrow();
	});
});

describe("OpenFGA over HTTP", () => {
	const question: Question = {
		subject: { userId: "u-1" },
		permission: "org:financing.merchants:read",
		resource: { type: "organization", id: "o-1" },
		write: false,
	};
	const check = async (about: Partial<Question> = {}, at?: number) =>
		(await services(at)).providers.resourceAccess("openfga").check({ ...question, ...about });
	const hold = (about: { relation?: string; object?: string } = {}) =>
		tuples.add(`user:u-1 ${about.relation ?? "financing_merchants_read"} ${about.object ?? "organization:o-1"}`);

	it("calls the store's check with the pinned model and the token, and follows no redirect", async () => {
		hold();
		expect(await check()).toBe("ALLOW");
		const [{ url, check: sent, init } = { url: "", check: undefined, init: {} }] = asked;
		expect(url).toBe("https://fga.example/stores/store-1/check");
		expect(sent).toEqual({
			tuple_key: { user: "user:u-1", relation: "financing_merchants_read", object: "organization:o-1" },
			authorization_model_id: "model-1",
		});
		expect(init).toMatchObject({ method: "POST", redirect: "manual" });
		expect(init.headers).toEqual({ "Content-Type": "application/json", Authorization: "Bearer fga-secret" });
	});

	it("asks for higher consistency for writes, and bypasses the cache", async () => {
		await check();
		hold();
		expect(await check({ write: true })).toBe("ALLOW");
		expect(asked.at(-1)?.check.consistency).toBe("HIGHER_CONSISTENCY");
		expect(asked).toHaveLength(2);
		// Later reads use the answer of the write.
		expect(await check()).toBe("ALLOW");
		expect(asked).toHaveLength(2);
	});

	it("maps every permission to a relation of its own", () => {
		const relations = PERMISSIONS.map(relationOf);
		expect(new Set(relations).size).toBe(PERMISSIONS.length);
		for (const relation of relations) expect(relation).toMatch(/^[a-z_]{1,50}$/);
	});

	it("escapes ids, so that none reads as another object", async () => {
		await check({ resource: { type: "merchant", id: "m 1#member:x", organizationId: "o-1" } });
		expect(asked[0]?.check.tuple_key.object).toBe("merchant:m%201%23member%3Ax");
	});

	it("caches an allowance for 30 s and a denial for 5 s, by subject, permission and resource", async () => {
		const start = Date.now();
		hold();
		const denied = { permission: "org:branding:write" } as const;
		await check({}, start);
		await check(denied, start);
		expect(asked).toHaveLength(2);
		await check({}, start + 29_999);
		await check(denied, start + 4_999);
		expect(asked).toHaveLength(2);
		await check(denied, start + 5_000);
		await check({}, start + 30_000);
		expect(asked).toHaveLength(4);
		await check({ subject: { userId: "u-2" } }, start + 30_001);
		await check({ resource: { type: "organization", id: "o-2" } }, start + 30_001);
		await check({ resource: { type: "merchant", id: "o-1", organizationId: "o-1" } }, start + 30_001);
		expect(asked).toHaveLength(7);
	});

	it("tries a second time after no answer, 429 or 5xx", async () => {
		hold();
		for (const bad of [() => Promise.reject(new Error("connection lost")), () => json({}, 503), () => json({}, 429)]) {
			const before = asked.length;
			const well = double;
			double = () => {
				double = well;
				return bad();
			};
			expect(await check({ write: true })).toBe("ALLOW");
			expect(asked.length - before).toBe(2);
		}
	});

	it("gives up after the second try", async () => {
		double = () => json({}, 500);
		await expect(check()).rejects.toThrow("status 500");
		expect(asked).toHaveLength(2);
	});

	it("rejects malformed answers", async () => {
		const answers = [
			() => json({}),
			() => json({ allowed: "true" }),
			() => json([true]),
			() => new Response("allowed"),
			() => new Response(null),
			() => json({ allowed: true }, 201),
			() => json({ allowed: true }, 400),
			() => new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } }),
		];
		for (const answer of answers) {
			double = answer;
			await expect(check()).rejects.toThrow();
		}
		expect(asked).toHaveLength(answers.length);
	});

	it("waits at most 2 s for both tries together", async () => {
		const timer = new AbortController();
		const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timer.signal);
		double = (_, { signal }) =>
			new Promise((_resolve, reject) => {
				signal?.addEventListener("abort", () => reject(signal.reason));
				timer.abort(new DOMException("too slow", "TimeoutError"));
			});
		await expect(check()).rejects.toThrow("timed out");
		expect(timeout).toHaveBeenCalledExactlyOnceWith(2_000);
		expect(asked).toHaveLength(1);
	});

	it("does not cache failures", async () => {
		double = () => json({}, 500);
		await expect(check()).rejects.toThrow();
		hold();
		double = () => json({ allowed: true });
		expect(await check()).toBe("ALLOW");
	});

	it("is not called when its address is missing, and the log names the missing variable", async () => {
		const bad = configuration({ ...env, AUTHORIZATION_PROVIDER: "openfga" });
		const reason = "is required by openfga";
		await expect(bad).rejects.toMatchObject({ variables: { OPENFGA_URL: reason, OPENFGA_STORE_ID: reason, OPENFGA_MODEL_ID: reason } });
		const unconfigured = await servicesFor({ env, ctx: { waitUntil: () => {} } });
		await expect(unconfigured.providers.resourceAccess("openfga").check(question)).rejects.toThrow("not configured");
		expect(asked).toEqual([]);
	});
});

describe("members authorized by OpenFGA", () => {
	const reads = whoami(memberOfPath("org:members:read"), "GET", "/at/{organizationId}");
	const writes = whoami(member("org:webhooks:write"), "POST");

	it("need no role in D1, and a role in D1 permits nothing", async () => {
		const { id, slug } = await givenOrganization();
		const stranger = await givenUser();
		const owner = await givenMember(id, "organization-owner");
		tuples.add(`user:${stranger.id} members_read organization:${id}`);
		for (const path of [`/at/${id}`, `/at/${slug}`]) {
			expect(await probe([reads], { path, as: stranger.token }, { vars })).toMatchObject({ status: 200, body: { organizationId: id } });
			expect(await probe([reads], { path, as: owner.token }, { vars })).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		}
	});

	it("get the same answer for an organization that they do not belong to as for one that does not exist", async () => {
		const { id } = await givenOrganization();
		const stranger = await givenUser();
		const [theirs, nobodys] = [id, crypto.randomUUID()].map((path) =>
			probe([reads], { path: `/at/${path}`, as: stranger.token }, { vars }),
		);
		expect(await theirs).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		expect((await theirs)?.body).toEqual((await nobodys)?.body);
		const acting = await probe([writes], { as: stranger.token, headers: { "x-organization-id": id } }, { vars });
		expect(acting).toMatchObject({ status: 403 });
	});

	it("are refused while blocked, without asking OpenFGA", async () => {
		const { id } = await givenOrganization();
		const blocked = await givenUser({ blocked: true });
		tuples.add(`user:${blocked.id} members_read organization:${id}`);
		expect(await probe([reads], { path: `/at/${id}`, as: blocked.token }, { vars })).toMatchObject({ status: 403 });
		expect(asked).toEqual([]);
	});

	it("are checked with higher consistency when they write", async () => {
		const { id } = await givenOrganization();
		const only = await givenMember(id, "organization-viewer");
		tuples.add(`user:${only.id} webhooks_write organization:${id}`);
		expect(await probe([writes], { as: only.token }, { vars })).toMatchObject({ status: 200, body: { organizationId: id } });
		expect(asked).toMatchObject([{ check: { consistency: "HIGHER_CONSISTENCY" } }]);
	});

	it("are refused while it is down, and operators are not", async () => {
		double = () => json({}, 500);
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		expect(await probe([reads], { path: `/at/${id}`, as: owner.token }, { vars })).toMatchObject({
			status: 500,
			body: { code: "INTERNAL_SERVER_ERROR", description: "Unexpected failure" },
		});
		expect(await probe([reads], { path: `/at/${id}`, as: await operatorToken() }, { vars })).toMatchObject({ status: 200 });
	});
});
