// Payees and their accounts on the wire, and what identifies an account of each type.

import * as z from "zod";
import { resourceId } from "../../shared/ids";
import { isShown, MUST_BE_SHOWN } from "../../shared/shown-text";
import { toTimestamp } from "../../shared/time";
import { PhoneNumber } from "../users/model/phone.wire";
import { ACCOUNT_TYPES, type AccountType, BLOCK_REASONS, displayName, VERIFICATION_STATES, type VerificationState } from "./policy";
import type { PayeeAccountRow, PayeeRow } from "./table";

/** Names and labels are shown to people. */
const line = (length: number) => z.string().trim().min(1).max(length).refine(isShown, MUST_BE_SHOWN);
const code = z
	.string()
	.trim()
	.regex(/^[A-Za-z0-9]{1,34}$/, "must be letters and digits");
const till = z
	.string()
	.trim()
	.regex(/^\d{4,10}$/, "must be 4 to 10 digits");

export const Label = line(60).nullable();
export const BlockReasons = z.array(z.enum(BLOCK_REASONS)).min(1).max(BLOCK_REASONS.length);
export const BlockDetails = line(500);

const holder = { account_holder_name: line(140).nullish() };

export const PayeeAccountInput = z
	.discriminatedUnion("type", [
		z
			.object({
				type: z.literal("SEND_MONEY"),
				...holder,
				mobile_number: PhoneNumber,
			})
			.meta({ id: "SendMoneyAccountInput" }),
		z.object({ type: z.literal("BUY_GOODS"), ...holder, till_number: till }).meta({ id: "BuyGoodsAccountInput" }),
		z
			.object({ type: z.literal("PAY_BILL"), ...holder, paybill_number: till, account_reference: line(64) })
			.meta({ id: "PayBillAccountInput" }),
		z.object({ type: z.literal("BANK_ACCOUNT"), ...holder, bank_code: code, account_number: code }).meta({ id: "BankAccountInput" }),
		z
			.object({ type: z.literal("INTERNAL"), ...holder, user_tag: z.string().trim().min(2).max(64).startsWith("@") })
			.meta({ id: "InternalAccountInput" }),
	])
	.meta({ id: "PayeeAccountInput" });
export type PayeeAccountInput = z.output<typeof PayeeAccountInput>;

/** Identifies the account within its type. INTERNAL accounts are identified by the user's id, which their tag must be resolved to first. */
export function identifierOf(account: Exclude<PayeeAccountInput, { type: "INTERNAL" }>): string {
	switch (account.type) {
		case "SEND_MONEY":
			return account.mobile_number;
		case "BUY_GOODS":
			return account.till_number;
		case "PAY_BILL":
			return `${account.paybill_number}#${account.account_reference}`;
		case "BANK_ACCOUNT":
			return `${account.bank_code}#${account.account_number}`;
	}
}

const PayeeAccount = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		type: z.enum(ACCOUNT_TYPES),
		account_holder_name: z.string().nullable(),
		linked_user_id: z.uuid().nullable().meta({ description: "The user of this service who has the number" }),
		linked_user_tag: z.string().nullable(),
		mobile_number: z.string().nullable(),
		till_number: z.string().nullable(),
		paybill_number: z.string().nullable(),
		account_reference: z.string().nullable(),
		bank_code: z.string().nullable(),
		account_number: z.string().nullable(),
		transaction_count: z.int(),
		last_used_at: z.iso.datetime().nullable(),
		verification_status: z.enum(VERIFICATION_STATES),
		verified_at: z.iso.datetime().nullable(),
		verification: z.object({
			resolved_name: z.string().nullable(),
			account_valid: z.boolean().nullable(),
			requires_confirmation: z.boolean(),
			message: z.string().nullable(),
		}),
	})
	.meta({ id: "PayeeAccount" });

const MESSAGES: Record<VerificationState, string | null> = {
	FAILED: "The provider knows no such account",
	UNVERIFIED: "The name was not looked up",
	PENDING: "The name is being looked up",
	MISMATCH: "The provider knows the account under another name",
	VERIFIED: null,
};

/** Whether the provider knows the account; null without an answer. */
const VALID: Record<VerificationState, boolean | null> = { FAILED: false, UNVERIFIED: null, PENDING: null, MISMATCH: true, VERIFIED: true };

const instant = (at: number | null) => (at === null ? null : toTimestamp(at));

/** The members that identify an account; those of other types are null. */
export function namesOf(type: AccountType, identifier: string) {
	const [first = "", ...rest] = identifier.split("#");
	const second = rest.join("#");
	return {
		mobile_number: type === "SEND_MONEY" ? identifier : null,
		till_number: type === "BUY_GOODS" ? identifier : null,
		paybill_number: type === "PAY_BILL" ? first : null,
		account_reference: type === "PAY_BILL" ? second : null,
		bank_code: type === "BANK_ACCOUNT" ? first : null,
		account_number: type === "BANK_ACCOUNT" ? second : null,
	};
}

const toPayeeAccount = (row: PayeeAccountRow): z.input<typeof PayeeAccount> => ({
	id: row.id,
	resource_id: resourceId("pac", row.id),
	type: row.type,
	account_holder_name: row.accountHolderName,
	linked_user_id: row.linkedUserId,
	linked_user_tag: row.linkedUserTag,
	...namesOf(row.type, row.identifier),
	transaction_count: row.transactionCount,
	last_used_at: instant(row.lastUsedAt),
	verification_status: row.verification,
	verified_at: instant(row.verifiedAt),
	verification: {
		resolved_name: row.resolvedName,
		account_valid: VALID[row.verification],
		requires_confirmation: row.verification === "MISMATCH",
		message: MESSAGES[row.verification],
	},
});

export const Payee = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		label: z.string().nullable(),
		display_name: z.string().nullable().meta({ description: "The label, else the name of the first account" }),
		is_favorite: z.boolean(),
		is_blocked: z.boolean(),
		block_reasons: z.array(z.enum(BLOCK_REASONS)),
		block_details: z.string().nullable(),
		is_service_user: z.boolean(),
		service_user_id: z.uuid().nullable(),
		service_user_tag: z.string().nullable(),
		accounts: z.array(PayeeAccount),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "Payee" });

export function toPayee(row: PayeeRow, accounts: readonly PayeeAccountRow[]): z.input<typeof Payee> {
	const own = accounts.filter(({ payeeId }) => payeeId === row.id).toSorted((a, b) => (a.id < b.id ? -1 : 1));
	const linked = own.find(({ linkedUserId }) => linkedUserId !== null);
	return {
		id: row.id,
		resource_id: resourceId("pay", row.id),
		label: row.label,
		display_name: displayName(row.label, own),
		is_favorite: row.isFavorite,
		is_blocked: row.isBlocked,
		block_reasons: [...row.blockReasons],
		block_details: row.blockDetails,
		is_service_user: linked !== undefined,
		service_user_id: linked?.linkedUserId ?? null,
		service_user_tag: linked?.linkedUserTag ?? null,
		accounts: own.map(toPayeeAccount),
		created_at: toTimestamp(row.createdAt),
		updated_at: toTimestamp(row.updatedAt),
	};
}
