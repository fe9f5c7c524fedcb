// Where a borrower wants to be paid, on the wire.

import * as z from "zod";
import { badInput } from "../../../shared/errors";
import { justWith } from "../../../shared/schema-rules";
import { DESTINATION_TYPES } from "./destination.policy";
import type { Wish } from "./payout.policy";

export const Payout = z
	.object({
		type: z.enum(DESTINATION_TYPES),
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

/** The request for; null where nothing was. Throws bad input unless an account is named just where one is needed. */
export function toWish(sent: z.output<typeof Payout> | undefined): Wish | null {
	if (sent === undefined) return null;
	const { type, payee_account_id: payeeAccountId = null } = sent;
	if ((type === "PAYEE_ACCOUNT") !== (payeeAccountId !== null)) {
		throw badInput("payout.payee_account_id", "must be sent with PAYEE_ACCOUNT, and with no other type", "REQUIRED");
	}
	return { type, payeeAccountId };
}

export const fromWish = (wish: Wish | null): z.input<typeof Payout> | null =>
	wish && { type: wish.type, ...(wish.payeeAccountId !== null && { payee_account_id: wish.payeeAccountId }) };
