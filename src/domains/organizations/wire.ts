// Organizations and their members on the wire.

import * as z from "zod";
import { ROLES } from "../../shared/permissions";
import { toTimestamp } from "../../shared/time";
import { ORGANIZATION_STATES } from "./lifecycle";
import type { MemberRow, MembershipRow, organizations } from "./table";

export const Organization = z
	.object({
		id: z.uuid(),
		name: z.string(),
		slug: z.string(),
		status: z.enum(ORGANIZATION_STATES),
		region: z.string().nullable().meta({ description: "Where its data is; null where the service does not name its regions" }),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "Organization" });

export const toOrganization = (row: typeof organizations.$inferSelect, region: string | undefined): z.input<typeof Organization> => ({
	id: row.id,
	name: row.name,
	slug: row.slug,
	status: row.status,
	region: region ?? null,
	created_at: toTimestamp(row.createdAt),
});

export const Member = z
	.object({
		id: z.uuid(),
		user_id: z.uuid(),
		role: z.enum(ROLES),
		display_name: z.string().nullable(),
		email: z.string().nullable(),
		tag: z.string().nullable().meta({ description: "null for a while after the member has joined" }),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "Member" });

export const toMember = (
	row: Pick<MembershipRow, "id" | "userId" | "role" | "createdAt">,
	{ displayName, email, tag }: Pick<MemberRow, "displayName" | "email" | "tag">,
): z.input<typeof Member> => ({
	id: row.id,
	user_id: row.userId,
	role: row.role,
	display_name: displayName,
	email,
	tag,
	created_at: toTimestamp(row.createdAt),
});
