// Closures on the wire.

import * as z from "zod";
import { resourceId } from "../../../shared/ids";
import { toTimestamp } from "../../../shared/time";
import { CLOSURE_REASONS, CLOSURE_STATES, INITIATORS, statusAt } from "./lifecycle";
import type { ClosureRow } from "./table";

const timestamp = z.iso.datetime().nullable();

export const Closure = z
	.object({
		id: z.uuid(),
		status: z.enum(CLOSURE_STATES),
		initiated_by: z.enum(INITIATORS),
		reasons: z.array(z.enum(CLOSURE_REASONS)),
		created_at: z.iso.datetime(),
		otp_confirmed_at: timestamp,
		completed_at: timestamp.meta({ description: "When the custodian decided" }),
		rejection_reason: z.string().nullable(),
		resource_id: z.string(),
	})
	.meta({ id: "Closure" });

const orNull = (instant: number | null) => (instant === null ? null : toTimestamp(instant));

export const toClosure = (row: ClosureRow, now: number): z.input<typeof Closure> => ({
	id: row.id,
	status: statusAt(row, now),
	initiated_by: row.initiatedBy,
	reasons: [...row.reasons],
	created_at: toTimestamp(row.createdAt),
	otp_confirmed_at: orNull(row.otpConfirmedAt),
	completed_at: orNull(row.completedAt),
	rejection_reason: row.rejectionReason,
	resource_id: resourceId("clo", row.id),
});
