// The configuration of the Worker under test: the local environment, with new keys for each run.

import { generateKeyPairSync, randomBytes } from "node:crypto";

/** To make one takes longer than most tests, so that the processes of a run inherit it. */
function serviceKey(): object {
	process.env.TEST_SERVICE_KEY ??= JSON.stringify(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }));
	return JSON.parse(process.env.TEST_SERVICE_KEY) as object;
}

export function workerVars(): Record<string, string> {
	return {
		ENVIRONMENT: "local",
		SERVICE_KEYS: JSON.stringify({ keys: [{ ...serviceKey(), kid: "test-1", alg: "RS256", use: "sig" }] }),
		MASTER_KEY: randomBytes(32).toString("base64"),
		TRUSTED_ISSUERS: JSON.stringify([
			{
				issuer: "https://partner.example",
				kind: "partner",
				jwks_uri: "https://partner.example/jwks.json",
				organization_id: "configured",
				auto_admit: true,
			},
		]),
		MESSAGE_SENDER: "outbox",
		CUSTODIAN: "sandbox",
		DISBURSER: "sandbox",
		WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
		WEBHOOK_ALLOWED_PORTS: "*",
		RATE_LIMITS: "off",
		// Set although they are the defaults, because the pool also reads the developer's .dev.vars.
		AUTHORIZATION_PROVIDER: "embedded",
		DNS_OVER_HTTPS_URL: "https://dns.test/dns-query",
	};
}
