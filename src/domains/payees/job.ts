// Looks up the names of payees' accounts at the provider: after the commit that asks for it, and again if the provider did not answer.

import type { Effect } from "../../db/database";
import { MOST_CONNECTIONS } from "../../runtime/connections";
import { afterCommit, type Sending, sendTogether } from "../../runtime/outbox";
import type { JobServices, Services } from "../../runtime/services";
import type { LookedUp } from "./policy";
import { anyLookupDue, claimLookups } from "./store";
import type { PayeeAccountRow } from "./table";
import { recordLookup } from "./verification.plan";

const lookups: Sending<PayeeAccountRow, LookedUp | undefined> = {
	what: "look-ups of names",
	said: (found) => (found === undefined ? "UNKNOWN" : found.known ? "FOUND" : "NOT_FOUND"),
	async send({ providers: { nameLookup } }, row) {
		return nameLookup?.kind === "remote" ? nameLookup.lookUp(row) : undefined;
	},
	outcome: ({ db, now }, row, found) => recordLookup(db.orm, row, found, now),
};

/** Takes one portion of the due look-ups, of one payee or of all. Returns whether more may be waiting. */
export async function lookUpNames(services: JobServices, payeeId?: string): Promise<boolean> {
	const { db, now, providers } = services;
	if (providers.nameLookup?.kind !== "remote") return false;
	if (payeeId === undefined && (await db.read(anyLookupDue(db.orm, now))).length === 0) return false;
	const [claimed] = await db.commit([claimLookups(db.orm, now, payeeId)]);
	await sendTogether(services, lookups, claimed);
	return claimed.length === MOST_CONNECTIONS;
}

/** Belongs to the commit that asks for the names of the payee's accounts. */
export const lookUpSoon = (services: Services, payeeId: string): Effect => afterCommit(services, (job) => lookUpNames(job, payeeId));
