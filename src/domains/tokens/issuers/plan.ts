// Registers a trusted issuer.

import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { effect, type Orm, type Write } from "../../../db/database";
import { refuseIf } from "../../../db/guards";
import type { CommitOptions, Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import type { TrustedIssuer } from "../../../shared/trusted-issuer";
import { trustedIssuers } from "../table";
import { forgetIssuer } from "./cache";

export type IssuerRow = typeof trustedIssuers.$inferSelect;

/** Why a reserved name is refused. */
export const RESERVED_ISSUER = "This issuer is set by the service's configuration";

const registered = alias(trustedIssuers, "registered");
const ANOTHER_AUDIENCE_CLAIM = "another kind of the issuer has another audience_claim";

/**
 * Refuses the commit if another kind of the issuer reads its audience from another claim: one token could then be of both kinds.
 * `BY_ONE_CLAIM` says what that means.
 */
export function refuseOtherClaims({ issuer, kind, audience_claim }: Pick<TrustedIssuer, "issuer" | "kind" | "audience_claim">): SQL {
	const other = sql`${registered.issuer} = ${issuer} and ${registered.kind} <> ${kind} and coalesce(json_extract(${registered.settings}, '$.audience_claim'), 'aud') <> ${audience_claim ?? "aud"}`;
	return refuseIf(sql`exists (select 1 from ${trustedIssuers} ${registered} where ${other})`, ANOTHER_AUDIENCE_CLAIM);
}

export const BY_ONE_CLAIM = {
	[ANOTHER_AUDIENCE_CLAIM]: new ApiError("INVALID_STATE", { description: "All kinds of an issuer need the same audience_claim" }),
};

type Registration = { readonly row: IssuerRow; readonly writes: readonly Write[]; readonly options: CommitOptions };

/** Registers the issuer; the writes belong in a commit in the directory. With `options` the commit is stale if it is registered already. */
export function registration({ db, now, newId }: Services, settings: TrustedIssuer): Registration {
	const { issuer, kind, audience } = settings;
	const row = { id: newId(), issuer, kind, audience, settings, createdAt: now, updatedAt: now };
	return {
		row,
		writes: [effect([refuseOtherClaims(settings), db.orm.insert(trustedIssuers).values(row)], () => forgetIssuer(issuer))],
		options: {
			triggers: BY_ONE_CLAIM,
			unique: [
				[[trustedIssuers.issuer, trustedIssuers.kind], "STALE"],
				[[trustedIssuers.issuer, trustedIssuers.audience], "STALE"],
			],
		},
	};
}

/** Every registered kind of an issuer. */
export const findRegistered = (orm: Orm, issuer: string) => orm.select().from(trustedIssuers).where(eq(trustedIssuers.issuer, issuer));
