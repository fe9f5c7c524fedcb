// Keeps organizations within their quota of deliveries, and the database from filling up: finished deliveries go early, oldest first, first
// those of more than a week, then those of more than a day. Their events stay.

import { eq } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { type Answer, first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { storageLevels } from "../../../events/table";
import type { JobServices } from "../../../runtime/services";
import { levelOf, type StorageLevel } from "../../../shared/storage-levels";
import { DAY_MS } from "../../../shared/time";
import { webhookQuotaNearing, webhookQuotaReached } from "../events";
import { archivePortion } from "./archive.procedure";
import { finishedOf } from "./purge.store";
import { crowdedStateOf, noticeOf, surplusOf } from "./quota.policy";
import { allCrowded, checkHolding, type Holding, largestHoldings, noteCrowded, noteNotified, uncheckedSince } from "./quota.store";

/** Deliveries that one commit removes, and commits of one turn of the sweep. */
const PORTION = 1_000;
const MAX_PORTIONS = 20;

/** How many days finished deliveries are kept: first the longer time, and where that is not enough the shorter. */
const KEPT_BEYOND_QUOTA = [7, 1];
const KEPT_IN_FULL: Partial<Record<StorageLevel, readonly number[]>> = { SHORT: [7], CLOSED: [7, 1] };

/** Checks one count, makes room, and notifies members of its level. Returns whether more is left to do. */
export async function keepToQuotas(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const { unchecked, ...known } = await db.read({ unchecked: first(uncheckedSince(db.orm, now - DAY_MS)), ...standingIn(db.orm) });
	if (unchecked) await db.commit([checkHolding(db.orm, unchecked.organizationId, now)]);
	const standing = unchecked ? await db.read(standingIn(db.orm)) : known;
	const { portions } = await makeRoom(services, standing);
	const after = portions === MAX_PORTIONS ? standing : await db.read(standingIn(db.orm));
	await noteWhoIsCrowded(services, after);
	const more = portions === 0;
	if (!more) await raiseNotices(services, after.holdings);
	return more || unchecked !== undefined;
}

/** Who holds how much, how full the database is, and who needs attention. */
const standingIn = (orm: Orm) => ({ holdings: largestHoldings(orm), storage: first(storageOf(orm)), crowded: allCrowded(orm) });
type Standing = Answer<ReturnType<typeof standingIn>>;

const storageOf = (orm: Orm) => orm.select().from(storageLevels).where(eq(storageLevels.id, 1));

type Leave = { portions: number };

/** How many portions are left. */
async function makeRoom(services: JobServices, { holdings, storage }: Standing): Promise<Leave> {
	const { db, config } = services;
	const left: Leave = { portions: MAX_PORTIONS };
	for (const holding of holdings) {
		let surplus = surplusOf({ held: holding.held, quota: quotaOf(services, holding) });
		for (const days of KEPT_BEYOND_QUOTA)
			surplus -= await removeOld(services, holding, days, { left, wanted: (removed) => surplus - removed });
	}
	const { level = "AMPLE" } = storage ?? {};
	const stillFull = () => (levelOf(db.bytes, config.DATABASE_BYTES) === level ? PORTION : 0);
	// The largest first, and only as long as space is short.
	for (const days of KEPT_IN_FULL[level] ?? [])
		for (const holding of holdings) await removeOld(services, holding, days, { left, wanted: stillFull });
	return left;
}

const quotaOf = ({ config }: JobServices, { quota }: Holding): number => quota ?? config.WEBHOOK_QUOTA;

/**
 * Removes finished deliveries of the organization that are older than so many days, as many as are wanted; with a bucket into the archive.
 * Returns how many it has removed.
 */
async function removeOld(
	services: JobServices,
	{ organizationId }: Holding,
	days: number,
	{ left, wanted }: { left: Leave; wanted: (removed: number) => number },
): Promise<number> {
	const { db, now, config, providers } = services;
	const { archive } = providers;
	const before = now - days * DAY_MS;
	const kinds = archive
		? [(limit: number) => archivePortion(services, archive, { organizationId, before, failedToo: true }, limit)]
		: finishedOf(db.orm, organizationId, before, now - config.RETENTION_DAYS * DAY_MS).map((kind) => async (limit: number) => {
				const results: readonly unknown[] = await db.commit(kind(limit));
				return (results.at(-1) as D1Result).meta.changes;
			});
	let removed = 0;
	for (const remove of kinds) {
		let found = true;
		while (found && left.portions > 0 && wanted(removed) > 0) {
			const count = await remove(Math.min(PORTION, wanted(removed)));
			removed += count;
			found = count > 0;
			if (found) left.portions--;
		}
	}
	return removed;
}

/** For the list of what needs attention. */
async function noteWhoIsCrowded(services: JobServices, { holdings, storage, crowded }: Standing): Promise<void> {
	const { db, now } = services;
	const before = new Map(crowded.map(({ id, state }) => [id, state]));
	const changed = holdings.flatMap((holding, index) => {
		const { organizationId: id, held } = holding;
		const was = before.get(id) ?? null;
		const state = crowdedStateOf({ held, quota: quotaOf(services, holding), most: index === 0, state: was }, storage?.level ?? "AMPLE");
		return state === was ? [] : [{ id, state }];
	});
	if (changed.length > 0) await db.commit(noteCrowded(changed, now));
}

async function raiseNotices(services: JobServices, holdings: readonly Holding[]): Promise<void> {
	const { db, now } = services;
	for (const holding of holdings) {
		const { organizationId, held } = holding;
		const quota = quotaOf(services, holding);
		const notice = noticeOf({ ...holding, quota }, now);
		if (!notice) continue;
		const told = { organizationId, data: { organization_id: organizationId, held, quota } };
		await services.commit(
			notice === "NEARING"
				? [noteNotified(db.orm, holding, { nearingToldAt: now }), raise(services, webhookQuotaNearing, told)]
				: notice === "REACHED"
					? [noteNotified(db.orm, holding, { reachedToldAt: now }), raise(services, webhookQuotaReached, told)]
					: [noteNotified(db.orm, holding, { nearingToldAt: null, reachedToldAt: null })],
		);
	}
}
