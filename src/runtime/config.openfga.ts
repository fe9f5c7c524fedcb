// The variables of OpenFGA, and where they are needed.

import * as z from "zod";
import type { TrustedIssuer } from "../shared/trusted-issuer";

const text = z.string().min(1).optional();

export const OpenFga = {
	AUTHORIZATION_PROVIDER: z.enum(["embedded", "openfga"]).default("embedded"),
	OPENFGA_URL: z.url({ protocol: /^https?$/ }).optional(),
	OPENFGA_STORE_ID: text,
	OPENFGA_MODEL_ID: text,
	OPENFGA_TOKEN: text,
	OPENFGA_TUPLES: z.enum(["service", "yours"]).default("service"),
	OPENFGA_CHECKS_PER_REQUEST: z
		.string()
		.regex(/^[1-9]\d{0,2}$/, "must be a number from 1 to 999")
		.transform(Number)
		.default(50),
};

type Given = z.output<z.ZodObject<typeof OpenFga>> & {
	readonly TRUSTED_ISSUERS: readonly Pick<TrustedIssuer, "resource_access_provider">[];
};

/** What is missing where OpenFGA decides: the variable, and why it is needed. */
export function faultsOfOpenFga(vars: Given): [name: string, fault: string][] {
	const isAsked =
		vars.AUTHORIZATION_PROVIDER === "openfga" || vars.TRUSTED_ISSUERS.some((one) => one.resource_access_provider === "openfga");
	const needed = isAsked ? (["OPENFGA_URL", "OPENFGA_STORE_ID", "OPENFGA_MODEL_ID"] as const) : [];
	return needed.filter((name) => !vars[name]).map((name) => [name, "is required by openfga"]);
}
