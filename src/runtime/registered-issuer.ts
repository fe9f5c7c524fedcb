// A trusted issuer of the registry, as operators read and change it in /v1/platform/issuers.

import * as z from "zod";
import { ALGORITHMS, issuerSettings, TrustedIssuer } from "../shared/trusted-issuer";

/** What operators may change of a registered issuer: everything except its name and its kind. */
export const IssuerPatch = z
	.strictObject({
		...issuerSettings,
		organization_id: issuerSettings.organization_id.nullable(),
		other_audiences: issuerSettings.other_audiences.nullable(),
		jwks_uri: issuerSettings.jwks_uri.nullable(),
		required_claims: issuerSettings.required_claims.nullable(),
		required_amr: issuerSettings.required_amr.nullable(),
		required_acr: issuerSettings.required_acr.nullable(),
		max_authentication_age_seconds: issuerSettings.max_authentication_age_seconds.nullable(),
		uncoded_amount_per_day: issuerSettings.uncoded_amount_per_day.nullable(),
	})
	.partial();
export type IssuerPatch = z.output<typeof IssuerPatch>;

export const RegisteredIssuer = z
	.object({
		id: z.uuid(),
		...TrustedIssuer.shape,
		algorithms: issuerSettings.algorithms,
		discovered: z
			.object({ jwks_uri: z.string(), algorithms: z.array(z.enum(ALGORITHMS)) })
			.optional()
			.meta({ description: "In the answer of a registration without `jwks` and `jwks_uri`: what the issuer's own configuration says" }),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "TrustedIssuer" });
