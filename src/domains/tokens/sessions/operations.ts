// Sessions: signing in with a custom token, keeping the session alive, and signing out. Invalid, expired and used tokens
// have the same answer.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { etagOf } from "../../../http/answers/etag";
import { alone, anyone, operator, userOnWaitingList } from "../../../http/callers/access";
import { forgetAccountState } from "../../../http/callers/account-states";
import { refusalOfGuess } from "../../../http/callers/failed-credentials";
import type { Copied, CopyRequest } from "../../../http/copy";
import { operation } from "../../../http/operation";
import { type Config, configuration } from "../../../runtime/config";
import type { Services } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, badInput } from "../../../shared/errors";
import { isUuid } from "../../../shared/ids";
import { recordSeen } from "../../users/plan";
import { findUser } from "../../users/store";
import { stillTrusted } from "../issuers/copies";
import { type Refused, refused, shown } from "../refusal.policy";
import { publicJwk, verifyToken } from "../service-token";
import { refreshTokens, type SessionRow } from "../table";
import { type Claims, readToken } from "../token.policy";
import { logRefusal } from "../verification";
import { SignedIn } from "../wire";
import { endAllSessions, homeOfRefreshToken, isRefreshToken, openSession, rotate, tokensOf } from "./plan";
import { judgeRefresh } from "./policy";
import { endSession, findCustomToken, findRefresh, useCustomToken } from "./store";

const refusal = (member: "custom_token" | "refresh_token") => badInput(member, "is not valid", "NOT_ALLOWED");

function customRefusal({ log }: Services, why: Refused) {
	logRefusal(log, "custom", why);
	return refusal("custom_token");
}

/** The home of the token's user. Nothing is verified yet: a made-up token finds nothing there. */
function homeOfCustomToken(text: string): string | undefined {
	const token = readToken(text);
	const subject = token.ok ? token.payload.sub : undefined;
	return typeof subject === "string" && isUuid(subject) ? subject : undefined;
}

/** The phone issuer that a custom token was got from. */
const issuerOf = ({ all: { azp } }: Claims): string | null => (typeof azp === "string" ? azp : null);

/** Sessions end with the trust in the issuer that they began with. */
const isTrusted = async (services: Services, issuer: string | null, kind: SessionRow["issuerKind"]): Promise<boolean> =>
	issuer === null || (await stillTrusted(services, issuer, kind ?? "phone")) !== undefined;

const endedWith = (issuer: string | null): Refused => refused("ISSUER_DISABLED", "a session of a trusted issuer", shown(issuer));

export const signIn = operation({
	id: "signIn",
	method: "POST",
	path: "/v1/auth/sign-in",
	summary: "Sign in with a one-time custom token",
	access: anyone,
	home: ({ body }) => homeOfCustomToken(body.custom_token),
	limit: "exchange",
	request: { body: z.object({ custom_token: z.string().min(1).max(8192) }) },
	response: SignedIn,
	badInput: "BAD_REQUEST",
	errors: ["FORBIDDEN"],
	async handle({ body }, services) {
		const { db, config, realNow } = services;
		const token = await verifyToken(config, "custom", services.issuer, body.custom_token, realNow);
		if (!token.ok) throw customRefusal(services, token);
		const id = token.tokenId ?? "";
		const [[known], [user]] = await db.read(findCustomToken(db.orm, id), findUser(db.orm, token.subject));
		if (!known || known.usedAt !== null || !user) {
			throw customRefusal(services, refused("ALREADY_USED", "an unused custom token", known ? "a used one" : "one without a record"));
		}
		if (user.blockedAt !== null) throw new ApiError("FORBIDDEN");
		const through = issuerOf(token);
		if (!(await isTrusted(services, through, null))) throw customRefusal(services, endedWith(through));
		const { session, refreshToken, writes } = await openSession(services, user.id, { issuer: through });
		const answer = await tokensOf(services, user, session, refreshToken);
		return services.commit([useCustomToken(db.orm, id, realNow), ...writes, ...recordSeen(services, user)], answer);
	},
});

export const refreshSession = operation({
	id: "refreshSession",
	method: "POST",
	path: "/v1/auth/token/refresh",
	summary: "Get new tokens for a refresh token, which is replaced",
	description:
		"A caller who lost the answer can repeat the call within 10 s and gets the same refresh token. A replaced token that is used later ends the session.",
	access: anyone,
	home: ({ body }) => homeOfRefreshToken(body.refresh_token),
	gated: false,
	limit: "exchange",
	request: { body: z.object({ refresh_token: z.string().min(1).max(255) }) },
	response: SignedIn,
	badInput: "BAD_REQUEST",
	errors: ["FORBIDDEN"],
	async handle({ body }, services) {
		const { db, config, realNow } = services;
		if (!(await isRefreshToken(config, body.refresh_token))) throw refusalOfGuess(refusal("refresh_token"));
		const hash = await sha256Hex(body.refresh_token);
		const [[token], [session], [user], [successor]] = await db.read(...findRefresh(db.orm, hash));
		if (!token || !session || !user) throw refusal("refresh_token");
		const verdict = judgeRefresh({ token, session, successorUsed: successor?.replacedAt != null }, realNow);
		if (verdict === "REVOKE") {
			await services.commitRegardless([endSession(db.orm, session.id, user.id, realNow)]);
			forgetAccountState(user.id);
		}
		if (verdict === "REVOKE" || verdict === "REFUSE") throw refusal("refresh_token");
		if (user.blockedAt !== null) throw new ApiError("FORBIDDEN");
		if (!(await isTrusted(services, session.issuer, session.issuerKind))) {
			logRefusal(services.log, "bearer", endedWith(session.issuer));
			throw refusal("refresh_token");
		}
		if (verdict === "REPEAT") {
			const refreshToken = await config.keyring.open("refresh-answer", hash, token.sealedSuccessor ?? "");
			if (refreshToken === undefined) throw refusal("refresh_token");
			return tokensOf(services, user, session, refreshToken);
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
	description: "Access tokens of an ended session are refused from then on.",
	access: userOnWaitingList,
	request: { body: z.object({ refresh_token: z.string().min(1).max(255).optional(), all: z.boolean().optional() }).optional() },
	response: null,
	badInput: "BAD_REQUEST",
	async handle({ caller, body }, services) {
		const { db, realNow } = services;
		const own = caller.sessionId === null ? [] : [endSession(db.orm, caller.sessionId, caller.userId, realNow)];
		const writes = [...own];
		if (body?.refresh_token !== undefined) {
			const [[token]] = await db.read(
				db.orm
					.select({ sessionId: refreshTokens.sessionId })
					.from(refreshTokens)
					.where(eq(refreshTokens.hash, await sha256Hex(body.refresh_token))),
			);
			// `endSession` changes no session of another user, and the answer does not tell whether there is one.
			if (token) writes.push(endSession(db.orm, token.sessionId, caller.userId, realNow));
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
		const [[known]] = await db.read(findUser(db.orm, path.userId));
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
const keySetCopies = new WeakMap<Config, Copied>();

async function copyOfKeySet({ env }: CopyRequest): Promise<Copied | undefined> {
	// While the configuration is wrong, the operation itself says so.
	const config = await configuration(env).catch(() => undefined);
	if (!config) return undefined;
	const known = keySetCopies.get(config);
	if (known) return known;
	const body = JSON.stringify(KeySet.parse(keySetOf(config)));
	const copy = { body, etag: await etagOf(body) };
	keySetCopies.set(config, copy);
	return copy;
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
	cacheControl: "public, max-age=300",
	copy: copyOfKeySet,
	async handle(_, { config }) {
		return keySetOf(config);
	},
});
