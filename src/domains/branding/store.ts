// Builds the statements that read and replace brands.

import { eq, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { isUuid } from "../../shared/ids";
import { organizations } from "../organizations/table";
import { type BrandRow, brands } from "./table";

export const findBrand = (orm: Orm, organizationId: string) => orm.select().from(brands).where(eq(brands.organizationId, organizationId));

/** The organization of the reference, and its brand if that is in the same database. No slug has the form of an id. */
export const findBrandByReference = (orm: Orm, reference: string) =>
	orm
		.select({ organizationId: sql<string>`${organizations.id}`.as("found_id"), brand: sql<string | null>`${asJson}`.as("brand") })
		.from(organizations)
		.leftJoin(brands, eq(brands.organizationId, organizations.id))
		.where(isUuid(reference) ? eq(organizations.id, reference) : eq(organizations.slug, reference));

/** The brand as one column: D1 returns the rows of a batch as objects, in which columns of the same name overwrite each other. */
const asJson: SQL = sql`case when ${brands.organizationId} is not null then json_object(
	'organizationId', ${brands.organizationId}, 'logoUrl', ${brands.logoUrl}, 'iconUrl', ${brands.iconUrl},
	'fontFamily', ${brands.fontFamily}, 'fontWeight', ${brands.fontWeight}, 'primaryColor', ${brands.primaryColor},
	'secondaryColor', ${brands.secondaryColor}, 'version', ${brands.version}, 'createdAt', ${brands.createdAt},
	'updatedAt', ${brands.updatedAt}) end`;

export const brandOf = (json: string | null): BrandRow | undefined => (json === null ? undefined : (JSON.parse(json) as BrandRow));

/** Stores the brand as the version after the one that was seen. */
export const replaceBrand = (orm: Orm, row: BrandRow): Effect =>
	guarded(
		orm
			.insert(brands)
			.values(row)
			.onConflictDoUpdate({ target: brands.organizationId, set: row, setWhere: sql`${brands.version} = ${row.version - 1}` }),
	);

export const slugOf = (orm: Orm, organizationId: string) =>
	orm.select({ slug: organizations.slug }).from(organizations).where(eq(organizations.id, organizationId));
