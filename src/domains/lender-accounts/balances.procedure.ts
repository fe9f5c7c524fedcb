// Puts the credentials of a connection to the proof, and asks for the balance of the lender's account and about a transaction.

import type { JobServices } from "../../runtime/services";
import type { PaymentProvider } from "../../shared/payment-providers";
import { endCheck, endStatus } from "../payment-connections/checks.store";

type Begun = { readonly id: string; readonly organizationId: string; readonly provider: PaymentProvider };

const OUTCOMES = {
	TOKEN_GIVEN: "SUCCEEDED",
	CREDENTIALS_REFUSED: "CREDENTIALS_REFUSED",
	PRODUCT_NOT_ALLOWED: "PRODUCT_NOT_ALLOWED",
	UNKNOWN: "NO_ANSWER",
} as const;

/** Asks, once the check is recorded. The answers come to addresses of their own; all else is known at once. */
export async function check(services: JobServices, begun: Begun): Promise<void> {
	const { db, providers, realNow, log } = services;
	const { balance, status } = await providers.lenderAccounts.check(begun, realNow);
	if (balance === "ASKED" && status === "ASKED") return;
	if (balance === "CREDENTIALS_REFUSED") {
		log.error("a provider refuses the credentials of a connection", undefined, { organization: begun.organizationId });
	}
	await services.commit([
		...(balance === "ASKED" ? [] : [endCheck(db.orm, begun.id, OUTCOMES[balance])]),
		...(status === "ASKED" ? [] : [endStatus(db.orm, begun.id, status === null ? null : "NO_ANSWER")]),
	]);
}
