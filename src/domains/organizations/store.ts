// Reads organizations and API keys, and builds the writes that change keys.

import { and, eq, isNull, lte, or } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { isUuid } from "../../shared/ids";
import { apiKeys, organizations } from "./table";

/** The organization with this id or slug. No slug has the form of an id. */
export const findByReference = (orm: Orm, reference: string) =>
	orm
		.select()
		.from(organizations)
		.where(isUuid(reference) ? eq(organizations.id, reference.toLowerCase()) : eq(organizations.slug, reference));

export const findApiKey = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(apiKeys)
		.where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)));

export const revokeApiKey = (orm: Orm, id: string, now: number) =>
	orm
		.update(apiKeys)
		.set({ revokedAt: now })
		.where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));

/** Records a use of the key, unless one has been recorded within the last minute. */
export const recordUse = (orm: Orm, id: string, now: number, everyMs: number) =>
	orm
		.update(apiKeys)
		.set({ lastUsedAt: now })
		.where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, now - everyMs))));
