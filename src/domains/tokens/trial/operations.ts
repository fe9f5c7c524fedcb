// Tries a token on a registered issuer, rule by rule, for the person who sets the provider up.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { first } from "../../../db/reads";
import { alone, operator } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { KeysUnavailable } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import type { TrustedIssuer } from "../../../shared/trusted-issuer";
import { faultsOfClaims } from "../issuers/claims.plan";
import { testIssuer } from "../issuers/own.plan";
import { type Refused, shown } from "../model/refusal.policy";
import { refusalOfSignature } from "../model/signature.crypto";
import { type Check, checksOf, checksOfAuthentication, readToken, type UnverifiedToken } from "../model/token.policy";
import { trustedIssuers } from "../table";
import { algorithmsOf, demandedOf, expectationOf } from "../verification.procedure";
import { remedyOf } from "./policy";

const Rule = z.object({
	rule: z.string().meta({ description: "As `reason` of the log's line `token refused`" }),
	passed: z.boolean(),
	expected: z.string(),
	found: z.string(),
	set: z.string().nullable().meta({ description: "The setting that helps, here or at the provider; null where none does" }),
});
type Tried = z.output<typeof Rule>;

export const tryIssuer = operation({
	id: "tryIssuer",
	method: "POST",
	path: "/v1/platform/issuers/{id}/try",
	summary: "Try a token on a registered issuer",
	description:
		"Says for each rule what it expects, what it finds and what to set; nothing is exchanged, and nothing of the token is logged or kept. Send a token of a test account.",
	// It changes nothing.
	access: alone(operator),
	home: "directory",
	limit: "heavy",
	request: { path: z.object({ id: z.uuid().toLowerCase() }), body: z.strictObject({ token: z.string().min(1).max(16_384) }) },
	response: z.object({
		accepted: z.boolean(),
		rules: z.array(Rule),
		claims: z
			.array(z.object({ claim: z.string(), rule: z.string(), set: z.string().nullable() }))
			.meta({ description: "Those of the token that are not used, each with the rule by which" }),
	}),
	errors: ["NOT_FOUND"],
	// Changes nothing, so there is nothing to replay.
	idempotent: false,
	async handle({ path, body }, services) {
		const { orm } = services.db;
		const row = await services.db.read(first(orm.select().from(trustedIssuers).where(eq(trustedIssuers.id, path.id))));
		if (!row) throw new ApiError("NOT_FOUND");
		const token = readToken(body.token);
		if (!token.ok) return { accepted: false, rules: [failed(token, null)], claims: [] };
		const rules = await tried(services, token, testIssuer(services.config, row.settings) ?? row.settings);
		const claims = faultsOfClaims(token.payload, row.settings).map(({ set = null, ...fault }) => ({ ...fault, set }));
		return { accepted: rules.every(({ passed }) => passed), rules, claims };
	},
});

const failed = ({ reason, expected, found }: Refused, set: string | null): Tried => ({ rule: reason, passed: false, expected, found, set });

/** Every rule, in the order in which failures are reported. */
async function tried(services: Services, token: UnverifiedToken, settings: TrustedIssuer): Promise<Tried[]> {
	const ruled = ({ reason, holds, says }: Check): Tried => {
		const [expected, found] = says();
		return { rule: reason, passed: holds, expected, found, set: holds ? null : (remedyOf(reason, token, settings) ?? null) };
	};
	const check = (reason: Check["reason"], holds: boolean, expected: string, found: string): Tried =>
		ruled({ reason, holds, says: () => [expected, found] });
	return [
		check("ISSUER_UNKNOWN", token.issuer === settings.issuer, settings.issuer, shown(token.issuer)),
		...(await signed(services, token, settings, check)),
		...[...checksOf(token, expectationOf(settings), services.realNow)].map(ruled),
		check("ISSUER_DISABLED", !settings.disabled, "an enabled issuer", settings.disabled ? "a disabled one" : "an enabled one"),
		...[...checksOfAuthentication(token, demandedOf(settings), services.realNow)].map(ruled),
	];
}

type Checked = (reason: Check["reason"], holds: boolean, expected: string, found: string) => Tried;

async function signed(services: Services, token: UnverifiedToken, settings: TrustedIssuer, check: Checked): Promise<Tried[]> {
	const { algorithm, kid } = token;
	try {
		const allowed: readonly string[] = await algorithmsOf(services, settings);
		const keys = await services.providers.keySets.of(settings)({ alg: algorithm, kid });
		const refusal = await refusalOfSignature(token, keys);
		return [
			check("ALGORITHM_NOT_ALLOWED", allowed.includes(algorithm), allowed.join(", "), algorithm),
			refusal
				? check(refusal.reason, false, refusal.expected, refusal.found)
				: check("SIGNATURE_INVALID", true, "a signature by a key of the issuer", `key id ${shown(kid)}`),
		];
	} catch (error) {
		if (!(error instanceof KeysUnavailable)) throw error;
		const set = "jwks_uri to the address of the provider's key set, or jwks";
		return [{ rule: "KEYS_UNAVAILABLE", passed: false, expected: "keys of the issuer that can be had", found: error.message, set }];
	}
}
