// The name look-ups of payees' accounts: claims the due ones, and records their outcomes.

import { and, eq, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import type { NameLookup } from "../../runtime/ports";
import { MINUTE_MS, SECOND_MS } from "../../shared/time";
import { type LookedUp, verificationOf } from "./policy";
import { touchPayeeOf } from "./store";
import { type PayeeAccountRow, payeeAccounts } from "./table";

/** The delays between attempts; after the last attempt the account stays unverified. */
const DELAYS_MS = [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS] as const;
/** The number of connections that a Worker may have open at a time. */
export const BATCH = 6;

type Verification = Pick<PayeeAccountRow, "verification" | "resolvedName" | "verifiedAt" | "lookupAttempts" | "nextLookupAt">;

const verified = (given: string | null, found: LookedUp, now: number): Verification => ({
	...verificationOf(given, found),
	verifiedAt: found.known ? now : null,
	lookupAttempts: 0,
	nextLookupAt: null,
});

/**
 * The verification of an account whose look-up begins: the embedded provider answers at once, otherwise it is PENDING until the job
 * has asked. Without a provider nothing is looked up, and INTERNAL accounts never are.
 */
export function beginLookup(
	provider: NameLookup | undefined,
	{ type, identifier, accountHolderName }: Pick<PayeeAccountRow, "type" | "identifier" | "accountHolderName">,
	now: number,
): Verification {
	const blank = { resolvedName: null, verifiedAt: null, lookupAttempts: 0 };
	if (!provider || type === "INTERNAL") return { ...blank, verification: "UNVERIFIED", nextLookupAt: null };
	if (provider.kind === "remote") return { ...blank, verification: "PENDING", nextLookupAt: now };
	return verified(accountHolderName, provider.lookUp({ type, identifier, accountHolderName }), now);
}

/** Claims due look-ups, of one payee or of all. Moving `nextLookupAt` into the future keeps others from claiming them. */
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

/** The writes that record the look-up of a claimed account. `found` undefined: the provider did not answer. */
export function recordLookup(orm: Orm, claimed: PayeeAccountRow, found: LookedUp | undefined, now: number): Write[] {
	const { id, lookupAttempts, accountHolderName } = claimed;
	if (!found && lookupAttempts <= DELAYS_MS.length) return [];
	const outcome: Verification = found
		? verified(accountHolderName, found, now)
		: { verification: "UNVERIFIED", resolvedName: null, verifiedAt: null, lookupAttempts: 0, nextLookupAt: null };
	return [
		orm
			.update(payeeAccounts)
			.set(outcome)
			.where(and(eq(payeeAccounts.id, id), eq(payeeAccounts.verification, "PENDING"), eq(payeeAccounts.lookupAttempts, lookupAttempts))),
		touchPayeeOf(id),
	];
}
