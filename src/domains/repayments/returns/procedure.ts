// Orders the provider to give a payment back. The order has no reference of ours, and needs none: the provider knows by the receipt that a
// payment was given back before, and says so. So the service repeats the order until the provider reports the outcome.

import { eq } from "drizzle-orm";
import { countAttempt } from "../../../db/attempts";
import type { Write } from "../../../db/database";
import { type Outbox, sendAfter, sendDue } from "../../../runtime/outbox";
import type { InstructionOutcome } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { delayAfter } from "../../../shared/backoff";
import { inquireAgainAfter } from "../../disbursements/model/lifecycle";
import { failReturn } from "./plan";
import { findDueReturns, isOnlyAttempt, markHarmless, markTaken } from "./store";
import { paymentReturns, type ReturnRow } from "./table";

/** The result of each attempt comes to an address of its own. */
const returns: Outbox<ReturnRow, ReturnRow, InstructionOutcome> = {
	what: "returns of money",
	said: ({ outcome }) => outcome,
	async due({ db, now }, most) {
		const due = await db.read(findDueReturns(db.orm, now, most));
		return due;
	},
	claim: ({ db, now }, row) =>
		countAttempt(db.orm, paymentReturns, row, {
			next: now + (row.status === "TAKEN" ? inquireAgainAfter(now - row.createdAt) : delayAfter(row.attempts + 1)),
			open: eq(paymentReturns.status, row.status),
		}),
	send: ({ providers, realNow }, { id, organizationId, shortCode, receipt, amount }) =>
		providers.collections.giveBack({ id, organizationId, shortCode, receipt, amount }, realNow),
	outcome(services, row, answer) {
		const { db, now } = services;
		switch (answer.outcome) {
			case "TAKEN":
				return [markTaken(db.orm, row.id, now)];
			case "REFUSED":
				return failReturn(services, row, answer.reason, isOnlyAttempt(row.id));
			case "NOT_SENT":
				return [markHarmless(db.orm, row.id)];
			case "UNKNOWN":
				return [];
		}
	},
	late: ({ id }) => ["a return of money is open for more than a day", { payment_id: id }],
};

/** Sends a portion of those whose outcome the provider has not reported. The result is whether more may be waiting. */
export const sendDueReturns = sendDue(returns);

type Planned = { readonly row: ReturnRow; readonly writes: readonly Write[] };

/** The writes of an order. Once they are committed, it is sent to the provider. */
export const ordered = (services: Services, { row, writes }: Planned): Write[] => [...writes, sendAfter(services, returns, row)];
