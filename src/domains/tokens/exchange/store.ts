// Finds the user behind an outside identity, and records which tokens are spent.

import { sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Orm, Statement } from "../../../db/database";
import { HOUR_MS } from "../../../shared/time";
import { identityLinks, users } from "../../users/table";
import { refused } from "../refusal";
import { customTokens, refreshTokens, sessions, spentTokens } from "../table";
import { originOf } from "../token.policy";
import type { Verified } from "../verification";

/** The user that an operator or an earlier exchange linked to the identity. */
export const linkedUser = (orm: Orm, issuer: string, subject: string) =>
	orm
		.select()
		.from(users)
		.where(sql`${users.id} = (select l.user_id from ${identityLinks} l where l.issuer = ${issuer} and l.subject = ${subject})`);

/** Spends a single-use token. The primary key refuses the second use. */
export const spend = (orm: Orm, issuer: string, tokenId: string, expiresAtS: number): Statement =>
	orm.insert(spentTokens).values({ issuer, tokenId, expiresAt: Math.ceil(expiresAtS * 1000) });

/** The index that refuses a token that was spent before. */
export const SPENT_BEFORE = [spentTokens.issuer, spentTokens.tokenId] as const;

/** The refusal of a second use. */
export const usedBefore = ({ token }: Verified) => ({
	...refused("ALREADY_USED", "a token id that is unused", "a spent one"),
	origin: originOf(token),
});

/** Removes what has expired, at most a thousand rows of each table at a time. Expired sessions outlive their last access token. */
export function purgeTokens(orm: Orm, realNow: number): Statement[] {
	const before = realNow - HOUR_MS;
	const expired = (table: SQLiteTable, key: string) =>
		sql`select ${sql.raw(key)} from ${table} where expires_at <= ${before} order by expires_at limit 1000`;
	return [
		orm.delete(spentTokens).where(sql`(issuer, token_id) in (${expired(spentTokens, "issuer, token_id")})`),
		orm.delete(customTokens).where(sql`id in (${expired(customTokens, "id")})`),
		orm.delete(refreshTokens).where(sql`hash in (${expired(refreshTokens, "hash")})`),
		orm.delete(sessions).where(sql`id in (${expired(sessions, "id")})`),
	];
}
