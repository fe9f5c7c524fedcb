// Mobile-number changes on the wire, as their users see them, and recoveries as operators do.

import * as z from "zod";
import { resourceId } from "../../shared/ids";
import { toTimestamp } from "../../shared/time";
import { AUTHORIZATIONS, CHANGE_STATES, statusAt } from "../users/model/number-change.lifecycle";
import type { ChangeRow } from "../users/model/number-change.table";

const timestamp = z.iso.datetime().nullable();

export const MobileNumberChange = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		url: z.string(),
		status: z.enum(CHANGE_STATES),
		authorization_channel: z
			.enum(AUTHORIZATIONS)
			.meta({ description: "RECOVERY: two operators have authorized it, and only an operator cancels it. FIRST: the user had no number" }),
		created_at: z.iso.datetime(),
		authorized_at: timestamp,
		completed_at: timestamp,
		authorize_url: z.string(),
		confirm_url: z.string(),
	})
	.meta({ id: "MobileNumberChange" });

export function toChange(row: ChangeRow, { baseUrl, now }: { baseUrl: string; now: number }): z.input<typeof MobileNumberChange> {
	const url = `${baseUrl}/v1/user/accounts/current/phone/changes/${row.id}`;
	return {
		id: row.id,
		resource_id: resourceId("mnc", row.id),
		url,
		status: statusAt(row, now),
		authorization_channel: row.authorizationChannel,
		created_at: toTimestamp(row.createdAt),
		authorized_at: row.authorizedAt === null ? null : toTimestamp(row.authorizedAt),
		completed_at: row.completedAt === null ? null : toTimestamp(row.completedAt),
		authorize_url: `${url}/authorize`,
		confirm_url: `${url}/confirm`,
	};
}

export const NumberRecovery = z
	.object({
		id: z.uuid().meta({ description: "That of the request for approval" }),
		user_id: z.uuid(),
		status: z.enum(CHANGE_STATES),
		failure_reason: z.string().nullable(),
		not_before: z.iso.datetime().meta({ description: "When the user gets the new number, unless the recovery is cancelled" }),
		created_at: z.iso.datetime(),
		completed_at: timestamp,
	})
	.meta({ id: "NumberRecovery" });

export const toRecovery = (row: ChangeRow, { now }: { now: number }): z.input<typeof NumberRecovery> => ({
	id: row.id,
	user_id: row.userId,
	status: statusAt(row, now),
	failure_reason: row.failureReason,
	not_before: toTimestamp(row.notBefore ?? row.createdAt),
	created_at: toTimestamp(row.createdAt),
	completed_at: row.completedAt === null ? null : toTimestamp(row.completedAt),
});
