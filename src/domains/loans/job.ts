// Ends offers that nobody accepted. Offers past their expiry read as EXPIRED before the sweep stores it; offers of retired products are
// cancelled.

import type { Write } from "../../db/database";
import { togetherOrEach } from "../../db/stale";
import type { JobServices, Services } from "../../runtime/services";
import { cancelOffer, expireOffer } from "./model/plan";
import { findOffersOfRetired, findOverdueOffers } from "./model/store";
import type { LoanApplicationRow } from "./model/table";

/** Offers for each commit: few enough for one D1 batch, with an event each. */
const BATCH = 20;

/** Expires one batch. Whether more may be waiting. */
export async function expireOffers(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const offers = await db.read(findOverdueOffers(db.orm, now, BATCH));
	await endAll(services, offers, expireOffer);
	return offers.length === BATCH;
}

/** Cancels one batch of the offers of retired products. Whether more may be waiting. */
export async function cancelRetiredOffers(services: JobServices): Promise<boolean> {
	const { db } = services;
	const offers = await db.read(findOffersOfRetired(db.orm, BATCH));
	await endAll(services, offers, cancelOffer);
	return offers.length === BATCH;
}

type End = (services: Services, offer: LoanApplicationRow) => Write[];

/** Ends the offers, but for those that have changed since they were read. */
const endAll = (services: JobServices, offers: readonly LoanApplicationRow[], end: End) =>
	togetherOrEach(offers, (some) => services.commit(some.flatMap((offer) => end(services, offer))));
