// The name look-ups of payees' accounts: which are due, and what a look-up's outcome changes.

import { and, eq, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import type { NameLookup } from "../../runtime/ports";
import { MINUTE_MS, SECOND_MS } from "../../shared/time";
import { type LookedUp, verificationOf } from "./policy";
import { touchPayeeOf } from "./store";
import { type PayeeAccountRow, payeeAccounts } from "./table";

/** Waits before the next attempt; after the last the account stays unverified. */
const DELAYS_MS = [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS] as const;
/** The number of connections that a Worker may have open at a time. */
export const BATCH = 6;

type Verification = Pick<PayeeAccountRow, "verification" | "resolvedName" | "verifiedAt" | "lookupAttempts" | "nextLookupAt">;

const settled = (given: string | null, found: LookedUp, now: number): Verification => ({
	...verificationOf(given, found),
	verifiedAt: found.known ? now : null,
	lookupAttempts: 0,
	nextLookupAt: null,
});

/**
 * The verification of an account whose name is to be looked up: that of the embedded provider at once, else PENDING, for the job.
 * An INTERNAL account has no name at a provider, and without a provider nothing is looked up.
 */
export function beginLookup(
	provider: NameLookup | undefined,
	{ type, identifier, accountHolderName }: Pick<PayeeAccountRow, "type" | "identifier" | "accountHolderName">,
	now: number,
): Verification {
	const blank = { resolvedName: null, verifiedAt: null, lookupAttempts: 0 };
	if (!provider || type === "INTERNAL") return { ...blank, verification: "UNVERIFIED", nextLookupAt: null };
	if (provider.kind === "remote") return { ...blank, verification: "PENDING", nextLookupAt: now };
	return settled(accountHolderName, provider.lookUp({ type, identifier, accountHolderName }), now);
}

/** Claims due look-ups, of one payee or of all. Moving `nextLookupAt` into the future keeps others off them. */
export const claimLookups = (orm: Orm, now: number, payeeId?: string) =>
	orm
		.update(payeeAccounts)
		.set({
			lookupAttempts: sql`lookup_attempts + 1`,
			nextLookupAt: sql`${now} + case lookup_attempts when 0 then ${DELAYS_MS[0]} when 1 then ${DELAYS_MS[1]} else ${DELAYS_MS[2]} end`,
		})
		.where(
			sql`${payeeAccounts.id} in (select a.id from ${payeeAccounts} a where a.next_lookup_at <= ${now}
				${payeeId === undefined ? sql`` : sql`and a.payee_id = ${payeeId}`} order by a.next_lookup_at limit ${BATCH})`,
		)
		.returning();

/** What the look-up of a claimed account changes. `found` undefined: the provider did not answer. */
export function recordLookup(orm: Orm, claimed: PayeeAccountRow, found: LookedUp | undefined, now: number): Write[] {
	const { id, lookupAttempts, accountHolderName } = claimed;
	if (!found && lookupAttempts <= DELAYS_MS.length) return [];
	const outcome: Verification = found
		? settled(accountHolderName, found, now)
		: { verification: "UNVERIFIED", resolvedName: null, verifiedAt: null, lookupAttempts: 0, nextLookupAt: null };
	return [
		orm
			.update(payeeAccounts)
			.set(outcome)
			.where(and(eq(payeeAccounts.id, id), eq(payeeAccounts.verification, "PENDING"), eq(payeeAccounts.lookupAttempts, lookupAttempts))),
		touchPayeeOf(orm, id),
	];
}
