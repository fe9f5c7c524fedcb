// A user's own profile on the wire.

import * as z from "zod";
import { DEFAULT_LOCALE, LOCALES, type Locale } from "../../shared/locale";
import { maskNumber } from "../../shared/mask";
import { ROLES, SCOPES } from "../../shared/permissions";
import { Slug } from "../../shared/slug";
import { USER_STATES, type UserRow } from "./model/table";
import { DisplayName } from "./model/wire";

export const User = z
	.object({
		kind: z.literal("USER"),
		id: z.uuid(),
		status: z.enum([...USER_STATES, "BLOCKED"]),
		tag: z.string(),
		mobile_number: z.string().nullable().meta({ description: "Masked, except for the first four characters and the last three digits" }),
		email: z.string().nullable(),
		display_name: z.string().nullable(),
		locale: z.enum(LOCALES).meta({
			description:
				"The language of messages: the user's choice, else the language of their app at the last sign-in (`Accept-Language`), else their lender's",
		}),
		home_organization: z.object({ id: z.uuid(), slug: z.string() }).nullable().meta({
			description: "Whose customer the user is: it sets their loan products and gets their events",
		}),
		organizations: z.array(z.object({ id: z.uuid(), slug: z.string(), role: z.enum(ROLES) })),
	})
	.meta({ id: "User" });

type Profile = Pick<
	UserRow,
	"id" | "status" | "tag" | "blockedAt" | "mobileNumber" | "email" | "displayName" | "locale" | "homeOrganizationId"
> & {
	readonly homeSlug: string | null;
	/** What applies until they choose. */
	readonly usualLocale: Locale | null;
	readonly organizations: z.input<typeof User>["organizations"];
};

export const toUser = (row: Profile): z.input<typeof User> => ({
	kind: "USER",
	id: row.id,
	status: row.blockedAt === null ? row.status : "BLOCKED",
	tag: row.tag,
	mobile_number: row.mobileNumber && maskNumber(row.mobileNumber),
	email: row.email,
	display_name: row.displayName,
	locale: row.locale ?? row.usualLocale ?? DEFAULT_LOCALE,
	home_organization: row.homeOrganizationId === null ? null : { id: row.homeOrganizationId, slug: row.homeSlug ?? "" },
	organizations: row.organizations,
});

/** The caller. */
export const Me = z
	.discriminatedUnion("kind", [
		User,
		z
			.object({
				kind: z.literal("API_KEY"),
				id: z.uuid(),
				name: z.string(),
				scopes: z.array(z.enum(SCOPES)),
				organization: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }),
			})
			.meta({ id: "ApiKeyCaller" }),
		z.object({ kind: z.literal("OPERATOR"), issuer: z.string(), subject: z.string() }).meta({ id: "OperatorCaller" }),
	])
	.meta({ id: "Caller" });

export const ProfilePatch = z
	.object({
		display_name: DisplayName.nullable().optional(),
		locale: z.enum(LOCALES).nullable().optional().meta({ description: "null: the choice of the user is removed" }),
		organization: Slug.optional().meta({ description: "The user's home, if they have none and have not applied for a loan" }),
	})
	.meta({ examples: [{ display_name: "Alice" }] });
