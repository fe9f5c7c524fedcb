// Users as operators see them, on the wire.

import * as z from "zod";
import { maskNumber } from "../../../shared/mask";
import { isShown, MUST_BE_SHOWN } from "../../../shared/shown-text";
import { toTimestamp } from "../../../shared/time";
import { USER_STATES, type UserRow } from "./table";

export const DisplayName = z.string().trim().min(1).max(80).refine(isShown, MUST_BE_SHOWN);

/** A user as those who work for the lender see them: without mail addresses. */
export const PlatformUser = z
	.object({
		id: z.uuid(),
		status: z.enum(USER_STATES),
		tag: z.string(),
		display_name: z.string().nullable(),
		blocked: z.boolean(),
		home_organization_id: z.uuid().nullable(),
		created_at: z.iso.datetime(),
		last_seen_at: z.iso.datetime().nullable().meta({ description: "When they last obtained tokens; accurate to the hour" }),
		mobile_number: z.string().nullable().optional().meta({ description: "Masked; for people, not for API keys" }),
		identities: z
			.array(z.object({ issuer: z.string(), subject: z.string(), created_at: z.iso.datetime() }))
			.optional()
			.meta({
				description: "For operators, of one user",
			}),
		credit_limit: z
			.object({
				override: z.int().nullable().meta({ description: "The limit that was set; null while the limit is computed" }),
				effective: z.int().nullable().meta({ description: "On the product that the user is offered; null if there is none" }),
				currency: z.string().nullable().meta({ description: "Of that product" }),
			})
			.optional()
			.meta({ description: "For operators, of one user" }),
	})
	.meta({ id: "PlatformUser" });

/** What only operators see. */
type UserDetails = {
	readonly identities: readonly { readonly issuer: string; readonly subject: string; readonly createdAt: number }[];
	readonly creditLimit: { readonly override: number | null; readonly effective: number | null; readonly currency: string | null };
};

type ListedUser = Pick<UserRow, "id" | "status" | "tag" | "blockedAt" | "homeOrganizationId" | "createdAt" | "lastSeenAt" | "displayName">;

/** What not everybody sees. */
type Contact = { readonly mobileNumber?: string | null; readonly details?: UserDetails };

export const toPlatformUser = (row: ListedUser, { mobileNumber, details }: Contact = {}): z.input<typeof PlatformUser> => ({
	id: row.id,
	status: row.status,
	tag: row.tag,
	display_name: row.displayName,
	blocked: row.blockedAt !== null,
	home_organization_id: row.homeOrganizationId,
	created_at: toTimestamp(row.createdAt),
	last_seen_at: row.lastSeenAt === null ? null : toTimestamp(row.lastSeenAt),
	...(mobileNumber !== undefined && { mobile_number: mobileNumber && maskNumber(mobileNumber) }),
	...(details && {
		identities: details.identities.map(({ issuer, subject, createdAt }) => ({ issuer, subject, created_at: toTimestamp(createdAt) })),
		credit_limit: details.creditLimit,
	}),
});
