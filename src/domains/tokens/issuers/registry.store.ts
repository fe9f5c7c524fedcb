// What may be registered as a trusted issuer, and the writes that register it.

import { eq } from "drizzle-orm";
import { effect, type Orm, type Write } from "../../../db/database";
import { isSecureAddress } from "../../../runtime/config";
import type { CommitOptions, Services } from "../../../runtime/services";
import type { IssuerPatch, TrustedIssuer } from "../../../runtime/trusted-issuer";
import { judgeUrl } from "../../../shared/addresses";
import { badInput } from "../../../shared/errors";
import { trustedIssuers } from "../table";
import { forgetIssuer } from "./store";

export type IssuerRow = typeof trustedIssuers.$inferSelect;

/** Why a reserved name is refused. */
export const RESERVED_ISSUER = "This issuer is set by the service's configuration";

/** A public name over HTTPS, or in `local` loopback: the service must not be made to call private addresses. */
const isAllowedAddress = (uri: string, local: boolean): boolean =>
	isSecureAddress(uri, local) && (isLoopback(uri) ? local : judgeUrl(uri, { allowedPorts: "*", allowedNetworks: [] }).ok);

const isLoopback = (uri: string): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])\.?$/.test(new URL(uri).hostname);

/** Throws `InvalidInput` for settings that do not fit this service. */
export function checkIssuer({ config }: Services, { jwks_uri: uri, resource_access_provider }: IssuerPatch): void {
	if (resource_access_provider === "openfga" && config.OPENFGA_URL === undefined) {
		throw badInput("resource_access_provider", "is not configured", "NOT_ALLOWED");
	}
	if (uri && !isAllowedAddress(uri, config.ENVIRONMENT === "local")) {
		throw badInput("jwks_uri", "must be a public HTTPS address", "NOT_PUBLIC_HTTPS");
	}
}

/** Every registered kind of an issuer. */
export const findRegistered = (orm: Orm, issuer: string) => orm.select().from(trustedIssuers).where(eq(trustedIssuers.issuer, issuer));

type Registration = { readonly row: IssuerRow; readonly writes: readonly Write[]; readonly options: CommitOptions };

/** Registers the issuer; the writes belong in a commit in the directory. With `options` it is stale when it has been registered. */
export function registration({ db, now, newId }: Services, settings: TrustedIssuer): Registration {
	const { issuer, kind, audience } = settings;
	const row = { id: newId(), issuer, kind, audience, settings, createdAt: now, updatedAt: now };
	return {
		row,
		writes: [effect([db.orm.insert(trustedIssuers).values(row)], () => forgetIssuer(issuer))],
		options: {
			unique: [
				[[trustedIssuers.issuer, trustedIssuers.kind], "STALE"],
				[[trustedIssuers.issuer, trustedIssuers.audience], "STALE"],
			],
		},
	};
}
