// Builds the statements that read and replace brands.

import { eq, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { isUuid } from "../../shared/ids";
import { organizations } from "../organizations/table";
import { type BrandRow, brands } from "./table";
import type { Shown } from "./wire";

/** The organization of the reference, and its brand if that is in the same database. No slug has the form of an id. */
export const findBrandByReference = (orm: Orm, reference: string) =>
	orm
		.select({
			organizationId: sql<string>`${organizations.id}`.as("found_id"),
			slug: organizations.slug,
			organizationName: sql<string>`${organizations.name}`.as("organization_name"),
			organizationCreatedAt: sql<number>`${organizations.createdAt}`.as("organization_created_at"),
			brand: sql<string | null>`${asJson}`.as("brand"),
		})
		.from(organizations)
		.leftJoin(brands, eq(brands.organizationId, organizations.id))
		.where(isUuid(reference) ? eq(organizations.id, reference) : eq(organizations.slug, reference));

/** The brand as one column: D1 returns the rows of a batch as objects, in which columns of the same name overwrite each other. */
const asJson: SQL = sql`case when ${brands.organizationId} is not null then json_object(
	'organizationId', ${brands.organizationId}, 'logoUrl', ${brands.logoUrl}, 'iconUrl', ${brands.iconUrl},
	'fontFamily', ${brands.fontFamily}, 'fontWeight', ${brands.fontWeight}, 'primaryColor', ${brands.primaryColor},
	'secondaryColor', ${brands.secondaryColor}, 'name', ${brands.name}, 'supportEmail', ${brands.supportEmail},
	'supportPhone', ${brands.supportPhone}, 'termsUrl', ${brands.termsUrl}, 'privacyUrl', ${brands.privacyUrl}, 'version', ${brands.version}, 'createdAt', ${brands.createdAt},
	'updatedAt', ${brands.updatedAt}) end`;

type Found = {
	readonly organizationId: string;
	readonly organizationName: string;
	readonly organizationCreatedAt: number;
	readonly brand: string | null;
};

/** What a found organization shows: its brand, or none yet. */
export const shownOf = (found: Found): Shown => ({
	organization: { id: found.organizationId, name: found.organizationName, createdAt: found.organizationCreatedAt },
	brand: found.brand === null ? undefined : (JSON.parse(found.brand) as BrandRow),
});

/** Stores the brand as the version after the version that was read. */
export const replaceBrand = (orm: Orm, row: BrandRow): Effect =>
	guarded(
		orm
			.insert(brands)
			.values(row)
			.onConflictDoUpdate({ target: brands.organizationId, set: row, setWhere: sql`${brands.version} = ${row.version - 1}` }),
	);
