// What a look-up makes of an account: it begins, and its outcome is recorded.

import { and, eq } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import type { NameLookup } from "../../runtime/ports";
import { type LookedUp, verificationOf } from "./policy";
import { DELAYS_MS, touchPayeeOf } from "./store";
import { type PayeeAccountRow, payeeAccounts } from "./table";

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
