// Sessions: keeping one alive, and signing out. Invalid, expired and used tokens have the same answer.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { first } from "../../../db/reads";
import { etagOf } from "../../../http/answers/etag";
import type { Cached, CacheRequest } from "../../../http/cached";
import { alone, anyone, operator, userEvenSignedOut } from "../../../http/callers/access";
import { forgetAccountState } from "../../../http/callers/account-states";
import { refusalOfGuess } from "../../../http/callers/failed-credentials";
import { blocked } from "../../../http/callers/missing-credentials";
import { operation } from "../../../http/operation";
import { type Config, configuration } from "../../../runtime/config";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, refusedInput } from "../../../shared/errors";
import { recordSeen } from "../../users/model/plan";
import { findUser } from "../../users/model/store";
import { refusalOfSession } from "../issuers/cache";
import { publicJwk } from "../model/service-token.crypto";
import { refreshTokens } from "../table";
import { logRefusal } from "../verification.procedure";
import { SignedIn } from "../wire";
import { endAllSessions, giveAgain, homeOfRefreshToken, isRefreshToken, rotate, tokensOf } from "./plan";
import { judgeRefresh } from "./policy";
import { endSession, findRefresh } from "./store";

const refusal = () => refusedInput("refresh_token", "is not valid: sign in again", "NOT_ALLOWED", { reason: "SESSION_ENDED" });

export const refreshSession = operation({
	id: "refreshSession",
	method: "POST",
	path: "/v1/auth/token/refresh",
	summary: "Get new tokens for a refresh token, which is replaced",
	description:
		"A caller who lost the answer repeats the call and gets the same refresh token, for a day and as long as nobody has used it. A replaced token whose successor was used ends the session.",
	access: anyone,
	home: ({ body }) => homeOfRefreshToken(body.refresh_token),
	gated: false,
	limit: "exchange",
	request: { body: z.object({ refresh_token: z.string().min(1).max(255) }) },
	response: SignedIn,
	badInput: "BAD_REQUEST",
	errors: ["FORBIDDEN"],
	reasons: ["SESSION_ENDED", "USER_BLOCKED"],
	async handle({ body }, services) {
		const { db, config, realNow } = services;
		if (!(await isRefreshToken(config, body.refresh_token))) throw refusalOfGuess(refusal());
		const hash = await sha256Hex(body.refresh_token);
		const { token, session, user, successor } = await db.read(findRefresh(db.orm, hash));
		if (!token || !session || !user) throw refusal();
		const verdict = judgeRefresh({ token, session, successorUsed: successor?.replacedAt != null }, realNow);
		if (verdict === "REVOKE") {
			await services.commitRegardless(endSession(db.orm, session.id, user.id, realNow));
			forgetAccountState(user.id);
		}
		if (verdict === "REVOKE" || verdict === "REFUSE") throw refusal();
		if (user.blockedAt !== null) throw blocked();
		const ended = await refusalOfSession(services, session.issuer, session.issuerKind ?? "phone");
		if (ended) {
			logRefusal(services.log, "bearer", ended);
			throw refusal();
		}
		if (verdict === "REPEAT" || verdict === "REPEAT_LATE") {
			const refreshToken = await config.keyring.open("refresh-answer", hash, token.sealedSuccessor ?? "");
			if (refreshToken === undefined) throw refusal();
			const answer = await tokensOf(services, user, session, refreshToken);
			return verdict === "REPEAT" ? answer : services.commit([giveAgain(db.orm, token.successorHash ?? "", realNow)], answer);
		}
		const next = await rotate(services, hash, session.id);
		return services.commit([...next.writes, ...recordSeen(services, user)], await tokensOf(services, user, session, next.refreshToken));
	},
});

export const signOut = operation({
	id: "signOut",
	method: "POST",
	path: "/v1/auth/sign-out",
	summary: "Sign out: the caller's session, that of a refresh token, or all",
	description: "Access tokens of an ended session are refused from then on; signing out once more answers the same and does nothing.",
	access: userEvenSignedOut,
	request: { body: z.object({ refresh_token: z.string().min(1).max(255).optional(), all: z.boolean().optional() }).optional() },
	response: null,
	badInput: "BAD_REQUEST",
	async handle({ caller, body }, services) {
		// A caller who lost the answer: their own sign-out has ended the session.
		if (caller.isOver) return undefined;
		const { db, realNow } = services;
		const own = caller.sessionId === null ? [] : endSession(db.orm, caller.sessionId, caller.userId, realNow);
		const writes = [...own];
		if (body?.refresh_token !== undefined) {
			const token = await db.read(
				first(
					db.orm
						.select({ sessionId: refreshTokens.sessionId })
						.from(refreshTokens)
						.where(eq(refreshTokens.hash, await sha256Hex(body.refresh_token))),
				),
			);
			// `endSession` changes no session of another user, and the answer does not show whether there is one.
			if (token) writes.push(...endSession(db.orm, token.sessionId, caller.userId, realNow));
		}
		if (body?.all) writes.push(...endAllSessions(db.orm, caller.userId, realNow));
		const answer = await services.commit(writes, undefined);
		forgetAccountState(caller.userId);
		return answer;
	},
});

export const revokeSessions = operation({
	id: "revokeSessions",
	method: "POST",
	path: "/v1/platform/users/{userId}/sessions/revoke",
	summary: "End every session of a user",
	description: "Their access tokens are refused from then on.",
	access: alone(operator),
	home: ({ path }) => path.userId,
	request: { path: z.object({ userId: z.uuid().toLowerCase() }) },
	response: null,
	errors: ["NOT_FOUND"],
	async handle({ path }, services) {
		const { db, realNow } = services;
		const known = await db.read(first(findUser(db.orm, path.userId)));
		if (!known) throw new ApiError("NOT_FOUND");
		const answer = await services.commit(endAllSessions(db.orm, known.id, realNow), undefined);
		forgetAccountState(known.id);
		return answer;
	},
});

const KeySet = z.object({
	keys: z.array(z.object({ kty: z.string(), n: z.string(), e: z.string(), kid: z.string(), alg: z.string(), use: z.string() })),
});

const keySetOf = ({ SERVICE_KEYS }: Config) => ({ keys: SERVICE_KEYS.keys.map(publicJwk) });

/** By configuration, which an isolate never changes. */
const keySetAnswers = new WeakMap<Config, Cached>();

async function cachedKeySet({ env }: CacheRequest): Promise<Cached | undefined> {
	// While the configuration is wrong, the operation itself says so.
	const config = await configuration(env).catch(() => undefined);
	if (!config) return undefined;
	const known = keySetAnswers.get(config);
	if (known) return known;
	const body = JSON.stringify(KeySet.parse(keySetOf(config)));
	const answer = { body, etag: await etagOf(body) };
	keySetAnswers.set(config, answer);
	return answer;
}

export const getKeys = operation({
	id: "getKeys",
	method: "GET",
	path: "/.well-known/jwks.json",
	summary: "The public keys of the service's tokens",
	access: anyone,
	home: "directory",
	gated: false,
	request: {},
	response: KeySet,
	// While the service fails, its keys are still those that sign; an hour in all, because a key that was removed must not verify for long.
	cacheControl: "public, max-age=300, stale-if-error=3300",
	cached: cachedKeySet,
	async handle(_, { config }) {
		return keySetOf(config);
	},
});
