// What falls due by itself. The cron calls each in turn, and so does the sandbox's clock when it is moved.

import { sendDueInstructions } from "./domains/loans/disbursement.store";
import { expireOffers } from "./domains/loans/expiry.store";
import type { Services } from "./services";

export const dueWork: readonly { name: string; run(services: Services): Promise<void> }[] = [
	{ name: "loans.expire-offers", run: expireOffers },
	{ name: "loans.send-disbursements", run: sendDueInstructions },
];
