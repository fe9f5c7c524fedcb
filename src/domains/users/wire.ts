// A user's own profile on the wire.

import * as z from "zod";
import { ROLES } from "../../shared/permissions";
import { toTimestamp } from "../../shared/time";
import { USER_STATES, type UserRow } from "./table";

export const User = z
	.object({
		id: z.uuid(),
		status: z.enum([...USER_STATES, "BLOCKED"]),
		tag: z.string(),
		mobile_number: z.string().nullable().meta({ description: "Masked, except for the first four characters and the last three digits" }),
		email: z.string().nullable(),
		organizations: z.array(z.object({ id: z.uuid(), slug: z.string(), role: z.enum(ROLES) })),
	})
	.meta({ id: "User" });

type Profile = Pick<UserRow, "id" | "status" | "tag" | "blockedAt" | "mobileNumber" | "email"> & {
	readonly organizations: z.input<typeof User>["organizations"];
};

export const toUser = (row: Profile): z.input<typeof User> => ({
	id: row.id,
	status: row.blockedAt === null ? row.status : "BLOCKED",
	tag: row.tag,
	mobile_number: row.mobileNumber && maskNumber(row.mobileNumber),
	email: row.email,
	organizations: row.organizations,
});

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

const maskNumber = (number: string) => `${number.slice(0, 4)}${"*".repeat(Math.max(0, number.length - 7))}${number.slice(-3)}`;
