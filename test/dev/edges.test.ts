// Which environments are refused for their edge, or for an address of their core.

import { describe, expect, it } from "vitest";
import { faultsOf, hostsOf } from "../../src/dev/environments.ts";
import { type Changed, changed, ofCheckout } from "./filled-in.ts";

const ADDRESSES = "every request with its whole address, and with it the secrets of callback addresses";

describe("the environments", () => {
	it("have a core without an address, near its databases, and an edge that keeps what its one entry point is asked for", () => {
		for (const [env, core] of ofCheckout.deployed) {
			const placed = core as { placement?: object };
			expect([env, hostsOf(core), core.workers_dev, core.preview_urls, placed.placement]).toEqual([
				env,
				[],
				false,
				false,
				{ region: expect.stringMatching(/^aws:eu-/) },
			]);
			// The object that sweeps the database is made where this says.
			expect(JSON.parse(String(core.vars?.PLACES))).toEqual([{ binding: "DB", region: "weur" }]);
			const edge = ofCheckout.edges.get(env) as { name?: string; exports?: object; d1_databases?: object[]; triggers?: object };
			expect(edge).toMatchObject({
				exports: { default: { type: "worker", cache: { enabled: false } }, Kept: { type: "worker", cache: { enabled: true } } },
				d1_databases: [],
			});
		}
	});
});

describe("a deployment is refused", () => {
	const host = "production.acme.test";
	it.each<[string, (edge: Changed, staging: Changed) => void, string]>([
		[
			"of another environment's core",
			(edge) => {
				edge.services = [{ binding: "CORE", service: "financial-account-service-production" }];
			},
			"CORE must be financial-account-service-staging, and is financial-account-service-production",
		],
		[
			"without a core",
			(edge) => {
				edge.services = [];
			},
			"CORE must be financial-account-service-staging, and is not bound",
		],
		[
			"at the address of another environment",
			(edge) => {
				edge.routes = [{ pattern: `${host}/*` }];
			},
			`routes names the address ${host}, which is that of [env.production]`,
		],
		[
			"at another address than BASE_URL",
			(_, staging) => {
				staging.vars = { ...staging.vars, BASE_URL: "https://other.acme.test" };
			},
			"routes is staging.acme.test, and BASE_URL of wrangler.toml is at other.acme.test",
		],
		[
			"without an address",
			(edge) => {
				edge.routes = [];
			},
			"has no route",
		],
		[
			"in another account",
			(edge) => {
				edge.account_id = "b".repeat(32);
			},
			"account_id is not that of wrangler.toml",
		],
		[
			"that traces",
			(edge) => {
				edge.observability = undefined;
			},
			`traces ${ADDRESSES}: set [observability.traces] enabled = false`,
		],
		[
			"with an address for each version",
			(edge) => {
				edge.preview_urls = undefined;
			},
			"has an address for each version: set preview_urls = false",
		],
		[
			"whose places are not those of its core",
			(edge) => {
				edge.vars = { PLACES: "[]" };
			},
			'PLACES must be that of wrangler.toml: [{"binding":"DB","region":"weur"}]',
		],
		[
			"with a core of a region without databases",
			(edge) => {
				edge.services = [...(edge.services ?? []), { binding: "CORE_APAC", service: "other" }];
			},
			"CORE_APAC is for no region of PLACES",
		],
	])("for an edge %s", (_, change, fault) => {
		const environments = changed((staging, __, edge) => change(edge, staging));
		expect(faultsOf("staging", environments)).toContain(`wrangler.edge.toml [env.staging] ${fault}`);
	});

	it("while PLACES does not say where a database is", () => {
		const environments = changed((staging) => {
			staging.d1_databases = [...(staging.d1_databases ?? []), { binding: "SHARD_0", database_id: "b".repeat(8) }];
		});
		expect(faultsOf("staging", environments)).toEqual(["[env.staging] PLACES does not say in which region SHARD_0 is"]);
	});
});
