// Records which tokens are spent.

import type { Orm, Statement } from "../../../db/database";
import { type Expired, expired } from "../../../db/purge";
import { DAY_MS, HOUR_MS } from "../../../shared/time";
import { refused } from "../model/refusal.policy";
import { originOf } from "../model/token.policy";
import { customTokens, refreshTokens, sessions, spentTokens } from "../table";
import type { Verified } from "../verification.procedure";

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

/** So long after its end a session still shows that its device is known. */
const DEVICE_MEMORY_MS = 90 * DAY_MS;

/** What has expired. */
export function expiredTokens(orm: Orm, realNow: number): Expired[] {
	const before = realNow - HOUR_MS;
	return [
		expired(orm, spentTokens, { key: [spentTokens.issuer, spentTokens.tokenId], by: spentTokens.expiresAt, before }),
		expired(orm, customTokens, { key: [customTokens.id], by: customTokens.expiresAt, before }),
		expired(orm, refreshTokens, { key: [refreshTokens.hash], by: refreshTokens.expiresAt, before }),
		expired(orm, sessions, { key: [sessions.id], by: sessions.expiresAt, before: realNow - DEVICE_MEMORY_MS }),
	];
}
