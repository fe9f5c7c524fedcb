// Brands on the wire.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { FONT_FAMILY, HEX_COLOR, isImageUrl } from "./policy";
import type { BrandRow } from "./table";

const Color = z
	.string()
	.regex(HEX_COLOR, "must be a hex colour, such as #0A7D38")
	.meta({ examples: ["#0A7D38"] });
const ImageUrl = z
	.string()
	.max(2048)
	.refine(isImageUrl, { error: "must be an HTTPS URL with a public name", params: { sub_code: "NOT_PUBLIC_HTTPS" } })
	// Also of a text that was refused before, which zod hands on.
	.overwrite((url) => (URL.canParse(url) ? new URL(url).href : url))
	.refine((url) => url.length <= 2048, {
		error: "must have at most 2048 characters once it is written out",
		params: { sub_code: "TOO_LONG" },
	})
	.meta({ description: "Stored as the URL standard writes it" });

/** What a PUT sets. Members that it leaves out become null. */
export const BrandChange = z
	.strictObject({
		logo_url: ImageUrl.nullable().default(null),
		icon_url: ImageUrl.nullable().default(null),
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

export const toBrand = (row: BrandRow): z.output<typeof Brand> => ({
	organization_id: row.organizationId,
	logo_url: row.logoUrl,
	icon_url: row.iconUrl,
	font_family: row.fontFamily,
	font_weight: row.fontWeight,
	primary_color: row.primaryColor,
	secondary_color: row.secondaryColor,
	created_at: toTimestamp(row.createdAt),
	updated_at: toTimestamp(row.updatedAt),
});

/** The columns that a PUT sets. */
export const fromBrandChange = (change: BrandChange) => ({
	logoUrl: change.logo_url,
	iconUrl: change.icon_url,
	fontFamily: change.font_family,
	fontWeight: change.font_weight,
	primaryColor: change.primary_color,
	secondaryColor: change.secondary_color,
});
