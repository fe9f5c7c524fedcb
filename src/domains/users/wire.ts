// Users as operators see them, on the wire.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { USER_STATES, type UserRow } from "./table";

export const DisplayName = z.string().trim().min(1).max(80);

/** A user as operators see them: without numbers and mail addresses. */
export const PlatformUser = z
	.object({
		id: z.uuid(),
		status: z.enum(USER_STATES),
		tag: z.string(),
		blocked: z.boolean(),
		home_organization_id: z.uuid().nullable(),
		created_at: z.iso.datetime(),
		last_seen_at: z.iso.datetime().nullable().meta({ description: "When they last obtained tokens; accurate to the hour" }),
	})
	.meta({ id: "PlatformUser" });

type ListedUser = Pick<UserRow, "id" | "status" | "tag" | "blockedAt" | "homeOrganizationId" | "createdAt" | "lastSeenAt">;

export const toPlatformUser = (row: ListedUser): z.input<typeof PlatformUser> => ({
	id: row.id,
	status: row.status,
	tag: row.tag,
	blocked: row.blockedAt !== null,
	home_organization_id: row.homeOrganizationId,
	created_at: toTimestamp(row.createdAt),
	last_seen_at: row.lastSeenAt === null ? null : toTimestamp(row.lastSeenAt),
});
