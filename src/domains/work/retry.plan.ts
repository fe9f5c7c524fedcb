// Does work again at once that would be done again later, under the same reference.

import { effect, type Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { makeAttemptDue } from "../current-accounts/custodian/store";
import { bookSoon, sendSoon } from "../disbursements/model/store";
import { syncSooner } from "../organizations/authorization/store";
import { retryClose } from "../portfolio/close.store";
import { askAgain } from "../repayments/recording/confirmations.store";
import { retryReturn } from "../repayments/returns/store";
import { executeSooner } from "../transfers/store";
import { forgetDeadLetter } from "../webhooks/deliveries/dead-letters.store";
import type { WorkKind } from "./kinds.policy";
import type { WorkRow } from "./wire";

/** The writes that make the work due; none for what no attempt could end. */
export function retryOf(services: Services, kind: WorkKind, { id, nextAttemptAt, state }: WorkRow): Write[] {
	const { db, now, queue } = services;
	switch (kind) {
		case "DISBURSEMENT":
			return nextAttemptAt === null ? [] : [sendSoon(db.orm, id, now)];
		case "CONFIRMATION":
			return state === "UNVERIFIED" || state === "CONTRADICTED" ? [] : [askAgain(db.orm, id, now)];
		case "CONTRADICTION":
			return [bookSoon(db.orm, id, now)];
		case "TRANSFER":
			return nextAttemptAt === null ? [] : [executeSooner(db.orm, id, now)];
		case "RETURN":
			return [retryReturn(db.orm, id, now)];
		case "CUSTODIAN":
			return [makeAttemptDue(db.orm, id, now)];
		case "AUTHORIZATION_SYNC":
			return nextAttemptAt === null ? [] : [syncSooner(db.orm, id, now)];
		case "PORTFOLIO":
			return retryClose(db.orm, id, now);
		case "DEAD_LETTER": {
			const lane = state === "SLOW" ? "SLOW" : "QUICK";
			const poked = () => services.afterwards(() => queue.poke([{ webhookId: id, lane }]));
			return [effect([forgetDeadLetter(db.orm, id)], poked)];
		}
		default:
			return [];
	}
}
