// Sets the charges of statements off against charges by tariff that have come since, for each day once a sweep.

import type { JobServices } from "../../runtime/services";
import { findDueSetOffs, SET_OFFS, setOffDay } from "./charges.store";

/** Returns whether more may be due. */
export async function setOffCharges(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findDueSetOffs(db.orm));
	let done = 0;
	for (const each of due) {
		try {
			await services.commit(setOffDay(db.orm, each, now));
			done++;
		} catch (error) {
			services.log.error("charges could not be set off", error, { organization_id: each.organizationId, day: each.day });
		}
	}
	return done > 0 && due.length === SET_OFFS;
}
