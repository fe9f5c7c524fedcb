// What an organization's suspension refuses its keys and members: every write but those that what borrowers have needs. It is asked with the
// request's first read, so that they learn nothing else, and again within every commit, because the suspension may come in between.

import { type SQL, sql } from "drizzle-orm";
import { refuseIf } from "../db/guards";
import type { JobServices } from "../runtime/services";
import { ORGANIZATION_SUSPENDED, organizationSuspended } from "../shared/errors";
import type { Caller } from "./callers/access";
import type { CallerLookup } from "./callers/caller-lookup";
import type { AnyOperation } from "./operation";

/** Refuses the call with the first read, and returns what refuses each of its commits; undefined for what no suspension refuses. */
export function refuseWhileSuspended(op: AnyOperation, caller: Caller, { db }: JobServices, lookups: CallerLookup): SQL | undefined {
	if (op.method === "GET" || op.whileSuspended || (caller?.kind !== "key" && caller?.kind !== "member")) return undefined;
	const suspended = lookups.suspended(caller.organizationId);
	db.deferCheck({
		statements: [db.orm.all(sql`select ${suspended} as "suspended"`)],
		accept([rows]) {
			if ((rows as { suspended: number }[])[0]?.suspended) throw organizationSuspended();
		},
	});
	return refuseIf(suspended, ORGANIZATION_SUSPENDED);
}
