// Builds the statements on checks of credentials, which ask for the balance too.

import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { qualified } from "../../../db/columns";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { HOUR_MS, MINUTE_MS } from "../../../shared/time";
import type { Balance, LowFloat, Need } from "./float.policy";
import { ASKED_ABOUT, type ConnectionRow, paymentConnections } from "./table";

const c = paymentConnections;

type Status = Pick<ConnectionRow, "statusOutcome" | "statusResult" | "statusAt">;
type Check = Pick<ConnectionRow, "checkId" | "checkedAt" | "checkOutcome" | "checkResult"> & Status;

export const UNCHECKED = {
	...{ checkId: null, checkedAt: null, checkOutcome: null, checkResult: null },
	...{ statusOutcome: null, statusResult: null, statusAt: null },
} as const satisfies Check;

export const checkBegun = (checkId: string, now: number) =>
	({
		...{ checkId, checkedAt: now, checkOutcome: "WAITING", checkResult: null },
		...{ statusOutcome: "WAITING", statusResult: null, statusAt: now },
	}) as const satisfies Check;

/** The balance is asked for so often while payouts are open. */
const EVERY_MS = HOUR_MS;

type Seen = Pick<ConnectionRow, "organizationId" | "provider" | "nextBalanceAt">;

const isAsSeen = ({ organizationId, provider, nextBalanceAt }: Seen) =>
	and(eq(c.organizationId, organizationId), eq(c.provider, provider), eq(c.nextBalanceAt, nextBalanceAt));

/** Records the check that follows the commit, and that it is seen to after a minute. Stale when another has begun. */
export const beginCheck = (orm: Orm, seen: Seen, id: string, now: number): Effect =>
	guarded(
		orm
			.update(c)
			.set({ ...checkBegun(id, now), nextBalanceAt: now + MINUTE_MS })
			.where(isAsSeen(seen)),
	);

/** When the next check is due, and one without an answer has waited in vain. */
export const nextCheckAt = ({ checkedAt }: Pick<Check, "checkedAt">): number => (checkedAt ?? 0) + EVERY_MS;

/** Nothing is to be asked before the next check is due. */
export const putOffBalance = (orm: Orm, seen: Seen & Pick<Check, "checkedAt">, now: number): Statement =>
	orm
		.update(c)
		.set({ nextBalanceAt: nextCheckAt(seen) > now ? nextCheckAt(seen) : now + EVERY_MS })
		.where(isAsSeen(seen));

/** Connections whose balance may be of use, the first of them. `isOfUse`: whether it is. */
export const findDueBalances = (orm: Orm, isOfUse: SQL<number>, now: number, limit: number) =>
	orm
		.select({
			organizationId: c.organizationId,
			provider: c.provider,
			status: c.status,
			pausedUntil: c.pausedUntil,
			nextBalanceAt: c.nextBalanceAt,
			checkId: c.checkId,
			checkedAt: c.checkedAt,
			checkOutcome: c.checkOutcome,
			isOfUse: qualified(isOfUse).as("is_of_use"),
		})
		.from(c)
		.where(and(sql`(${ASKED_ABOUT})`, lte(c.nextBalanceAt, now)))
		.orderBy(c.nextBalanceAt)
		.limit(limit);

export const findChecked = (orm: Orm, checkId: string) => orm.select().from(c).where(eq(c.checkId, checkId));

/** What payouts by the connection need, as the columns of `need`. */
export const findNeed = (orm: Orm, checkId: string, need: { readonly [member in keyof Need]: SQL<number> }) =>
	orm
		.select({ waiting: qualified(need.waiting).as("waiting"), paidLastDay: qualified(need.paidLastDay).as("paid_last_day") })
		.from(c)
		.where(eq(c.checkId, checkId));

/** Ends a check that waits. */
export const endCheck = (orm: Orm, checkId: string, checkOutcome: Exclude<Check["checkOutcome"], null>): Statement =>
	orm
		.update(c)
		.set({ checkOutcome })
		.where(and(eq(c.checkId, checkId), eq(c.checkOutcome, "WAITING")));

export const failCheck = (orm: Orm, checkId: string, checkResult: string): Statement =>
	orm.update(c).set({ checkOutcome: "FAILED", checkResult }).where(eq(c.checkId, checkId));

type Held = { readonly balances: readonly Balance[]; readonly lowFloat: LowFloat | null };

export const recordBalances = (orm: Orm, checkId: string, held: Held, now: number): Statement =>
	orm
		.update(c)
		.set({ checkOutcome: "SUCCEEDED", checkResult: null, ...held, balancesAt: now })
		.where(eq(c.checkId, checkId));

/** As a condition: nobody knows yet that the float is low. */
export const isNewlyLow = (checkId: string): SQL =>
	sql`exists (select 1 from ${c} where ${c.checkId} = ${checkId} and ${c.lowFloat} is null)`;

/** Nobody will answer the question of a check about a transaction. null: it was not asked. */
export const endStatus = (orm: Orm, checkId: string, statusOutcome: "NO_ANSWER" | null): Statement =>
	orm
		.update(c)
		.set({ statusOutcome })
		.where(and(eq(c.checkId, checkId), eq(c.statusOutcome, "WAITING")));

type Named = Pick<ConnectionRow, "organizationId" | "provider">;
type Ended = { readonly outcome: "SUCCEEDED" | "FAILED"; readonly result: string | null };

/** As a condition: the connection does not know it yet. */
export const isNewStatus = ({ organizationId, provider }: Named, { outcome, result }: Ended): SQL =>
	sql`exists (select 1 from ${c} where ${c.organizationId} = ${organizationId} and ${c.provider} = ${provider}
		and (${c.statusOutcome} is not ${outcome} or ${c.statusResult} is not ${result}))`;

/** Records whether the initiator may ask what became of a transaction, where that is news. */
export const recordStatus = (orm: Orm, { organizationId, provider }: Named, { outcome, result }: Ended, now: number): Statement =>
	orm
		.update(c)
		.set({ statusOutcome: outcome, statusResult: result, statusAt: now })
		.where(
			and(
				eq(c.organizationId, organizationId),
				eq(c.provider, provider),
				sql`(${c.statusOutcome} is not ${outcome} or ${c.statusResult} is not ${result})`,
			),
		);
