// The events that organizations raise: the life of their API keys, invitations and memberships.

import * as z from "zod";
import { eventType } from "../../shared/event-type";
import { ROLES } from "../../shared/permissions";

const data = z.object({
	api_key_id: z.uuid(),
	name: z.string(),
	masked_key: z.string().meta({ description: "`sk_...` and the key's last characters" }),
});
const example = { api_key_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e12", name: "Back office", masked_key: "sk_...4f2a" };

export const apiKeyCreated = eventType({
	type: "api_key.created",
	category: "ORGANIZATION",
	description: "An API key was created",
	data,
	example,
});

export const apiKeyRevoked = eventType({
	type: "api_key.revoked",
	category: "ORGANIZATION",
	description: "An API key was revoked",
	data,
	example,
});

const userId = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11";
/** Named, because several events have it. */
const MemberRole = z.enum(ROLES).meta({ id: "MemberRole" });
const invitation = z.object({ invitation_id: z.uuid(), role: MemberRole });
const invitationExample = { invitation_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e13", role: "organization-financing-admin" as const };

export const invitationCreated = eventType({
	type: "invitation.created",
	category: "ORGANIZATION",
	description: "Somebody was invited to become a member",
	data: invitation,
	example: invitationExample,
});

export const invitationAccepted = eventType({
	type: "invitation.accepted",
	category: "ORGANIZATION",
	description: "An invitation was accepted, and the user became a member",
	data: invitation.extend({ user_id: z.uuid() }),
	example: { ...invitationExample, user_id: userId },
});

export const invitationRevoked = eventType({
	type: "invitation.revoked",
	category: "ORGANIZATION",
	description: "An invitation was revoked",
	data: invitation,
	example: invitationExample,
});

export const invitationExpired = eventType({
	type: "invitation.expired",
	category: "ORGANIZATION",
	description: "An invitation was not accepted within seven days; it can be sent again, and expire again",
	data: invitation,
	example: invitationExample,
});

export const memberAdded = eventType({
	type: "member.added",
	category: "ORGANIZATION",
	description: "An operator added a member",
	data: z.object({ user_id: z.uuid(), role: MemberRole }),
	example: { user_id: userId, role: "organization-viewer" },
});

export const memberRoleChanged = eventType({
	type: "member.role_changed",
	category: "ORGANIZATION",
	description: "The role of a member was changed",
	data: z.object({ user_id: z.uuid(), role: MemberRole, previous_role: MemberRole }),
	example: { user_id: userId, role: "organization-admin", previous_role: "organization-viewer" },
});

export const memberRemoved = eventType({
	type: "member.removed",
	category: "ORGANIZATION",
	description: "A member was removed",
	data: z.object({ user_id: z.uuid(), role: z.enum(ROLES).meta({ description: "The role that they had" }) }),
	example: { user_id: userId, role: "organization-viewer" },
});
