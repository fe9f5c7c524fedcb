// The environments of wrangler.toml once somebody has put their own values in the place of its placeholders.

import path from "node:path";
import { releaseOf } from "../../src/dev/deployment.ts";
import type { EnvironmentConfig, Environments } from "../../src/dev/environments.ts";
import { loadEnvironments } from "../../src/dev/runtime.ts";

const directory = path.resolve(import.meta.dirname, "../..");
export const ofCheckout = await loadEnvironments(path.join(directory, "wrangler.toml"));
export const release = releaseOf(directory, "0123456789", new Date("2026-11-22T12:34:56.789Z"));

export type Changed = { -readonly [K in keyof EnvironmentConfig]: EnvironmentConfig[K] };
const issuers = JSON.stringify([
	{ issuer: "https://login.acme.test", kind: "operator", jwks_uri: "https://login.acme.test/keys", required_amr: ["mfa"] },
]);

const signIn = JSON.stringify([{ label: "Staff", issuer: "https://login.acme.test", client_id: "console", kind: "operator" }]);

export function filledIn(): Environments & { readonly deployed: Map<string, Changed> } {
	const fill = ([name, config]: [string, EnvironmentConfig], index: number): [string, Changed] => {
		const host = `${name}.acme.test`;
		const d1_databases = config.d1_databases?.map((one) => ({ ...one, database_id: `${index}`.padStart(8, "a") }));
		const vars = { ...config.vars, BASE_URL: `https://${host}`, TRUSTED_ISSUERS: issuers, CONSOLE_SIGN_IN: signIn };
		return [
			name,
			{ ...config, account_id: `${index}`.padStart(32, "a"), d1_databases: d1_databases ?? [], routes: [{ pattern: host }], vars },
		];
	};
	return { top: ofCheckout.top, deployed: new Map([...ofCheckout.deployed].map(fill)) };
}

/** Them with the environment `staging` changed. */
export function changed(change: (staging: Changed, production: Changed) => void): Environments {
	const environments = filledIn();
	const [staging, production] = ["staging", "production"].map((name) => structuredClone(environments.deployed.get(name) ?? {}));
	if (!staging || !production) throw new Error("wrangler.toml has neither");
	change(staging, production);
	environments.deployed.set("staging", staging).set("production", production);
	return environments;
}
