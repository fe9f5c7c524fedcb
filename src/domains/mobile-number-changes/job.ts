// Ends mobile-number changes that were refused or not completed in time, and brings the directory up to date with those that were.

import { eq } from "drizzle-orm";
import type { Effect, Write } from "../../db/database";
import { formsOf } from "../../db/names";
import { DIRECTORY_HOME } from "../../db/places";
import { first } from "../../db/reads";
import { eachUnlessStale } from "../../db/stale";
import { afterCommit, attempt } from "../../runtime/outbox";
import type { CustodianInstruction } from "../../runtime/ports";
import type { JobServices, Services } from "../../runtime/services";
import { MINUTE_MS } from "../../shared/time";
import { custodianOutbox } from "../current-accounts/custodian/procedure";
import { noticesTo } from "../messages/notices.plan";
import { VALIDITY_MS } from "../users/model/number-change.lifecycle";
import { type ChangeRow, mobileNumberChanges } from "../users/model/number-change.table";
import { findReserved, removeName, settleName } from "../users/model/phone-name.store";
import { finishNames } from "../users/model/plan";
import { findUser, phoneName } from "../users/model/store";
import { abandon, endRefused } from "./plan";
import { findExpired, findRefused, findUnfinished } from "./store";

const BATCH = 20;
/** How long after the end of its change a reservation is left alone. */
const GRACE_MS = 5 * MINUTE_MS;

/** Belongs to the commit that orders the instruction. If the custodian does not take it, the due work of instructions repeats it. */
export const instructSoon = (services: Services, instruction: CustodianInstruction | undefined): Effect[] =>
	instruction ? [afterCommit(services, (job) => instructCustodian(job, instruction))] : [];

export async function instructCustodian(services: JobServices, instruction: CustodianInstruction): Promise<void> {
	if ((await attempt(services, custodianOutbox, instruction)) === "REFUSED") await failRefused(services);
}

/** Fails one portion of the changes whose number the provider has refused. Whether more may be waiting. */
export async function failRefused(services: JobServices): Promise<boolean> {
	const { db } = services;
	const refused = await db.read(findRefused(db.orm, BATCH));
	await eachUnlessStale(refused, async (row) => services.commit([endRefused(services, row), ...(await noticesOfEnd(services, row))]));
	return refused.length === BATCH;
}

/** What the user learns of a recovery that ends without their new number: each day a message said that it would come. */
export async function noticesOfEnd(services: Services, { userId, notBefore }: ChangeRow): Promise<Write[]> {
	if (notBefore === null) return [];
	const owner = await services.db.read(first(findUser(services.db.orm, userId)));
	return owner ? noticesTo(services, owner, { key: "RECOVERY_FAILED", values: {} }) : [];
}

/** Expires one portion of the overdue changes. Returns whether more may be waiting. */
export async function expireChanges(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findExpired(db.orm, now, BATCH));
	await eachUnlessStale(due, async (row) => {
		const { writes, instruction } = abandon(services, row, "expire");
		await services.commit([...writes, ...(await noticesOfEnd(services, row)), ...instructSoon(services, instruction)]);
	});
	return due.length === BATCH;
}

/** Updates the directory after a completed change. Safe to run twice. */
export async function finishChange(services: JobServices, { id, userId, newNumber, oldNumber }: ChangeRow): Promise<void> {
	const directory = services.at(DIRECTORY_HOME);
	const [fresh, old] = [await phoneName(services, newNumber), oldNumber === null ? null : await phoneName(services, oldNumber)];
	await directory.commit(finishNames(directory.db.orm, { changeId: id, userId, fresh, old }));
	await services.commit([
		services.db.orm.update(mobileNumberChanges).set({ namesFinishedAt: services.now }).where(eq(mobileNumberChanges.id, id)),
	]);
}

/** Updates the directory for one portion of the completed changes. Returns whether more may be waiting. */
export async function finishChanges(services: JobServices): Promise<boolean> {
	const { db } = services;
	const unfinished = await db.read(findUnfinished(db.orm, BATCH));
	for (const row of unfinished) await finishChange(services, row);
	return unfinished.length === BATCH;
}

/**
 * Clears reservations that are older than a change can be: a call that died may have left one, and one whose answer was lost may have
 * made it after the number was given for another change. The row in the user's home decides: the number is theirs for good, or free.
 * Only the directory has reservations.
 */
export async function clearReservations(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	if (db !== services.databases.directory) return false;
	const reserved = await db.read(findReserved(db.orm, now - VALIDITY_MS - GRACE_MS, BATCH));
	for (const name of reserved) {
		const there = services.at(name.id);
		const { owner, change } = await there.db.read({
			owner: first(findUser(there.db.orm, name.id)),
			change: first(
				there.db.orm
					.select({ status: mobileNumberChanges.status })
					.from(mobileNumberChanges)
					.where(eq(mobileNumberChanges.id, name.reservedFor ?? "")),
			),
		});
		const number = owner?.mobileNumber ?? null;
		if (number !== null && formsOf(await phoneName(services, number)).includes(name.value)) {
			await services.commit([settleName(db.orm, name.value, name)]);
			continue;
		}
		// An open change must be expired by its home first.
		const isOpen = change?.status === "INITIALIZING" || change?.status === "AUTHORIZED";
		if (!isOpen) await services.commit([removeName(db.orm, name.value, name)]);
	}
	return false;
}
