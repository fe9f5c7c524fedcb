// Brands on the wire.

import * as z from "zod";
import { EmailAddress } from "../../shared/email";
import { toTimestamp } from "../../shared/time";
import { PhoneNumber } from "../users/model/phone.wire";
import { DisplayName } from "../users/model/wire";
import { DEFAULT_COLOR, FONT_FAMILY, HEX_COLOR, isPublicUrl } from "./policy";
import type { BrandRow } from "./table";

const Color = z
	.string()
	.regex(HEX_COLOR, "must be a hex colour, such as #0A7D38")
	.meta({ examples: ["#0A7D38"] });
/** A character that would end a `url()` of CSS is written with its code. */
const withoutEnds = (url: string): string => url.replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const PublicUrl = z
	.string()
	.max(2048)
	.refine(isPublicUrl, { error: "must be an HTTPS URL with a public name", params: { sub_code: "NOT_PUBLIC_HTTPS" } })
	// Also of a text that was refused before, which zod hands on.
	.overwrite((url) => (URL.canParse(url) ? withoutEnds(new URL(url).href) : url))
	.refine((url) => url.length <= 2048, {
		error: "must have at most 2048 characters once it is written out",
		params: { sub_code: "TOO_LONG" },
	})
	.meta({ description: "Stored as the URL standard writes it, with ( ) and ' as %28 %29 and %27" });

/** What a PUT sets. Members that it leaves out become null. */
export const BrandChange = z
	.strictObject({
		logo_url: PublicUrl.nullable().default(null),
		icon_url: PublicUrl.nullable().default(null),
		font_family: z
			.string()
			.regex(
				FONT_FAMILY,
				"must be 1 to 100 characters: names of letters, digits, blanks, _ and -, with commas between them, each in a pair of quotes or without",
			)
			.nullable()
			.default(null),
		font_weight: z.int().min(1).max(1000).nullable().default(null),
		primary_color: Color,
		secondary_color: Color.nullable().default(null),
		name: DisplayName.nullable().default(null).meta({ description: "The name that users see; null: the organization's own name" }),
		support_email: EmailAddress.nullable().default(null),
		support_phone: PhoneNumber.nullable().default(null),
		terms_url: PublicUrl.nullable().default(null),
		privacy_url: PublicUrl.nullable().default(null),
	})
	.meta({ id: "BrandChange" });

export type BrandChange = z.output<typeof BrandChange>;

export const Brand = z
	.object({
		organization_id: z.uuid(),
		logo_url: z.string().nullable(),
		icon_url: z.string().nullable(),
		font_family: z.string().nullable(),
		font_weight: z.int().nullable(),
		primary_color: z.string(),
		secondary_color: z.string().nullable(),
		name: z.string(),
		support_email: z.string().nullable(),
		support_phone: z.string().nullable(),
		terms_url: z.string().nullable(),
		privacy_url: z.string().nullable(),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "Brand" });

export const ChangedBrand = Brand.extend({
	warnings: z
		.array(z.enum(["LOW_CONTRAST"]))
		.optional()
		.meta({ description: "LOW_CONTRAST: the primary colour has less than 3:1 against white or the secondary colour" }),
}).meta({ id: "ChangedBrand" });

/** An organization, and its brand once it has published one. Times in ms. */
export type Shown = {
	readonly organization: { readonly id: string; readonly name: string; readonly createdAt: number };
	readonly brand: BrandRow | undefined;
};

/** The brand, or the default of an organization without a published one: its name on a neutral colour. */
export const toBrand = ({ organization, brand }: Shown): z.output<typeof Brand> => ({
	organization_id: organization.id,
	logo_url: brand?.logoUrl ?? null,
	icon_url: brand?.iconUrl ?? null,
	font_family: brand?.fontFamily ?? null,
	font_weight: brand?.fontWeight ?? null,
	primary_color: brand?.primaryColor ?? DEFAULT_COLOR,
	secondary_color: brand?.secondaryColor ?? null,
	name: brand?.name ?? organization.name,
	support_email: brand?.supportEmail ?? null,
	support_phone: brand?.supportPhone ?? null,
	terms_url: brand?.termsUrl ?? null,
	privacy_url: brand?.privacyUrl ?? null,
	created_at: toTimestamp(brand?.createdAt ?? organization.createdAt),
	updated_at: toTimestamp(brand?.updatedAt ?? organization.createdAt),
});

/** The columns that a PUT sets. */
export const fromBrandChange = (change: BrandChange) => ({
	logoUrl: change.logo_url,
	iconUrl: change.icon_url,
	fontFamily: change.font_family,
	fontWeight: change.font_weight,
	primaryColor: change.primary_color,
	secondaryColor: change.secondary_color,
	name: change.name,
	supportEmail: change.support_email,
	supportPhone: change.support_phone,
	termsUrl: change.terms_url,
	privacyUrl: change.privacy_url,
});
