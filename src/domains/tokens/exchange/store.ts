// Reads of what an outside identity stands for, and what a sign-in writes.

import { sql } from "drizzle-orm";
import type { Orm, Statement } from "../../../db/database";
import { type Expired, expired } from "../../../db/purge";
import { HOUR_MS } from "../../../shared/time";
import { identityLinks, users } from "../../users/table";
import { customTokens, refreshTokens, sessions, spentTokens } from "../table";

/** The user whom an operator or an earlier exchange linked to the identity. */
export const linkedUser = (orm: Orm, issuer: string, subject: string) =>
	orm
		.select()
		.from(users)
		.where(sql`${users.id} = (select l.user_id from ${identityLinks} l where l.issuer = ${issuer} and l.subject = ${subject})`);

/** Spends a token that is good for one use. Its primary key refuses the second. */
export const spend = (orm: Orm, issuer: string, tokenId: string, expiresAtS: number): Statement =>
	orm.insert(spentTokens).values({ issuer, tokenId, expiresAt: Math.ceil(expiresAtS * 1000) });

/** `UniqueViolation.columns` of a token that was spent before. */
export const SPENT_BEFORE = "spent_tokens.issuer, spent_tokens.token_id";

/** What has expired. Sessions are kept an hour longer, until their last access token has expired as well. */
export function expiredTokens(orm: Orm, realNow: number): Expired[] {
	const before = realNow - HOUR_MS;
	return [
		expired(orm, spentTokens, { key: [spentTokens.issuer, spentTokens.tokenId], by: spentTokens.expiresAt, before }),
		expired(orm, customTokens, { key: [customTokens.id], by: customTokens.expiresAt, before }),
		expired(orm, refreshTokens, { key: [refreshTokens.hash], by: refreshTokens.expiresAt, before }),
		expired(orm, sessions, { key: [sessions.id], by: sessions.expiresAt, before }),
	];
}
