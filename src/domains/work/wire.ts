// Work on the wire.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { WORK_KINDS, type WorkKind } from "./kinds.policy";

/** A kind is counted up to here. */
export const MOST_COUNTED = 1_000;

export const Attention = z
	.object({
		kind: z.enum(WORK_KINDS).meta({ title: "WorkKind" }),
		count: z.int().meta({ description: `At most ${MOST_COUNTED}` }),
		more: z.boolean().meta({ description: "There is more than what was counted" }),
		oldest: z.iso.datetime().nullable().meta({ description: "Since when the oldest has waited; null if there is none" }),
	})
	.meta({ id: "Attention" });

export const WorkItem = z
	.object({
		kind: z.enum(WORK_KINDS),
		id: z
			.uuid()
			.meta({ description: "Of what waits: a user, a payment, …; of a dead letter the webhook endpoint, of a quota the organization" }),
		since: z.iso.datetime(),
		organization_id: z.uuid().nullable().meta({ description: "Whose it is; null for what belongs to no organization" }),
		user_id: z.uuid().nullable(),
		account_id: z.uuid().nullable(),
		amount: z.object({ value: z.int(), currency: z.string() }).nullable(),
		state: z.string(),
		reason: z.string().nullable().meta({
			description: "Why it waits, if that was recorded; for a confirmation or a second receipt the reported transaction",
		}),
		reference: z
			.string()
			.nullable()
			.meta({ description: "The provider's receipt of a payment; of a break the receipt or the reference of its line" }),
		attempts: z.int().nullable().meta({ description: "null for what is not attempted" }),
		next_attempt_at: z.iso.datetime().nullable().meta({ description: "null if no attempt is scheduled" }),
	})
	.meta({ id: "WorkItem" });

export const OwnedWork = z
	.object({ ...WorkItem.shape, owner_id: z.uuid().nullable().meta({ description: "The member who looks after it" }) })
	.meta({ id: "OwnedWork" });

export type WorkRow = {
	readonly id: string;
	readonly since: number;
	readonly organizationId: string | null;
	readonly userId: string | null;
	readonly accountId: string | null;
	readonly amount: number | null;
	readonly currency: string | null;
	readonly state: string;
	readonly reason: string | null;
	readonly reference: string | null;
	readonly attempts: number | null;
	readonly nextAttemptAt: number | null;
};

const instant = (at: number | null) => (at === null ? null : toTimestamp(at));

export const toWorkItem = (kind: WorkKind, row: WorkRow): z.input<typeof WorkItem> => ({
	kind,
	id: row.id,
	since: toTimestamp(row.since),
	organization_id: row.organizationId || null,
	user_id: row.userId,
	account_id: row.accountId,
	amount: row.amount === null || row.currency === null ? null : { value: row.amount, currency: row.currency },
	state: row.state,
	reason: row.reason,
	reference: row.reference,
	attempts: row.attempts,
	next_attempt_at: instant(row.nextAttemptAt),
});

export type Counted = { readonly count: number; readonly oldest: number | null };

/** @param counted what each database holds of the kind */
export function toAttention(kind: WorkKind, counted: readonly Counted[]): z.input<typeof Attention> {
	const count = counted.reduce((sum, one) => sum + one.count, 0);
	const instants = counted.flatMap(({ oldest }) => (oldest === null ? [] : [oldest]));
	const oldest = instants.length === 0 ? null : Math.min(...instants);
	return { kind, count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED, oldest: instant(oldest) };
}
