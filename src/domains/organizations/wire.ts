// Organizations and their members on the wire.

import * as z from "zod";
import { ROLES } from "../../shared/permissions";
import { toTimestamp } from "../../shared/time";
import type { memberships, organizations } from "./table";

/** Only letters, digits and hyphens, so that a slug never needs escaping. */
export const Slug = z
	.string()
	.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "must be 1 to 63 lowercase letters, digits and inner hyphens");

export const Organization = z
	.object({ id: z.uuid(), name: z.string(), slug: z.string(), created_at: z.iso.datetime() })
	.meta({ id: "Organization" });

export const toOrganization = (row: typeof organizations.$inferSelect): z.input<typeof Organization> => ({
	id: row.id,
	name: row.name,
	slug: row.slug,
	created_at: toTimestamp(row.createdAt),
});

export const Member = z
	.object({ id: z.uuid(), user_id: z.uuid(), role: z.enum(ROLES), created_at: z.iso.datetime() })
	.meta({ id: "Member" });

export const toMember = (row: typeof memberships.$inferSelect): z.input<typeof Member> => ({
	id: row.id,
	user_id: row.userId,
	role: row.role,
	created_at: toTimestamp(row.createdAt),
});
