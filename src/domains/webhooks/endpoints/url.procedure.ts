// Checks URLs of endpoints. A name is resolved, but a URL never requested: that would let callers use the service as a port scanner.

import type { Services } from "../../../runtime/services";
import { judgeUrl, type UrlRefusal } from "../../../shared/addresses";
import { ApiError, badInput } from "../../../shared/errors";
import { AT_REGISTRATION } from "./resolution.policy";

const REFUSALS: Record<UrlRefusal, string> = {
	NOT_A_URL: "is not a URL",
	NOT_HTTPS: "must be HTTPS",
	USER_INFO: "must not contain a user name or password",
	PORT_NOT_ALLOWED: "has a port that is not allowed",
	OWN_HOST: "must not be this service",
	NAME_MALFORMED: "has a malformed host name",
	NAME_TOO_LONG: "has a host name that is too long",
	IP_LITERAL: "must have a host name, not an IP address",
};

/** Checks the URL. Returns the host name to resolve, or undefined for an IP address. Throws `InvalidInput`. */
export function judge({ config }: Services, url: string): string | undefined {
	const verdict = judgeUrl(url, {
		allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
		allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
		ownHost: config.BASE_URL && new URL(config.BASE_URL).hostname,
	});
	if (!verdict.ok) throw badInput("url", REFUSALS[verdict.reason], "NOT_PUBLIC_HTTPS");
	return verdict.kind === "name" ? verdict.hostname : undefined;
}

/** Throws what refuses a name by the addresses behind it. */
export async function resolve({ providers }: Services, name: string | undefined): Promise<void> {
	if (name === undefined) return;
	switch (AT_REGISTRATION[await providers.nameResolver.judge(name)]) {
		case "ACCEPT":
			return;
		case "NOT_PUBLIC":
			throw badInput("url", "resolves to an address that is not public", "NOT_PUBLIC_HTTPS");
		case "DOES_NOT_RESOLVE":
			throw badInput("url", "has a host name that does not resolve", "NOT_PUBLIC_HTTPS");
		case "RESOLVER_UNAVAILABLE":
			throw new ApiError("SERVICE_UNAVAILABLE", { description: "The host name could not be resolved", headers: { "Retry-After": "5" } });
	}
}
