// Tells the provider to give a payment back. It has no reference of ours, and needs none: it knows by the receipt that a payment was given
// back before, and says so. So it is told again until it says what became of it.

import { effect, type Write } from "../../../db/database";
import type { JobServices, Services } from "../../../runtime/services";
import { failReturn } from "./plan";
import { isOnlyAttempt, markHarmless, markTaken } from "./store";
import type { ReturnRow } from "./table";

type Planned = { readonly row: ReturnRow; readonly writes: readonly Write[] };

/** The writes of an order. Once they are committed, the provider is told. */
export const ordered = (services: Services, { row, writes }: Planned): Write[] => [
	...writes,
	effect([], () => services.afterwards((job) => tellReturn(job, row))),
];

/** Makes an attempt that is counted already. Its result comes to an address of its own. */
export async function tellReturn(services: JobServices, row: ReturnRow): Promise<void> {
	const { db, now, realNow, providers } = services;
	const { id, organizationId, shortCode, receipt, amount } = row;
	const told = await providers.collections.giveBack({ id, organizationId, shortCode, receipt, amount }, realNow);
	switch (told.outcome) {
		case "TAKEN":
			await services.commit([markTaken(db.orm, id, now)]);
			return;
		case "REFUSED":
			await services.commit(failReturn(services, row, told.reason, isOnlyAttempt(id)));
			return;
		case "NOT_SENT":
			await services.commit([markHarmless(db.orm, id)]);
			return;
		case "UNKNOWN":
	}
}
