// Confirmations of payments as Daraja posts them.

import * as z from "zod";
import { Receipt } from "../wire";

/** The provider sends texts, and some of its versions numbers. */
const text = z.union([z.string().max(255), z.number()]);
const optional = text.nullish();

export const Confirmation = z
	.looseObject({
		TransactionType: optional,
		TransID: Receipt,
		TransTime: text.meta({ description: "YYYYMMDDHHmmss in East Africa Time" }),
		TransAmount: text.meta({ description: "A decimal number" }),
		BusinessShortCode: optional,
		BillRefNumber: optional.meta({ description: "The account number, as the payer typed it in" }),
		MSISDN: optional.meta({ description: "The payer's number, or the SHA-256 of its digits" }),
	})
	.meta({ id: "DarajaConfirmation" });
export type Confirmation = z.output<typeof Confirmation>;
