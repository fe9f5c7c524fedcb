// A trusted issuer of the registry, as operators read and change it in /v1/platform/issuers.

import * as z from "zod";
import { issuerSettings, TrustedIssuer } from "../shared/trusted-issuer";

/** What operators may change of a registered issuer: everything except its name and its kind. */
export const IssuerPatch = z
	.strictObject({
		...issuerSettings,
		organization_id: issuerSettings.organization_id.nullable(),
		required_claims: issuerSettings.required_claims.nullable(),
		required_amr: issuerSettings.required_amr.nullable(),
		required_acr: issuerSettings.required_acr.nullable(),
		max_authentication_age_seconds: issuerSettings.max_authentication_age_seconds.nullable(),
		uncoded_amount_per_day: issuerSettings.uncoded_amount_per_day.nullable(),
	})
	.partial();
export type IssuerPatch = z.output<typeof IssuerPatch>;

export const RegisteredIssuer = z
	.object({ id: z.uuid(), ...TrustedIssuer.shape, created_at: z.iso.datetime(), updated_at: z.iso.datetime() })
	.meta({ id: "TrustedIssuer" });
