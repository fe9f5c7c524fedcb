// Stores the expiry of offers that nobody accepted in time. They read as EXPIRED from that instant on; the sweep updates their
// rows and raises the events.

import { StaleWrite } from "../../../db/database";
import type { JobServices } from "../../../runtime/services";
import { expireOffer } from "./plan";
import { findOverdueOffers } from "./store";
import type { LoanApplicationRow } from "./table";

/** Offers for each commit: few enough for one D1 batch, with an event each. */
const BATCH = 20;

/** Expires one batch. Whether more may be waiting. */
export async function expireOffers(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [offers] = await db.read(findOverdueOffers(db.orm, now, BATCH));
	await expireAll(services, offers);
	return offers.length === BATCH;
}

async function expireAll(services: JobServices, offers: readonly LoanApplicationRow[]): Promise<void> {
	try {
		await services.commit(offers.flatMap((offer) => expireOffer(services, offer)));
	} catch (error) {
		if (!(error instanceof StaleWrite)) throw error;
		// An offer has changed since it was read. Expire each on its own, so that it does not block the others.
		if (offers.length > 1) for (const offer of offers) await expireAll(services, [offer]);
	}
}
