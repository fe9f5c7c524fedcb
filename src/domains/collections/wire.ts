// Follow-ups and the call list on the wire.

import * as z from "zod";
import { all, has, is, lacks, when } from "../../shared/schema-rules";
import { toTimestamp } from "../../shared/time";
import { LocalDate } from "../../shared/timestamp";
import { FOLLOW_UP_TYPES, PROMISE_STATUSES, WORK_SUBJECTS } from "./lifecycle";
import type { FollowUpRow } from "./table";

const id = z.uuid().toLowerCase();
const amount = z.int().min(1).max(1_000_000_000_000);

export const FollowUp = z
	.object({
		id: z.uuid(),
		type: z.enum(FOLLOW_UP_TYPES),
		user_id: z.uuid(),
		account_id: z.uuid().nullable(),
		body: z.string().nullable().meta({ description: "The text of a note" }),
		amount: z.object({ value: z.int(), currency: z.string() }).nullable().meta({ description: "Promised" }),
		day: z.iso
			.date()
			.nullable()
			.meta({ description: "Of a promise the day by whose end it is to be paid, of a reminder that of the message" }),
		status: z.enum(PROMISE_STATUSES).nullable().meta({ description: "Of a promise: KEPT or BROKEN once its day has ended" }),
		author_id: z.string(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "FollowUp" });

/** A note is about a loan, or about its borrower alone; the others are about a loan. */
export const FollowUpBody = z
	.strictObject({
		type: z.enum(FOLLOW_UP_TYPES),
		account_id: id.optional().meta({ description: "Required but for a note about a user" }),
		user_id: id.optional().meta({ description: "Of a note about a user" }),
		body: z.string().trim().min(1).max(2_000).optional().meta({ description: "Required for a note, and for a note alone" }),
		amount: amount.optional().meta({ description: "Required for a promise, in minor units of the account's currency" }),
		day: LocalDate.optional().meta({ description: "Required for a promise: from today on, within 90 days" }),
	})
	.meta({
		examples: [{ type: "NOTE", account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11", body: "Asked to be called on Friday." }],
		...when(
			is("type", "NOTE"),
			all(has("body"), lacks("amount", "day"), when(has("user_id"), lacks("account_id"), has("account_id"))),
			all(has("account_id"), lacks("user_id", "body"), when(is("type", "PROMISE"), all(has("amount"), has("day")), lacks("amount", "day"))),
		),
	});

export const toFollowUp = (row: FollowUpRow): z.input<typeof FollowUp> => ({
	id: row.id,
	type: row.type,
	user_id: row.userId,
	account_id: row.accountId,
	body: row.body,
	amount: row.amount === null ? null : { value: row.amount, currency: row.currency ?? "" },
	day: row.day,
	status: row.status,
	author_id: row.author,
	created_at: toTimestamp(row.createdAt),
});

/** A piece of work that waits has an owner for 90 days. */
export const Owner = z
	.object({ subject_id: z.uuid(), kind: z.enum(WORK_SUBJECTS), owner_id: z.uuid().nullable() })
	.meta({ id: "WorkOwner" });

export const OwnerBody = z
	.strictObject({ kind: z.enum(WORK_SUBJECTS), owner_id: id.nullable().meta({ description: "A member; null for nobody" }) })
	.meta({ examples: [{ kind: "ACCOUNT", owner_id: null }] });

export const LateLoan = z
	.object({
		account_id: z.uuid(),
		account_number: z.string(),
		user_id: z.uuid(),
		currency: z.string(),
		principal_outstanding: z.int(),
		due_date: z.iso.date().meta({ description: "Of the oldest installment that is not paid" }),
		days_past_due: z.int(),
		owner_id: z.uuid().nullable(),
		promise: z
			.object({ amount: z.int(), day: z.iso.date(), status: z.enum(PROMISE_STATUSES) })
			.nullable()
			.meta({ description: "The latest" }),
		last_contact_at: z.iso.datetime().nullable().meta({ description: "Of the latest note, promise or reminder" }),
	})
	.meta({ id: "LateLoan" });
