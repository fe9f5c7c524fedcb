// Plans the changes of payees that take several writes, and what a user's daily quota allows.

import { and, eq, inArray, sql } from "drizzle-orm";
import type { Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Services } from "../../runtime/services";
import { tooManyRequests } from "../../shared/errors";
import { type Combination, DAILY_QUOTA, type Use, utcDateOf, waitForQuota } from "./policy";
import { addUse, changePayee, unchanged, unused } from "./store";
import { type PayeeAccountRow, type PayeeRow, payeeAccounts, payeeQuotas, payees } from "./table";

/** The write that counts a use of today's quota. Throws TOO_MANY_REQUESTS when the quota does not allow it. */
export function countUse({ db, now, config }: Services, userId: string, used: Use | undefined, use: Use): Write[] {
	if (config.RATE_LIMITS === "off") return [];
	const waitMs = waitForQuota(used ?? { payees: 0, lookups: 0 }, use, now);
	if (waitMs > 0) throw tooManyRequests(waitMs / 1000);
	return [
		guarded(
			db.orm
				.insert(payeeQuotas)
				.values({ userId, day: utcDateOf(now), ...use })
				.onConflictDoUpdate({
					target: [payeeQuotas.userId, payeeQuotas.day],
					set: { payees: sql`${payeeQuotas.payees} + ${use.payees}`, lookups: sql`${payeeQuotas.lookups} + ${use.lookups}` },
					setWhere: sql`${payeeQuotas.payees} + ${use.payees} <= ${DAILY_QUOTA.payees}
						and ${payeeQuotas.lookups} + ${use.lookups} <= ${DAILY_QUOTA.lookups}`,
				}),
		),
	];
}

export const removePayee = ({ db }: Services, seen: PayeeRow): Write[] => [
	guarded(db.orm.delete(payees).where(unchanged(seen))),
	db.orm.delete(payeeAccounts).where(eq(payeeAccounts.payeeId, seen.id)),
];

type WithAccounts = { readonly payee: PayeeRow; readonly accounts: readonly PayeeAccountRow[] };

/** Moves the source's accounts to the target and deletes the source. */
export function combineInto(
	services: Services,
	{ payee: source, accounts }: WithAccounts,
	target: WithAccounts,
	{ payee, joined }: Combination<PayeeRow, PayeeAccountRow>,
): { payee: PayeeRow; writes: Write[] } {
	const { db } = services;
	const { isFavorite, isBlocked, blockReasons, blockDetails } = payee;
	const changed = changePayee(services, target.payee, target.accounts, { isFavorite, isBlocked, blockReasons, blockDetails });
	const doubles = joined.map(({ double }) => double.id);
	return {
		payee: changed.payee,
		writes: [
			changed.write,
			guarded(db.orm.delete(payees).where(and(unchanged(source), unused(source, accounts)))),
			...joined.map(({ kept: { id, ...columns } }) => db.orm.update(payeeAccounts).set(columns).where(eq(payeeAccounts.id, id))),
			...(doubles.length > 0 ? [db.orm.delete(payeeAccounts).where(inArray(payeeAccounts.id, doubles))] : []),
			db.orm.update(payeeAccounts).set({ payeeId: target.payee.id }).where(eq(payeeAccounts.payeeId, source.id)),
		],
	};
}

/** Counts a transfer to the account, if it still exists. */
export const countUseOf = (accountId: string, now: number): Write => addUse({ accountId, now });
