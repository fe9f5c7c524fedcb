// Databases in two regions: where a new organization's home is, and which core serves whom. The second database of the tests is bound as
// SHARD_0; with HOMES=3 there is a third one.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Places } from "../../src/db/places";
import { createOrganization, getOrganization, listOrganizations } from "../../src/domains/organizations/operations";
import edge from "../../src/edge";
import { coreFor } from "../../src/runtime/cores";
import { homeOf, uuidv7 } from "../../src/shared/ids";
import { SCOPES } from "../../src/shared/permissions";
import { call, expectOk } from "../support/client";
import { environmentWith } from "../support/environments";
import { givenApiKey, givenOrganization, operatorToken } from "../support/factories";
import { expectErrors } from "../support/log";
import { openSecond, SECOND, sessionToken } from "../support/two-homes";

const PLACES = JSON.stringify([
	{ binding: "DB", region: "weur" },
	{ binding: "SHARD_0", region: "apac" },
	{ binding: "SHARD_1", region: "weur" },
]);
const vars = { ...SECOND, PLACES };
const places = new Places(environmentWith(vars));
const regionOf = (id: string) => places.of(homeOf(id)).region;

beforeEach(openSecond);

const create = async (slug: string, region?: string) =>
	call(createOrganization, { as: await operatorToken(), body: { name: slug, slug, ...(region && { region }) }, vars });

describe("a new organization", () => {
	it("has its home in the region that it names, else in the first, and shows which", async () => {
		for (const [slug, region] of [
			["in-asia", "apac"],
			["in-europe", "weur"],
			["by-default", undefined],
		] as const) {
			const made = expectOk(await create(slug, region));
			const expected = region ?? "weur";
			expect([made.region, regionOf(made.id)]).toEqual([expected, expected]);
			const as = await operatorToken();
			const read = expectOk(await call(getOrganization, { as, path: { organizationId: made.id }, vars }));
			const { data } = expectOk(await call(listOrganizations, { as, query: { slug }, vars }));
			expect([read.region, data.map((one) => one.region)]).toEqual([expected, [expected]]);
		}
	});

	it("is refused for a region without a database, and for any where there is one region", async () => {
		expect(await create("nowhere", "enam")).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "body.region", reason: "must be one of weur, apac", sub_code: "NOT_ALLOWED" }] },
		});
		const as = await operatorToken();
		const alone = await call(createOrganization, { as, body: { name: "A", slug: "a", region: "weur" }, vars: SECOND });
		expect(alone).toMatchObject({ status: 400, body: { invalid_params: [{ path: "body.region" }] } });
		expect(expectOk(await call(createOrganization, { as, body: { name: "A", slug: "a" }, vars: SECOND })).region).toBeNull();
	});
});

describe("homes", () => {
	const database = env.DB;
	const three = (texts: object) => new Places({ ...env, SHARD_0: database, SHARD_1: database, ...texts } as Env);
	const dealt = (some: Places, region?: string) => new Set(Array.from({ length: 8 }, () => some.of(some.deal(region)).name));

	it("are dealt among the databases of the region in turn, and in the directory only where it is alone there", () => {
		expect(dealt(three({ PLACES }))).toEqual(new Set(["SHARD_1"]));
		expect(dealt(three({ PLACES }), "apac")).toEqual(new Set(["SHARD_0"]));
		expect(dealt(three({}))).toEqual(new Set(["SHARD_0", "SHARD_1"]));
		const two = JSON.stringify([
			{ binding: "DB", region: "weur" },
			{ binding: "SHARD_0", region: "apac" },
			{ binding: "SHARD_1", region: "apac" },
		]);
		expect(dealt(three({ PLACES: two }))).toEqual(new Set(["DB"]));
		expect(dealt(three({ PLACES: two }), "apac")).toEqual(new Set(["SHARD_0", "SHARD_1"]));
	});

	it.each([
		'{"binding":"DB"}',
		'[{"binding":"DB","region":"mars"}]',
		'[{"binding":"DB","region":"weur"},{"binding":"DB","region":"apac"}]',
	])("are not dealt by what is no list of places: %s", async (text) => {
		expectErrors("configuration is missing or malformed: PLACES");
		expect(await call(listOrganizations, { as: await operatorToken(), query: {}, vars: { PLACES: text } })).toMatchObject({ status: 503 });
	});
});

describe("the core that serves a call", () => {
	const asked: string[] = [];
	const coreNamed = (name: string) => ({
		fetch: async () => {
			asked.push(name);
			return new Response();
		},
	});
	const cores = { CORE: coreNamed("beside the directory"), CORE_APAC: coreNamed("in apac"), PLACES };
	beforeEach(() => {
		asked.length = 0;
	});
	const servedBy = async (headers: Record<string, string>) => {
		await edge.fetch(new Request("https://api.test/v1/me", { method: "POST", headers }), cores, { exports: {} as never });
		return asked.splice(0);
	};
	const inAsia = uuidv7(Date.now(), 64);
	const inEurope = uuidv7(Date.now(), 0);

	it("is that of the acting organization's home, else of the user's, or of the organization of an API key", async () => {
		const user = { authorization: `Bearer ${await sessionToken(inAsia)}` };
		expect(await servedBy(user)).toEqual(["in apac"]);
		expect(await servedBy({ ...user, "x-organization-id": inEurope })).toEqual(["beside the directory"]);
		expect(await servedBy({ ...user, "x-organization-id": "a-slug" })).toEqual(["in apac"]);
		expect(await servedBy({ authorization: `Bearer ${await sessionToken(inEurope)}`, "x-organization-id": inAsia })).toEqual(["in apac"]);
		const { id } = await givenOrganization();
		const key = await givenApiKey(id, SCOPES);
		expect(await servedBy({ "x-api-key": key })).toEqual([regionOf(id) === "apac" ? "in apac" : "beside the directory"]);
	});

	it("is near the directory for everybody else, and where no core is bound for the region", async () => {
		for (const headers of [{}, { authorization: "Bearer a.b.c" }, { authorization: "Basic x" }, { "x-api-key": "sk_short" }])
			expect(await servedBy(headers as Record<string, string>)).toEqual(["beside the directory"]);
		const token = { headers: new Headers({ authorization: `Bearer ${await sessionToken(inAsia)}` }) };
		expect(coreFor(token, { CORE: cores.CORE, PLACES })).toBe(cores.CORE);
		expect(coreFor(token, { CORE: cores.CORE })).toBe(cores.CORE);
	});
});
