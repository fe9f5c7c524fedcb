// Puts the credentials of a connection to the proof, and asks for the balance of the lender's account and about a transaction.

import type { Sending } from "../../runtime/outbox";
import type { ConnectionChecked } from "../../runtime/ports";
import type { PaymentProvider } from "../../shared/payment-providers";
import { endCheck, endStatus } from "./model/checks.store";

type Begun = { readonly id: string; readonly organizationId: string; readonly provider: PaymentProvider };

const OUTCOMES = {
	TOKEN_GIVEN: "SUCCEEDED",
	CREDENTIALS_REFUSED: "CREDENTIALS_REFUSED",
	PRODUCT_NOT_ALLOWED: "PRODUCT_NOT_ALLOWED",
	UNKNOWN: "NO_ANSWER",
} as const;

/** A check that is recorded. The answers come to addresses of their own; all else is known at once. */
export const checks: Sending<Begun, ConnectionChecked> = {
	what: "checks of connections",
	said: ({ balance }) => balance,
	send: ({ providers, realNow }, begun) => providers.lenderAccounts.check(begun, realNow),
	outcome({ db, log }, { id, organizationId }, { balance, status }) {
		if (balance === "CREDENTIALS_REFUSED") {
			log.error("a provider refuses the credentials of a connection", undefined, { organization: organizationId });
		}
		return [
			...(balance === "ASKED" ? [] : [endCheck(db.orm, id, OUTCOMES[balance])]),
			...(status === "ASKED" ? [] : [endStatus(db.orm, id, status === null ? null : "NO_ANSWER")]),
		];
	},
};
