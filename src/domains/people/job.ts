// Works erasures off, a portion in a commit that also says how far it came: after any interruption the next run continues from there.

import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { assign } from "../../db/columns";
import type { Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { formsOf } from "../../db/names";
import { first } from "../../db/reads";
import { unlessStale } from "../../db/stale";
import { raise } from "../../events/raise";
import { destroyKeys, findKeysLeft, writeKeyFiles } from "../../runtime/backup-keys";
import type { JobServices } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { MINUTE_MS, toTimestamp } from "../../shared/time";
import { openConfirmation } from "../repayments/recording/confirmations.procedure";
import { ERASED_TAG, findUser, phoneName, phoneNameOfHash } from "../users/model/store";
import { erasureOf, nobody, personOf } from "./copies.plan";
import { userErased } from "./events";
import { isTypedOf, type Person, subjectsOf } from "./person.policy";
import { PLACES, type Place } from "./places.store";
import {
	changeFound,
	changeWithin,
	confirmationsWithin,
	endOfStretch,
	type Key,
	MOST_CHANGED,
	type Stretch,
	sealAgain,
} from "./portions.store";
import { findDue, findErasure, findMarks, findUnannouncedErasures } from "./store";
import { type ErasureRow, erasures } from "./table";

/** Announced in one run. */
const TOLD = 20;
/** Rows that are opened in a portion. */
const OPENED = 50;
/** Until the bucket is asked again that did not take a key file. */
const WITHOUT_BUCKET_MS = 10 * MINUTE_MS;

/** Works one portion off, or announces what is done. Returns whether more may be waiting. */
export async function workOnErasures(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const { due, unannounced } = await db.read({ due: first(findDue(db.orm, now)), unannounced: findUnannouncedErasures(db.orm, TOLD) });
	for (const row of unannounced) await unlessStale(() => announce(services, row));
	if (!due) return false;
	// Stale: another run has come further meanwhile.
	await unlessStale(() => workOff(services, due));
	return true;
}

async function workOff(services: JobServices, row: ErasureRow): Promise<unknown> {
	const again = await begunAgain(services, row);
	if (again) return services.commit(again);
	const person = await personOf(services, row);
	const isHome = isAtHome(services, row);
	const isDirectory = services.db === services.databases.directory;
	const isHere = ({ only }: Place) => only === undefined || (only === "home" ? isHome : isDirectory);
	const place = PLACES.findIndex((each, index) => index >= row.place && isHere(each) && (each.sealed || each.where(person)));
	const at = PLACES[place];
	if (!at) {
		return services.commit(await lastWrites(services, row, { person, isHome }));
	}
	const from = place === row.place ? row.cursor : null;
	const where = at.where(person);
	if (at.indexed && where) {
		const goesOn = sql`${place} + (changes() < ${MOST_CHANGED})`;
		return services.commit([
			changeFound(at, person, where),
			move(services, row, sql`${assign(erasures, { place: goesOn, cursor: null })}`),
		]);
	}
	const [end] = await services.db.read(endOfStretch(services.db.orm, at, from, at.sealed && OPENED));
	const to: Key | undefined = end && Object.values(end);
	const stretch = { from, to };
	const writes = where ? [changeWithin(at, person, where, stretch)] : await sealedAgain(services, at, person, stretch);
	const next = to ? { place, cursor: JSON.stringify(to) } : { place: place + 1, cursor: null };
	return services.commit([...writes, move(services, row, assign(erasures, next))]);
}

/**
 * What begins an erasure once more whose database was restored, and has lost by what the person is found: the user's row says it again.
 * Undefined where it needs no such beginning.
 */
async function begunAgain(services: JobServices, row: ErasureRow): Promise<Write[] | undefined> {
	const { db } = services;
	if (row.sealed !== null || row.place > 0 || row.cursor !== null || !isAtHome(services, row)) return undefined;
	const { owner, ...known } = await db.read({ owner: first(findUser(db.orm, row.userId)), ...findMarks(db.orm, row.userId) });
	if (!owner || owner.tag === ERASED_TAG) return undefined;
	const { sealed } = await erasureOf(services, owner, known);
	return [move(services, row, assign(erasures, { sealed })), ...nobody(services, row.userId)];
}

/** Stale if another run has moved it. */
const move = ({ db }: JobServices, { userId, place, cursor }: ErasureRow, set: SQL): Write =>
	guarded(
		db.orm.run(sql`update ${erasures} set ${set} where ${erasures.userId} = ${userId} and ${erasures.place} = ${place}
			and ${erasures.cursor} is ${cursor && JSON.stringify(cursor)} and ${erasures.finishedAt} is null`),
	);

/**
 * Destroys the keys under which files of the backup have the person, then in the bucket, and ends the erasure. While the bucket does not
 * take that, the erasure is not over, and others go first.
 */
async function lastWrites(
	services: JobServices,
	row: ErasureRow,
	{ person, isHome }: { readonly person: Person; readonly isHome: boolean },
): Promise<Write[]> {
	const { orm } = services.db;
	const hashes = await Promise.all(person.numbers.map((number) => sha256Hex(number.replace(/^\+/, ""))));
	const subjects = subjectsOf(person, hashes);
	const left = await services.db.read(findKeysLeft(orm, subjects));
	if (left?.keys) return destroyKeys(orm, subjects);
	const { backup } = services.providers;
	try {
		if (left?.files && backup) await writeKeyFiles(services, backup);
	} catch (error) {
		services.log.error("an erasure waits for the bucket of the backup, which does not take a key file without the person", error);
		return [move(services, row, assign(erasures, { beginsAt: services.now + WITHOUT_BUCKET_MS }))];
	}
	return [move(services, row, finished(services, isHome))];
}

/** Nobody can find the person any more. Only their home announces it. */
const finished = ({ now }: JobServices, isHome: boolean): SQL =>
	assign(erasures, { sealed: null, cursor: null, finishedAt: now, erasedAt: isHome ? null : now });

const isAtHome = (services: JobServices, { userId }: ErasureRow): boolean => services.at(userId).db === services.db;

/** Confirmations whose payer is the person, or has typed who they are, without them. */
async function sealedAgain(services: JobServices, place: Place, person: Person, stretch: Stretch): Promise<Write[]> {
	const { db, config } = services;
	const rows = await db.read(confirmationsWithin(db.orm, place, stretch));
	const writes = await Promise.all(
		rows.map(async (row): Promise<Write[]> => {
			const confirmation = await openConfirmation(config.keyring, row);
			const payer = confirmation && (await payerNames(services, String(confirmation.MSISDN ?? "")));
			if (!confirmation) return [];
			const isPayer = payer?.some((form) => person.phones.includes(form));
			const isTyped = isTypedOf(person, String(confirmation.BillRefNumber ?? ""));
			if (!isPayer && !isTyped) return [];
			const rest = { ...confirmation, ...(isPayer && { MSISDN: undefined }), ...(isTyped && { BillRefNumber: undefined }) };
			return [sealAgain(db.orm, row, await config.keyring.seal("confirmation", row.id, JSON.stringify(rest)))];
		}),
	);
	return writes.flat();
}

/** A payer is known by the number or by the number's SHA-256. */
const payerNames = async (services: JobServices, told: string): Promise<readonly string[]> =>
	formsOf(await (/^[0-9a-f]{64}$/i.test(told) ? phoneNameOfHash(services, told.toLowerCase()) : phoneName(services, told)));

/** Informs the organization, once every database has finished. */
async function announce(services: JobServices, row: ErasureRow): Promise<void> {
	const { now } = services;
	const everywhere = await Promise.all(services.everywhere().map(({ db }) => db.read(first(findErasure(db.orm, row.userId)))));
	if (!everywhere.every((one) => one?.finishedAt != null)) return;
	const told = services.db.orm
		.update(erasures)
		.set({ erasedAt: now })
		.where(and(eq(erasures.userId, row.userId), isNull(erasures.erasedAt)));
	const { userId, organizationId } = row;
	const data = { user_id: userId, erased_at: toTimestamp(now) };
	await services.commit([guarded(told), raise(services, userErased, { organizationId, entityId: userId, data })]);
}
