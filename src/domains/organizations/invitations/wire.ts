// Invitations on the wire. Only the mails contain tokens.

import * as z from "zod";
import { EmailAddress, MAX_LENGTH } from "../../../shared/email";
import { resourceId } from "../../../shared/ids";
import { ROLES } from "../../../shared/permissions";
import { toTimestamp } from "../../../shared/time";
import { Member } from "../wire";
import { INVITATION_STATES, stateAt } from "./lifecycle";
import { addressKeyOf } from "./policy";
import type { InvitationRow } from "./table";

export const Email = z
	.string()
	.trim()
	.max(MAX_LENGTH)
	.refine((text) => text.length > MAX_LENGTH || EmailAddress.safeParse(addressKeyOf(text)).success, "must be an email address")
	.meta({ format: "email" });

export const MemberInvitation = z
	.object({
		id: z.uuid(),
		email: z.string(),
		role: z.enum(ROLES),
		status: z.enum(INVITATION_STATES),
		created_at: z.iso.datetime(),
		resource_id: z.string(),
		expires_at: z.iso.datetime(),
		accepted_at: z.iso.datetime().nullable(),
	})
	.meta({ id: "MemberInvitation" });

export const toInvitation = (row: InvitationRow, now: number): z.input<typeof MemberInvitation> => ({
	id: row.id,
	email: row.email,
	role: row.role,
	status: stateAt(row, now),
	created_at: toTimestamp(row.createdAt),
	resource_id: resourceId("inv", row.id),
	expires_at: toTimestamp(row.expiresAt),
	accepted_at: row.acceptedAt === null ? null : toTimestamp(row.acceptedAt),
});

export const AcceptedMembership = Member.extend({ organization_id: z.uuid() }).meta({ id: "AcceptedMembership" });
