// What people and API keys of an organization are called, in place of their ids.

import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { apiKeys, organizationMembers } from "../table";

const organizationMember = alias(organizationMembers, "organization_member");
const apiKey = alias(apiKeys, "api_key");

/** The first of the columns that the member has. */
const ofMember = (called: readonly SQLWrapper[], organizationId: SQLWrapper, userId: SQLWrapper): SQL<string | null> =>
	sql`(select coalesce(${sql.join([...called], sql`, `)}) from ${organizationMembers} ${organizationMember} where ${eq(organizationMember.organizationId, organizationId)} and ${eq(organizationMember.userId, userId)})`;

/**
 * What the organization's home knows a member or a key by; null for an id of neither. A removed member keeps what they were called.
 * In a query on another database than that of the organization's home it is null for all.
 */
export const calledBy = (organizationId: SQLWrapper, actorId: SQLWrapper): SQL<string | null> =>
	sql<string | null>`coalesce(
		${ofMember([organizationMember.displayName, organizationMember.email, organizationMember.tag], organizationId, actorId)},
		(select ${apiKey.name} from ${apiKeys} ${apiKey} where ${eq(apiKey.id, actorId)} and ${eq(apiKey.organizationId, organizationId)}))`;

/** The same of a member alone, without the mail address: for readers who may not read members. */
export const namedBy = (organizationId: SQLWrapper, userId: SQLWrapper): SQL<string | null> =>
	ofMember([organizationMember.displayName, organizationMember.tag], organizationId, userId);
