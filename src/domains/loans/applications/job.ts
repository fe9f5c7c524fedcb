// Offers that nobody took in time: the sweep writes down what reads as EXPIRED already, so that the event is raised.

import { StaleWrite } from "../../../db/database";
import type { JobServices } from "../../../runtime/services";
import type { LoanApplicationRow } from "../table";
import { expire, findOverdueOffers } from "./store";

/** Few enough for one batch, each with its event. */
const BATCH = 20;
/** Of one run, which has other work to do: a Worker may make only so many calls. The rest waits for the next. */
const ROUNDS = 50;

export async function expireOffers(services: JobServices): Promise<void> {
	const { db, now } = services;
	for (let round = 1; round <= ROUNDS; round++) {
		const [offers] = await db.read(findOverdueOffers(db.orm, now, BATCH));
		await expireAll(services, offers);
		if (offers.length < BATCH) return;
	}
}

async function expireAll(services: JobServices, offers: readonly LoanApplicationRow[]): Promise<void> {
	try {
		await services.commit(offers.flatMap((offer) => expire(services, offer)));
	} catch (error) {
		if (!(error instanceof StaleWrite)) throw error;
		// One of them moved on meanwhile; alone, it can hold up nobody else.
		if (offers.length > 1) for (const offer of offers) await expireAll(services, [offer]);
	}
}
