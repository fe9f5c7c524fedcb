// What people and API keys of an organization are called, in place of their ids.

import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { apiKeys, organizationMembers } from "../table";

const m = alias(organizationMembers, "m");
const k = alias(apiKeys, "k");

/**
 * What the organization's home knows a member or a key by; null for an id of neither. A removed member keeps what they were called.
 * In a query on another database than that of the organization's home it is null for all.
 */
export const calledBy = (organizationId: SQLWrapper, actorId: SQLWrapper): SQL<string | null> =>
	sql<string | null>`coalesce(
		(select coalesce(${m.displayName}, ${m.email}, ${m.tag}) from ${organizationMembers} ${m} where ${eq(m.organizationId, organizationId)} and ${eq(m.userId, actorId)}),
		(select ${k.name} from ${apiKeys} ${k} where ${eq(k.id, actorId)} and ${eq(k.organizationId, organizationId)}))`;
