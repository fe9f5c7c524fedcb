// Builds the statements on what an outside authorization provider has to hear.

import { and, asc, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { bare, bareList, isOneOf } from "../../../db/columns";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { type Expired, expired } from "../../../db/purge";
import { CHANGES_BIND_MS } from "../../../runtime/ports";
import { memberships, merchantGrants } from "../table";
import { authorizationSyncs, type SyncRow } from "./table";

export type Key = Pick<SyncRow, "userId" | "organizationId" | "merchantId">;

/** In `memberships` and `merchant_grants`: the provider has not got it yet, and will get it. */
export const UNDER_WAY = 0;

const columns = bareList(
	authorizationSyncs.id,
	authorizationSyncs.userId,
	authorizationSyncs.organizationId,
	authorizationSyncs.merchantId,
	authorizationSyncs.changes,
	authorizationSyncs.attempts,
	authorizationSyncs.nextAttemptAt,
	authorizationSyncs.createdAt,
);

const { changes, attempts, nextAttemptAt, failure, createdAt, reachedAt } = authorizationSyncs;
const isUnderWay = sql`${reachedAt} is null and ${failure} is null`;

/** A further change is sent at once, but not during an attempt that is under way: that could arrive after it. */
const again = sql`on conflict (${bareList(authorizationSyncs.userId, authorizationSyncs.organizationId, authorizationSyncs.merchantId)}) do update set
	${bare(changes)} = ${changes} + 1,
	${bare(attempts)} = iif(${reachedAt} is null, ${attempts}, 0),
	${bare(nextAttemptAt)} = iif(${isUnderWay}, ${nextAttemptAt}, excluded.${bare(nextAttemptAt)}),
	${bare(createdAt)} = iif(${reachedAt} is null, ${createdAt}, excluded.${bare(createdAt)}),
	${bare(reachedAt)} = null`;

type New = { readonly id: string; readonly now: number };

/** Records that the membership has changed, or is about to be removed. Nothing where there is none. */
export const recordMembership = (orm: Orm, membershipId: string, { id, now }: New): Statement =>
	orm.run(sql`insert into ${authorizationSyncs} (${columns})
		select ${id}, ${memberships.userId}, ${memberships.organizationId}, '', 1, 0, ${now}, ${now} from ${memberships} where ${memberships.id} = ${membershipId} ${again}`);

export const markMembership = (orm: Orm, membershipId: string): Statement =>
	orm.update(memberships).set({ reachedAt: UNDER_WAY }).where(eq(memberships.id, membershipId));

/** Records that these have changed. */
export const recordAll = (orm: Orm, keys: readonly (Key & { readonly id: string })[], now: number): Statement =>
	orm.run(sql`insert into ${authorizationSyncs} (${columns})
		select value ->> 'id', value ->> 'userId', value ->> 'organizationId', value ->> 'merchantId', 1, 0, ${now}, ${now}
		from json_each(${JSON.stringify(keys)}) where true ${again}`);

/** Memberships that nobody has sent to the provider: they are older than the provider's use. */
export const findUnsentMemberships = (orm: Orm, most: number) =>
	orm
		.select({ id: memberships.id, userId: memberships.userId, organizationId: memberships.organizationId })
		.from(memberships)
		.where(isNull(memberships.reachedAt))
		.limit(most);

export const findUnsentGrants = (orm: Orm, most: number) =>
	orm
		.selectDistinct({
			userId: merchantGrants.userId,
			organizationId: merchantGrants.organizationId,
			merchantId: merchantGrants.merchantId,
		})
		.from(merchantGrants)
		.where(isNull(merchantGrants.reachedAt))
		.limit(most);

export const markMemberships = (orm: Orm, ids: readonly string[]): Statement =>
	orm
		.update(memberships)
		.set({ reachedAt: UNDER_WAY })
		.where(and(isOneOf(memberships.id, ids), isNull(memberships.reachedAt)));

const ofGrant = ({ userId, organizationId, merchantId }: Key) =>
	and(eq(merchantGrants.userId, userId), eq(merchantGrants.organizationId, organizationId), eq(merchantGrants.merchantId, merchantId));

export const markGrant = (orm: Orm, key: Key, at: number): Statement =>
	orm.update(merchantGrants).set({ reachedAt: at }).where(ofGrant(key));

/** What is due, of one user or of all. */
export const findDueSyncs = (orm: Orm, now: number, most: number, userId?: string) =>
	orm
		.select()
		.from(authorizationSyncs)
		.where(
			and(
				isNull(authorizationSyncs.reachedAt),
				lte(authorizationSyncs.nextAttemptAt, now),
				userId === undefined ? undefined : eq(authorizationSyncs.userId, userId),
			),
		)
		.orderBy(asc(authorizationSyncs.nextAttemptAt))
		.limit(most);

/** What the user holds now. */
export const findHeld = (orm: Orm, key: Key) => ({
	membership: orm
		.select({ id: memberships.id, role: memberships.role, version: memberships.version })
		.from(memberships)
		.where(and(eq(memberships.userId, key.userId), eq(memberships.organizationId, key.organizationId))),
	grants: orm.select({ permission: merchantGrants.permission }).from(merchantGrants).where(ofGrant(key)),
});

export const isOpen = isNull(authorizationSyncs.reachedAt);

const told = (row: Pick<SyncRow, "id" | "changes">, same: boolean) =>
	and(eq(authorizationSyncs.id, row.id), isOpen, (same ? eq : ne)(authorizationSyncs.changes, row.changes));

/** The provider has it. A row that has changed since it was read is due at once. */
export const end = (orm: Orm, row: Pick<SyncRow, "id" | "changes">, { now, realNow }: { now: number; realNow: number }): Statement[] => [
	orm.update(authorizationSyncs).set({ nextAttemptAt: now }).where(told(row, false)),
	orm.update(authorizationSyncs).set({ reachedAt: realNow }).where(told(row, true)),
];

export const markReached = (orm: Orm, seen: { readonly id: string; readonly version: number }, at: number): Statement =>
	orm
		.update(memberships)
		.set({ reachedAt: at })
		.where(and(eq(memberships.id, seen.id), eq(memberships.version, seen.version)));

export const fail = (orm: Orm, id: string, why: string): Statement =>
	orm
		.update(authorizationSyncs)
		.set({ failure: why })
		.where(and(eq(authorizationSyncs.id, id), isOpen));

/** Makes the next attempt due. Stale where one is under way, or the provider has it meanwhile. */
export const syncSooner = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(authorizationSyncs)
			.set({ nextAttemptAt: now })
			.where(and(eq(authorizationSyncs.id, id), isOpen, isNotNull(authorizationSyncs.failure))),
	);

/** Those of the merchants about whom something has changed that the provider, or who remembers its decision, may not know. */
export const findChanged = (
	orm: Orm,
	{ userId, organizationId }: Omit<Key, "merchantId">,
	merchantIds: readonly string[],
	realNow: number,
) =>
	orm
		.select({ merchantId: authorizationSyncs.merchantId })
		.from(authorizationSyncs)
		.where(
			and(
				eq(authorizationSyncs.userId, userId),
				eq(authorizationSyncs.organizationId, organizationId),
				isOneOf(authorizationSyncs.merchantId, merchantIds),
				or(isOpen, gt(authorizationSyncs.reachedAt, realNow - CHANGES_BIND_MS)),
			),
		);

export const expiredSyncs = (orm: Orm, realNow: number): Expired =>
	expired(orm, authorizationSyncs, {
		key: [authorizationSyncs.id],
		by: authorizationSyncs.reachedAt,
		before: realNow - CHANGES_BIND_MS,
	});
