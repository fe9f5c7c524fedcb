// Says at the start of an isolate that nobody can operate the service, because nothing else would: whoever deployed it would find out when
// an operator is needed.

import type { TrustedIssuer } from "../shared/trusted-issuer";
import { logger } from "./log";

export function nameMissingOperators<C extends { ENVIRONMENT: string; TRUSTED_ISSUERS: readonly TrustedIssuer[] }>(config: C): C {
	const { ENVIRONMENT, TRUSTED_ISSUERS } = config;
	// On this machine the sandbox's own issuer signs operators in.
	if (ENVIRONMENT !== "local" && !TRUSTED_ISSUERS.some(({ kind, disabled }) => kind === "operator" && !disabled))
		logger({}).error("nobody can operate this service: TRUSTED_ISSUERS names no issuer of the kind operator", undefined, {
			environment: ENVIRONMENT,
		});
	return config;
}
