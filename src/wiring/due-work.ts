// What falls due with time: done by the sweep each minute, and at once when the sandbox's clock is moved.

import { expireOffers } from "../domains/loans/applications/job";
import { sendDueInstructions } from "../domains/loans/disbursements/store";
import { purgeMessages, sendMessages } from "../domains/messages/store";
import { purgeOtp } from "../domains/otp/store";
import { purgeTokens } from "../domains/tokens/exchange/store";
import type { JobServices } from "../runtime/services";

/** Each runs on its own: one that fails is logged and stops no other. Safe to run twice, and at any time. */
export const dueWork: readonly { name: string; run(services: JobServices): Promise<void> }[] = [
	{ name: "loans.expire-offers", run: expireOffers },
	{ name: "loans.send-disbursements", run: sendDueInstructions },
	{ name: "messages.send", run: (services) => sendMessages(services) },
	{ name: "messages.purge", run: ({ db, now, commit }) => commit([purgeMessages(db.orm, now)]) },
	{ name: "otp.purge", run: ({ db, now, commit }) => commit(purgeOtp(db.orm, now)) },
	{ name: "tokens.purge", run: ({ db, realNow, commit }) => commit(purgeTokens(db.orm, realNow)) },
];
