// Puts the credentials of a connection to the proof, and asks for the balance of the lender's account.

import type { JobServices } from "../../runtime/services";
import type { PaymentProvider } from "../../shared/payment-providers";
import { endCheck } from "../payment-connections/checks.store";

type Begun = { readonly id: string; readonly organizationId: string; readonly provider: PaymentProvider };

const OUTCOMES = {
	TOKEN_GIVEN: "SUCCEEDED",
	CREDENTIALS_REFUSED: "CREDENTIALS_REFUSED",
	PRODUCT_NOT_ALLOWED: "PRODUCT_NOT_ALLOWED",
	UNKNOWN: "NO_ANSWER",
} as const;

/** Asks, once the check is recorded. The balance comes to an address of its own; all else is known at once. */
export async function check(services: JobServices, begun: Begun): Promise<void> {
	const { db, providers, realNow, log } = services;
	const asked = await providers.lenderAccounts.askBalance(begun, realNow);
	if (asked === "ASKED") return;
	if (asked === "CREDENTIALS_REFUSED") {
		log.error("a provider refuses the credentials of a connection", undefined, { organization: begun.organizationId });
	}
	await services.commit([endCheck(db.orm, begun.id, OUTCOMES[asked])]);
}
