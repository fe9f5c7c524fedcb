// Looks for the rows of names that were reserved for another database. A name whose row is there is final; one whose row never came,
// because a call died in between and nobody came back, is given back.

import { isOneOf } from "../db/columns";
import type { Write } from "../db/database";
import { findUnsettled, giveBack, settle, type UnsettledName } from "../db/names";
import { heldByReturned } from "../domains/disbursements/returned.procedure";
import { organizations } from "../domains/organizations/table";
import { heldByPayouts } from "../domains/transfers/transaction.procedure";
import { heldByUsers } from "../domains/users/held-names.procedure";
import type { JobServices, Services } from "../runtime/services";
import { MINUTE_MS } from "../shared/time";

const BATCH = 40;
/** No call is under way for so long. */
const GRACE_MS = 5 * MINUTE_MS;

/** Looks for one portion. Returns whether more may be waiting. Only the directory has names. */
export async function settleNames(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	if (db !== services.databases.directory || services.databases.alone) return false;
	const unsettled = await db.read(findUnsettled(db.orm, BATCH));
	const found = await Promise.all(
		[...Map.groupBy(unsettled, ({ id }) => services.at(id).db).values()].map((each) => findHeld(services, each)),
	);
	const held = new Set(found.flat());
	const writes = unsettled.flatMap((name): Write[] => {
		if (held.has(name)) return [settle(db.orm, name)];
		return name.reservedAt <= now - GRACE_MS ? [giveBack(db.orm, name)] : [];
	});
	await services.commit(writes);
	return unsettled.length === BATCH && writes.length > 0;
}

/** Those whose rows are there, of names whose ids are of one database. */
async function findHeld(services: Services, unsettled: readonly UnsettledName[]): Promise<UnsettledName[]> {
	const there = services.at(unsettled[0]?.id ?? 0);
	const {
		SLUG: slugs = [],
		PAYOUT_TRANSACTION: transactions = [],
		PAYOUT_RETURN: returned = [],
		...others
	} = Object.groupBy(unsettled, ({ kind }) => kind);
	const ofUsers = Object.values(others).flat();
	const held = await Promise.all([
		slugs.length > 0 ? heldByOrganizations(services, slugs) : [],
		transactions.length > 0 ? heldByPayouts(there, transactions) : [],
		returned.length > 0 ? heldByReturned(there, returned) : [],
		ofUsers.length > 0 ? heldByUsers(there, ofUsers) : [],
	]);
	return held.flat();
}

/** The directory has a row of each organization before its home does. */
async function heldByOrganizations({ databases }: Services, slugs: readonly UnsettledName[]): Promise<UnsettledName[]> {
	const { directory } = databases;
	const ids = slugs.map(({ id }) => id);
	const rows = await directory.read(
		directory.orm.select({ id: organizations.id, slug: organizations.slug }).from(organizations).where(isOneOf(organizations.id, ids)),
	);
	return slugs.filter(({ id, value }) => rows.some((row) => row.id === id && row.slug === value));
}
