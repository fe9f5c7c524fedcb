// Registers a trusted issuer.

import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { effect, type Orm, type Write } from "../../../db/database";
import { refuseIf } from "../../../db/guards";
import type { CommitOptions, Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { audiencesOf, type TrustedIssuer } from "../../../shared/trusted-issuer";
import { trustedIssuers } from "../table";
import { forgetIssuer } from "./cache";

export type IssuerRow = typeof trustedIssuers.$inferSelect;

/** Why a reserved name is refused. */
export const RESERVED_ISSUER = "This issuer is set by the service's configuration";

const registered = alias(trustedIssuers, "registered");
const INDISTINCT = "a token could be of two kinds of the issuer";

/**
 * Refuses the commit if another kind of the issuer reads its audience from another claim, or shares an audience: one token could then be of
 * both kinds. `IF_INDISTINCT` says what that means.
 */
export function refuseUnlessDistinct(settings: TrustedIssuer): SQL {
	const { issuer, kind, audience_claim } = settings;
	const audiences = JSON.stringify(audiencesOf(settings));
	const readsAnother = sql`coalesce(json_extract(${registered.settings}, '$.audience_claim'), 'aud') <> ${audience_claim ?? "aud"}`;
	const ours = sql`(select value from json_each(${audiences}))`;
	const others = sql`select 1 from json_each(${registered.settings}, '$.other_audiences') where value in ${ours}`;
	const shares = sql`json_extract(${registered.settings}, '$.audience') in ${ours} or exists (${others})`;
	const other = sql`${registered.issuer} = ${issuer} and ${registered.kind} <> ${kind} and (${readsAnother} or ${shares})`;
	return refuseIf(sql`exists (select 1 from ${trustedIssuers} ${registered} where ${other})`, INDISTINCT);
}

export const IF_INDISTINCT = {
	[INDISTINCT]: new ApiError("INVALID_STATE", {
		description: "All kinds of an issuer need the same audience_claim, and each kind audiences of its own",
	}),
};

type Registration = { readonly row: IssuerRow; readonly writes: readonly Write[]; readonly options: CommitOptions };

/** Registers the issuer; the writes belong in a commit in the directory. With `options` the commit is stale if it is registered already. */
export function registration({ db, now, newId }: Services, settings: TrustedIssuer): Registration {
	const { issuer, kind, audience } = settings;
	const row = { id: newId(), issuer, kind, audience, settings, createdAt: now, updatedAt: now };
	return {
		row,
		writes: [effect([refuseUnlessDistinct(settings), db.orm.insert(trustedIssuers).values(row)], () => forgetIssuer(issuer))],
		options: {
			triggers: IF_INDISTINCT,
			unique: [
				[[trustedIssuers.issuer, trustedIssuers.kind], "STALE"],
				[[trustedIssuers.issuer, trustedIssuers.audience], "STALE"],
			],
		},
	};
}

/** Every registered kind of an issuer. */
export const findRegistered = (orm: Orm, issuer: string) => orm.select().from(trustedIssuers).where(eq(trustedIssuers.issuer, issuer));
