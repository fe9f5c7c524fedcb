// Reads of what an outside identity stands for, and what a sign-in writes.

import { sql } from "drizzle-orm";
import type { Orm, Statement } from "../../db/session";
import { identityLinks, users } from "../users/table";
import { spentTokens } from "./table";

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
