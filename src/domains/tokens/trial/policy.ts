// What an operator can set so that a token is accepted, or a claim of it is used.

import type { Json } from "../../../shared/json";
import { AUDIENCE_CLAIMS, type TrustedIssuer } from "../../../shared/trusted-issuer";
import { type Reason, shown } from "../model/refusal.policy";
import type { UnverifiedToken } from "../model/token.policy";

const LONGEST_SECONDS = 86_400;

/** What to set, or have the provider do, where the rule fails; undefined where nothing helps but another token. */
export function remedyOf(reason: Reason, { payload, algorithm, issuer }: UnverifiedToken, settings: TrustedIssuer): string | undefined {
	switch (reason) {
		case "ISSUER_UNKNOWN":
			return `Register ${shown(issuer)}: an issuer has exactly the name that its tokens have in iss`;
		case "ALGORITHM_NOT_ALLOWED":
			return `algorithms with ${algorithm}`;
		case "KEY_UNKNOWN":
		case "SIGNATURE_INVALID":
			return "jwks_uri or jwks with the key that signed the token";
		case "AUDIENCE_MISMATCH":
			return remedyOfAudience(payload, settings);
		case "LIFETIME_INVALID":
			return remedyOfLifetime(payload);
		case "CLAIM_MISMATCH":
			return "required_claims as the tokens have them, or a token of somebody who has the claim";
		case "TOKEN_ID_INVALID":
			return settings.single_use ? "single_use to false, or have the provider put a jti into each token" : undefined;
		case "ISSUER_DISABLED":
			return "disabled to false";
		case "AUTHENTICATION_INSUFFICIENT":
			return "required_amr, required_acr or max_authentication_age_seconds as the provider can meet them, or sign in again";
		default:
			return undefined;
	}
}

function remedyOfAudience(payload: { readonly [claim: string]: Json }, { audience_claim }: TrustedIssuer): string {
	if (payload[audience_claim] !== undefined)
		return `audience or other_audiences with one of ${shown(payload[audience_claim])}, if tokens for it may be used here`;
	const other = AUDIENCE_CLAIMS.find((claim) => payload[claim] !== undefined);
	return other
		? `audience_claim to ${other}, and audience to ${shown(payload[other])}`
		: "Have the provider put an aud into its tokens, by a template or a mapper: nothing else says which client they are for";
}

function remedyOfLifetime({ iat, exp }: { readonly [claim: string]: Json }): string {
	const seconds = Number(exp) - Number(iat);
	return seconds > 0 && seconds <= LONGEST_SECONDS
		? `max_lifetime_seconds to ${seconds}`
		: `Have the provider make tokens that live at most ${LONGEST_SECONDS} s`;
}
