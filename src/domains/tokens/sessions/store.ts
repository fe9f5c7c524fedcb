// Builds the statements on sessions and on the refresh tokens that keep them alive.

import { and, desc, eq, gte, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { first } from "../../../db/reads";
import { SECOND_MS } from "../../../shared/time";
import { forgetDevices } from "../../messages/devices/store";
import { users } from "../../users/model/table";
import { customTokens, refreshTokens, sessions } from "../table";
import { SESSION_MS } from "./policy";

const user = alias(users, "user");
const eachSession = alias(sessions, "session");
const refreshToken = alias(refreshTokens, "refresh_token");

/** The token, its session, its user and its successor. */
export const findRefresh = (orm: Orm, hash: string) => {
	const sessionId = sql`(select ${refreshToken.sessionId} from ${refreshTokens} ${refreshToken} where ${refreshToken.hash} = ${hash})`;
	return {
		token: first(orm.select().from(refreshTokens).where(eq(refreshTokens.hash, hash))),
		session: first(orm.select().from(sessions).where(eq(sessions.id, sessionId))),
		user: first(
			orm
				.select()
				.from(users)
				.where(sql`${users.id} = (select ${eachSession.userId} from ${sessions} ${eachSession} where ${eachSession.id} = ${sessionId})`),
		),
		successor: first(
			orm
				.select({ replacedAt: refreshTokens.replacedAt })
				.from(refreshTokens)
				.where(
					sql`${refreshTokens.hash} = (select ${refreshToken.successorHash} from ${refreshTokens} ${refreshToken} where ${refreshToken.hash} = ${hash})`,
				),
		),
	};
};

/** Ends a session, and pushes to its device. A session that began with a partner's exchange has no row yet and gets one. */
export const endSession = (orm: Orm, id: string, userId: string, realNow: number): Statement[] => [
	orm
		.insert(sessions)
		.values({ id, userId, createdAt: realNow, expiresAt: realNow + SESSION_MS, revokedAt: realNow })
		.onConflictDoUpdate({
			target: sessions.id,
			set: { revokedAt: sql`coalesce(${sessions.revokedAt}, ${realNow})` },
			setWhere: eq(sessions.userId, userId),
		}),
	forgetDevices(orm, userId, (deviceHash) => sql`${deviceHash} = ${deviceOf(id)}`),
];

/** The digest of the device on which a session began. */
export const deviceOf = (sessionId: string): SQL =>
	sql`(select ${eachSession.deviceHash} from ${sessions} ${eachSession} where ${eachSession.id} = ${sessionId})`;

/**
 * Since when the user has had sessions on the device. Those that were ended with all others do not count: a user who ends all does not
 * trust the devices.
 */
export const findDevice = (orm: Orm, userId: string, deviceHash: string) => {
	const ofUser = (column: SQL) => sql`(select ${column} from ${users} ${user} where ${user.id} = ${userId})`;
	const { createdAt, deviceSince, id } = sessions;
	return orm
		.select({ since: deviceSince })
		.from(sessions)
		.where(
			and(
				eq(sessions.userId, userId),
				eq(sessions.deviceHash, deviceHash),
				or(
					gte(createdAt, ofUser(sql`(coalesce(${user.signedOutAt}, -1) + 1) * ${SECOND_MS}`)),
					eq(id, ofUser(sql`${user.signedOutExcept}`)),
				),
			),
		)
		.orderBy(desc(createdAt))
		.limit(1);
};

export const findCustomToken = (orm: Orm, id: string) => orm.select().from(customTokens).where(eq(customTokens.id, id));

export const useCustomToken = (orm: Orm, id: string, realNow: number): Effect =>
	guarded(
		orm
			.update(customTokens)
			.set({ usedAt: realNow })
			.where(and(eq(customTokens.id, id), isNull(customTokens.usedAt))),
	);
