// Looks up the names of payees' accounts at the provider: after the commit that asks for it, and again if the provider did not answer.

import { MOST_CONNECTIONS } from "../../runtime/connections";
import type { JobServices, Services } from "../../runtime/services";
import { claimLookups } from "./store";
import { recordLookup } from "./verification.plan";

/** Takes one portion of the due look-ups, of one payee or of all. Returns whether more may be waiting. */
export async function lookUpNames(services: JobServices, payeeId?: string): Promise<boolean> {
	const { db, now, providers } = services;
	const provider = providers.nameLookup;
	if (provider?.kind !== "remote") return false;
	const [claimed] = await db.commit([claimLookups(db.orm, now, payeeId)]);
	const answers = await Promise.all(claimed.map(async (row) => ({ row, found: await provider.lookUp(row) })));
	await services.commit(answers.flatMap(({ row, found }) => recordLookup(db.orm, row, found, now)));
	return claimed.length === MOST_CONNECTIONS;
}

/** Looks up the names of the payee's accounts after the answer has been sent. */
export const lookUpSoon = (services: Services, payeeId: string): void => {
	if (services.providers.nameLookup?.kind === "remote") services.afterwards((job) => lookUpNames(job, payeeId));
};
