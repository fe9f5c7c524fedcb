// Registers a trusted issuer.

import { effect, type Write } from "../../../db/database";
import type { CommitOptions, Services } from "../../../runtime/services";
import type { TrustedIssuer } from "../../../shared/trusted-issuer";
import { trustedIssuers } from "../table";
import { forgetIssuer } from "./cache";

export type IssuerRow = typeof trustedIssuers.$inferSelect;

/** Why a reserved name is refused. */
export const RESERVED_ISSUER = "This issuer is set by the service's configuration";

type Registration = { readonly row: IssuerRow; readonly writes: readonly Write[]; readonly options: CommitOptions };

/** Registers the issuer; the writes belong in a commit in the directory. With `options` the commit is stale if it is registered already. */
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
