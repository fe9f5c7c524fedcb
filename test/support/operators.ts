// A service outside `local`: its operators come from TRUSTED_ISSUERS alone.

import { givenKey, signed } from "./issuers";
import type { Vars } from "./serve";

export const OPERATORS_ISSUER = "https://operators.example";

/** The variables of a sandbox that trusts these issuers. */
export const sandboxOf = (...issuers: readonly object[]): Vars => ({
	ENVIRONMENT: "sandbox",
	BASE_URL: "https://service.example",
	WEBHOOK_ALLOWED_NETWORKS: "",
	RATE_LIMITS: "on",
	TRUSTED_ISSUERS: JSON.stringify(issuers),
});

/** A sandbox with an operators' issuer, and tokens of its operators. */
export async function givenSandbox(settings: object = {}) {
	const key = await givenKey();
	const vars = sandboxOf({ issuer: OPERATORS_ISSUER, kind: "operator", jwks: { keys: [key.jwk] }, ...settings });
	const token = (sub = "root", claims: Record<string, unknown> = {}) => signed(key, { iss: OPERATORS_ISSUER, sub, ...claims });
	return { vars, token };
}
