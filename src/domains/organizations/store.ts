// Reads of organizations and their API keys, and the writes that keep them.

import { and, eq, isNull, lte, or } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { apiKeys, organizations } from "./table";

/** The organizations that a reference may mean: `byReference` chooses among them. */
export const findByReference = (orm: Orm, reference: string) =>
	orm
		.select()
		.from(organizations)
		.where(or(eq(organizations.id, reference.toLowerCase()), eq(organizations.slug, reference)));

/** A slug may look like another organization's id: ids win. */
export const byReference = <Row extends { id: string }>(found: readonly Row[], reference: string): Row | undefined =>
	found.find((row) => row.id === reference.toLowerCase()) ?? found[0];

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

/** Records a use of the key, unless one was recorded within the last `everyMs`. */
export const recordUse = (orm: Orm, id: string, now: number, everyMs: number) =>
	orm
		.update(apiKeys)
		.set({ lastUsedAt: now })
		.where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, now - everyMs))));
