// Connects the accounts that have waited for a day, and that nobody has discarded.

import { first } from "../../db/reads";
import { unlessStale } from "../../db/stale";
import type { JobServices } from "../../runtime/services";
import { HOUR_MS } from "../../shared/time";
import { findMember } from "../organizations/members/store";
import { findOwners } from "../organizations/notices.plan";
import { findDueReplacements, setReplacement } from "./model/store";
import type { ConnectionRow } from "./model/table";
import { findOpen, replacementOf } from "./procedure";

/** Taken up in one run. */
const PORTION = 20;

/** Connects one portion. Whether more may be due. */
export async function replaceDue(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findDueReplacements(db.orm, now, PORTION));
	for (const row of due) await replace(services, row);
	return due.length === PORTION;
}

async function replace(services: JobServices, seen: ConnectionRow): Promise<void> {
	const { db, log, now } = services;
	const { organizationId, provider, replacement } = seen;
	const { asker, owners, open } = await db.read({
		asker: first(findMember(db.orm, organizationId, replacement?.requestedBy ?? "")),
		owners: findOwners(db.orm, organizationId),
		open: findOpen(db.orm, { organizationId, provider }),
	});
	// An open payout ends with the account by which it was ordered.
	const isOpen = open.payout !== undefined || open.moneyReturn !== undefined;
	// Nothing is done in the name of somebody who has been removed since.
	const planned = asker && !isOpen ? await replacementOf(services, seen, { person: null, owners }) : undefined;
	if (!planned && !isOpen)
		log.error("another account is not connected: nobody who may asks for it any more, or its secrets do not open", undefined, {
			organization: organizationId,
			provider,
		});
	const later = isOpen ? { replacement, replacedAt: now + HOUR_MS } : { replacement: null, replacedAt: null };
	const isDone = await unlessStale(() => services.commit(planned?.writes ?? [setReplacement(db.orm, seen, later)]));
	if (isDone) await planned?.carry(services);
}
