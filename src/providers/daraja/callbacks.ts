// What Daraja posts: confirmations of payments, what can be read from them, and what it expects to be answered. Its times are East African
// without a zone, its amounts decimal texts, and payers appear by their number or by the SHA-256 of its digits.

import * as z from "zod";
import { sha256Hex } from "../../shared/bytes";
import { canonicalJson } from "../../shared/json";
import { HOUR_MS } from "../../shared/time";
import { Receipt } from "../../shared/visible-key";

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

const EAST_AFRICA_MS = 3 * HOUR_MS;

/** The instant of a time `YYYYMMDDHHmmss`; undefined when there is no such time. */
export function instantOf(text: string): number | undefined {
	const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
	if (!match) return undefined;
	const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
	const local = Date.UTC(year, month - 1, day, hours, minutes, seconds);
	const digits = new Date(local).toISOString().slice(0, 19).replaceAll(/\D/g, "");
	return digits === text ? local - EAST_AFRICA_MS : undefined;
}

/** The time of an instant as confirmations have it. */
export const timeOf = (instant: number): string => new Date(instant + EAST_AFRICA_MS).toISOString().replaceAll(/\D/g, "").slice(0, 14);

/** In minor units. `isExact`: nothing was rounded away. */
export type ConfirmedAmount = { readonly value: number; readonly isExact: boolean };

/** The amount in cents, rounded down; undefined when it is none, or not positive. */
export function amountOf(text: string): ConfirmedAmount | undefined {
	const match = /^(\d{1,16})(?:\.(\d*))?$/.exec(text.trim());
	if (!match) return undefined;
	const [, whole = "0", fraction = ""] = match;
	const value = Number(BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, "0")));
	if (value === 0 || !Number.isSafeInteger(value)) return undefined;
	return { value, isExact: /^0*$/.test(fraction.slice(2)) };
}

/** An account number as payers write it: in groups, or with dashes. */
export const accountNumberIn = (reference: string): string => reference.replaceAll(/[\s-]/g, "");

/** The Kenyan mobile number that a payer has typed instead of an account number: `0712345678`, `0112345678` or `254712345678`. */
export function phoneIn(number: string): string | undefined {
	const [, digits] = /^(?:\+?254|0)([17]\d{8})$/.exec(number) ?? [];
	return digits === undefined ? undefined : `+254${digits}`;
}

/** How the payer appears: by the digits of their number, or by the SHA-256 of them. A masked number names nobody. */
export function payerOf(msisdn: string): { digits: string } | { sha256: string } | undefined {
	const text = msisdn.trim().replace(/^\+/, "").toLowerCase();
	if (/^\d{8,15}$/.test(text)) return { digits: text };
	return /^[0-9a-f]{64}$/.test(text) ? { sha256: text } : undefined;
}

/** What the log may have of a receipt: nothing that is none. */
export const receiptIn = (text: string): string | undefined => (/^[A-Z0-9]{8,20}$/.test(text) ? text : undefined);

/** Of a payment of which the provider itself has said that it was made. */
export const verifiedFingerprint = (transactionId: string, amount: number): Promise<string> =>
	sha256Hex(canonicalJson(["daraja", transactionId, amount]));

/** What Daraja expects as the answer to each of its reports. */
export const ACCEPTED = { ResultCode: 0, ResultDesc: "Accepted" } as const;
export const Accepted = z.object({ ResultCode: z.literal(0), ResultDesc: z.literal("Accepted") }).meta({ id: "DarajaAccepted" });
