// Activations on the wire.

import * as z from "zod";
import { resourceId } from "../../../shared/ids";
import { toTimestamp } from "../../../shared/time";
import { ACTIVATION_STATES, statusAt } from "./lifecycle";
import type { ActivationRow } from "./table";

const timestamp = z.iso.datetime().nullable();

export const Activation = z
	.object({
		id: z.uuid(),
		status: z.enum(ACTIVATION_STATES),
		created_at: z.iso.datetime(),
		otp_confirmed_at: timestamp,
		completed_at: timestamp.meta({ description: "When the account became ACTIVE, or the custodian refused" }),
		rejection_reason: z.string().nullable(),
		current_verification: z.object({ channel: z.enum(["SMS", "EMAIL"]) }),
		resource_id: z.string(),
	})
	.meta({ id: "Activation" });

const orNull = (instant: number | null) => (instant === null ? null : toTimestamp(instant));

export const toActivation = (row: ActivationRow, now: number): z.input<typeof Activation> => ({
	id: row.id,
	status: statusAt(row, now),
	created_at: toTimestamp(row.createdAt),
	otp_confirmed_at: orNull(row.otpConfirmedAt),
	completed_at: orNull(row.completedAt),
	rejection_reason: row.rejectionReason,
	current_verification: { channel: row.channel },
	resource_id: resourceId("act", row.id),
});
