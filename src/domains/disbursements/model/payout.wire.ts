// Where a borrower wants to be paid, on the wire.

import * as z from "zod";
import { badInput } from "../../../shared/errors";
import { justWith } from "../../../shared/schema-rules";
import { DESTINATION_TYPES } from "./destination.policy";
import type { RequestedPlace } from "./payout.policy";

export const Payout = z
	.object({
		type: z.enum(DESTINATION_TYPES).meta({ title: "DestinationType" }),
		payee_account_id: z
			.uuid()
			.toLowerCase()
			.optional()
			.meta({ description: "Of PAYEE_ACCOUNT: a verified account in the borrower's own name" }),
	})
	.meta({
		id: "Payout",
		description: "Where the money goes: by default to the borrower's own number, else to their current account",
		...justWith("payee_account_id", "type", "PAYEE_ACCOUNT"),
	});

/** The place that a request names; null if it names none. Throws bad input unless PAYEE_ACCOUNT, and no other type, comes with an account. */
export function toRequestedPlace(sent: z.output<typeof Payout> | undefined): RequestedPlace | null {
	if (sent === undefined) return null;
	const { type, payee_account_id: payeeAccountId = null } = sent;
	if ((type === "PAYEE_ACCOUNT") !== (payeeAccountId !== null)) {
		throw badInput("payout.payee_account_id", "must be sent with PAYEE_ACCOUNT, and with no other type", "REQUIRED");
	}
	return { type, payeeAccountId };
}

export const fromRequestedPlace = (requested: RequestedPlace | null): z.input<typeof Payout> | null =>
	requested && { type: requested.type, ...(requested.payeeAccountId !== null && { payee_account_id: requested.payeeAccountId }) };
