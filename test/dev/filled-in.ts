// The environments of wrangler.toml once somebody has put their own values in the place of its placeholders.

import path from "node:path";
import { releaseOf } from "../../src/dev/deployment.ts";
import type { EnvironmentConfig, Environments } from "../../src/dev/environments.ts";
import { loadEnvironments } from "../../src/dev/runtime.ts";

const directory = path.resolve(import.meta.dirname, "../..");
export const ofCheckout = await loadEnvironments(directory);
export const release = releaseOf(directory, "0123456789", new Date("2026-11-22T12:34:56.789Z"));

export type Changed = { -readonly [K in keyof EnvironmentConfig]: EnvironmentConfig[K] };
const issuers = JSON.stringify([
	{ issuer: "https://login.acme.test", kind: "operator", jwks_uri: "https://login.acme.test/keys", required_amr: ["mfa"] },
]);

const signIn = JSON.stringify([{ label: "Staff", issuer: "https://login.acme.test", client_id: "console", kind: "operator" }]);

type FilledIn = Environments & { readonly deployed: Map<string, Changed>; readonly edges: Map<string, Changed> };

export function filledIn(): FilledIn {
	const fill = ([name, config]: [string, EnvironmentConfig], index: number): [string, Changed] => {
		const host = `${name}.acme.test`;
		const d1_databases = config.d1_databases?.map((one) => ({ ...one, database_id: `${index}`.padStart(8, "a") }));
		const vars = { ...config.vars, BASE_URL: `https://${host}`, TRUSTED_ISSUERS: issuers, CONSOLE_SIGN_IN: signIn };
		return [name, { ...config, account_id: accountOf(index), d1_databases: d1_databases ?? [], vars }];
	};
	const fillEdge = ([name, config]: [string, EnvironmentConfig], index: number): [string, Changed] => [
		name,
		{ ...config, account_id: accountOf(index), routes: [{ pattern: `${name}.acme.test` }] },
	];
	return {
		top: ofCheckout.top,
		deployed: new Map([...ofCheckout.deployed].map(fill)),
		edges: new Map([...ofCheckout.edges].map(fillEdge)),
	};
}

const accountOf = (index: number): string => `${index}`.padStart(32, "a");

/** Them with the environment `staging` changed; `edge` is its edge. */
export function changed(change: (staging: Changed, production: Changed, edge: Changed) => void): Environments {
	const environments = filledIn();
	const [staging, production] = ["staging", "production"].map((name) => structuredClone(environments.deployed.get(name) ?? {}));
	if (!staging || !production) throw new Error("wrangler.toml has neither");
	const edge = structuredClone(environments.edges.get("staging") ?? {});
	change(staging, production, edge);
	environments.deployed.set("staging", staging).set("production", production);
	environments.edges.set("staging", edge);
	return environments;
}
