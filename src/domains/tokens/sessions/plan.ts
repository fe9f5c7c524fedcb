// Opens, renews and ends sessions.

import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type * as z from "zod";
import type { Orm, Statement, Write } from "../../../db/database";
import { guarded } from "../../../db/guards";
import type { Config } from "../../../runtime/config";
import type { Services } from "../../../runtime/services";
import { sha256Hex, toBase64Url } from "../../../shared/bytes";
import { homeDigits } from "../../../shared/ids";
import { forgetDevices } from "../../messages/devices/store";
import { type UserRow, users } from "../../users/model/table";
import { ACCESS_TOKEN_SECONDS, ID_TOKEN_SECONDS, mintToken } from "../model/service-token.crypto";
import { refreshTokens, type SessionRow, sessions } from "../table";
import type { SignedIn } from "../wire";
import { IDLE_MS, SESSION_MS } from "./policy";
import { deviceOf } from "./store";

type RefreshToken = { token: string; hash: string };

/** The home of the session, 32 secret bytes, and a keyed checksum, so that made-up tokens never reach D1. */
const REFRESH_TOKEN = /^(rt_([0-9a-f]{3})[\w-]{43})([\w-]{11})$/;

/** A token of a session in this home, which is that of its user. */
const mintRefreshToken = (services: Services): Promise<RefreshToken> =>
	refreshTokenOf(services, toBase64Url(crypto.getRandomValues(new Uint8Array(32))));

/** The one first refresh token that a one-time custom token buys: only who holds that token and our keys can make it again. */
export async function firstRefreshToken(services: Services, customToken: string): Promise<RefreshToken> {
	const [, secret = ""] = (await services.config.keyring.tag("first-refresh-token", customToken)).split(".");
	return refreshTokenOf(services, secret);
}

async function refreshTokenOf({ home, config: { keyring } }: Services, secret: string): Promise<RefreshToken> {
	const text = `rt_${homeDigits(home)}${secret}`;
	const token = `${text}${await keyring.check("refresh-token", text)}`;
	return { token, hash: await sha256Hex(token) };
}

/** The home that a refresh token names; undefined for a text that is none. */
export function homeOfRefreshToken(token: string): number | undefined {
	const digits = REFRESH_TOKEN.exec(token)?.[2];
	return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** Whether this service made the token. Whether it is valid is decided by its hash. */
export async function isRefreshToken({ keyring }: Pick<Config, "keyring">, token: string): Promise<boolean> {
	const [, text, , checksum] = REFRESH_TOKEN.exec(token) ?? [];
	return text !== undefined && checksum !== undefined && keyring.verifyCheck("refresh-token", text, checksum);
}

type Began = Pick<SessionRow, "issuer"> &
	Partial<Pick<SessionRow, "issuerKind" | "cautionUntil" | "authenticatedAt" | "within" | "deviceHash" | "deviceSince">>;

/** How long a session lasts, and its first refresh token; by default as long as any, and a new one. */
type Opening = { readonly lastsMs?: number; readonly first?: RefreshToken };

/** A new session of the user, with its first refresh token. */
export async function openSession(services: Services, userId: string, began: Began, { lastsMs = SESSION_MS, first }: Opening = {}) {
	const { db, realNow } = services;
	const id = crypto.randomUUID();
	const refresh = first ?? (await mintRefreshToken(services));
	const session: SessionRow = {
		issuerKind: null,
		cautionUntil: null,
		authenticatedAt: null,
		within: null,
		deviceHash: null,
		deviceSince: null,
		...began,
		id,
		userId,
		createdAt: realNow,
		expiresAt: realNow + lastsMs,
		revokedAt: null,
	};
	const writes: Statement[] = [
		db.orm.insert(sessions).values(session),
		db.orm.insert(refreshTokens).values({ hash: refresh.hash, sessionId: id, expiresAt: realNow + IDLE_MS }),
	];
	return { session, refreshToken: refresh.token, writes };
}

/** The tokens of a session. */
export async function tokensOf(
	{ config, issuer, realNow }: Services,
	user: UserRow,
	session: SessionRow,
	refresh_token: string,
): Promise<z.input<typeof SignedIn>> {
	const about = { issuer, subject: user.id, realNow };
	const common = { sid: session.id, azp: session.issuer ?? undefined, ...authenticationOf(session) };
	const [access_token, id_token] = await Promise.all([
		mintToken(config, { ...about, kind: "access", lifetimeSeconds: ACCESS_TOKEN_SECONDS, claims: common }),
		mintToken(config, {
			...about,
			kind: "id",
			lifetimeSeconds: ID_TOKEN_SECONDS,
			claims: { ...common, preferred_username: user.tag, phone_number_verified: user.mobileNumber !== null },
		}),
	]);
	return { id_token, access_token, refresh_token, token_type: "Bearer", expires_in: ACCESS_TOKEN_SECONDS };
}

/** How and when the user last proved their identity. */
function authenticationOf({ issuerKind, authenticatedAt, createdAt, cautionUntil, within, deviceSince }: SessionRow) {
	if (issuerKind === null) {
		const cau = cautionUntil === null ? undefined : Math.floor(cautionUntil / 1000);
		const dev = deviceSince === null || deviceSince === createdAt ? undefined : Math.floor(deviceSince / 1000);
		return { auth_time: Math.floor(createdAt / 1000), amr: ["otp"], cau, dev };
	}
	return {
		azp_kind: issuerKind,
		...(authenticatedAt !== null && { auth_time: Math.floor(authenticatedAt / 1000) }),
		...(within !== null && { within }),
	};
}

/** Replaces a refresh token that was not replaced before. The successor is stored sealed for a caller who loses the answer. */
export async function rotate(services: Services, hash: string, sessionId: string) {
	const { db, realNow, config } = services;
	const next = await mintRefreshToken(services);
	const sealedSuccessor = await config.keyring.seal("refresh-answer", hash, next.token);
	const writes: Write[] = [
		guarded(
			db.orm
				.update(refreshTokens)
				.set({ replacedAt: realNow, successorHash: next.hash, sealedSuccessor })
				.where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.replacedAt))),
		),
		db.orm.insert(refreshTokens).values({ hash: next.hash, sessionId, expiresAt: realNow + IDLE_MS }),
	];
	return { refreshToken: next.token, writes };
}

/** Notes that a caller who had lost the answer got this token late. Fails when the token was used meanwhile. */
export const giveAgain = (orm: Orm, hash: string, realNow: number): Write =>
	guarded(
		orm
			.update(refreshTokens)
			.set({ givenAgainAt: sql`coalesce(${refreshTokens.givenAgainAt}, ${realNow})` })
			.where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.replacedAt))),
	);

/** Ends every session of the user, their tokens that have no session row, and pushes to their devices. */
export const endAllSessions = (orm: Orm, userId: string, realNow: number): Statement[] => endOtherSessions(orm, userId, null, realNow);

/** The same for all sessions but one. */
export const endOtherSessions = (orm: Orm, userId: string, kept: string | null, realNow: number): Statement[] => [
	orm
		.update(sessions)
		.set({ revokedAt: realNow })
		.where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), kept === null ? undefined : ne(sessions.id, kept))),
	orm
		.update(users)
		.set({ signedOutAt: Math.floor(realNow / 1000), signedOutExcept: kept })
		.where(eq(users.id, userId)),
	forgetDevices(orm, userId, (deviceHash) => (kept === null ? sql`true` : sql`${deviceHash} is not ${deviceOf(kept)}`)),
];
