// Mobile-number changes on the wire.

import * as z from "zod";
import { resourceId } from "../../shared/ids";
import { toTimestamp } from "../../shared/time";
import { CHANGE_STATES, CHANNELS, statusAt } from "../users/number-change.lifecycle";
import type { ChangeRow } from "../users/number-change.table";

const timestamp = z.iso.datetime().nullable();

export const MobileNumberChange = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		url: z.string(),
		status: z.enum(CHANGE_STATES),
		authorization_channel: z.enum(CHANNELS),
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
