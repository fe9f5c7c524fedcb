// Who is calling, and may they? Tokens are verified at once; what D1 knows of the caller (blocked, waiting list,
// role, key) rides along with the request's first read, so that a check costs no round trip of its own.

import type { Orm, Statement } from "../db/session";
import type { Membership } from "../providers/authorization";
import type { Services } from "../services";
import { equalBytes, fromBase64, fromHex, sha256Hex, toBase64Url, toHex, utf8 } from "../shared/bytes";
import { isUuid, uuidOfHex } from "../shared/ids";
import { Recent } from "../shared/recent";
import { verifyWebhook } from "../webhook-verify/verify";
import { type Access, type Caller, isPublic, type Scope, type SigningSecret } from "./access";
import { ApiError, InvalidInput } from "./errors";

export type Standing = {
	userId: string;
	waitingList: boolean;
	blocked: boolean;
	memberships: readonly Membership[];
	/** In seconds: tokens made before it are over. */
	signedOutAt: number | null;
	/** Sessions that ended so short a while ago that their access tokens may still be about. */
	endedSessions: readonly string[];
};
/** A key that is not revoked. */
export type ApiKeyRecord = { hash: string; scopes: readonly Scope[]; expiresAt: number | null; lastUsedAt: number | null };

/** A statement and what its rows mean. */
export type Lookup<T> = { statement: Statement; of: (rows: unknown) => T };

/** A service access token: of a user, in a session that may have been signed out since. `issuedAt` in seconds. */
export type ServiceToken = { kind: "user"; userId: string; sessionId: string | null; issuedAt: number };
/** A token of an issuer whose subjects are linked to users. `organization` is its own claim, an id or a slug. */
export type IdentityToken = {
	kind: "identity";
	issuer: string;
	subject: string;
	/** Whether the subject may be a user's own id. */
	mayAssertUserIds: boolean;
	organization: string | undefined;
	resourceAccess: "embedded" | "openfga";
};
export type UserToken = ServiceToken | IdentityToken;
/** Whose token it is, once its signature, issuer, audience and times are found right. */
export type Principal = UserToken | { kind: "operator"; operatorId: string };

export interface Directory {
	/**
	 * Throws `ApiError` UNAUTHORISED for every token that is not a service access token or an operator's, or, where the
	 * access takes them, an identity issuer's.
	 */
	verify(token: string, access: Access, services: Services): Promise<Principal>;
	/** Undefined also when the token's subject is nobody's, or its session is over. */
	standing(orm: Orm, token: UserToken): Lookup<Standing | undefined>;
	apiKey(orm: Orm, keyId: string): Lookup<ApiKeyRecord | undefined>;
	/** The id of the organization with this id or slug. */
	organization(orm: Orm, reference: string): Lookup<string | undefined>;
	/** Records that the key was used. */
	keyUsed(services: Services, keyId: string): Promise<void>;
}

export type Credentials = {
	method: string;
	authorization: string | undefined;
	apiKey: string | undefined;
	/** `X-Service-Signature`. */
	signature: string | undefined;
	/** The raw body, of which a signature is taken. */
	bytes: Uint8Array | undefined;
	organizationHeader: string | undefined;
	organizationInPath: string | undefined;
};

/** What is known of users; relied on for 10 s and for reads only, afterwards just a guess that the next read verifies. */
const standings = new Recent<Standing>(5_000, 10_000);

const standingKey = (token: UserToken): string => (token.kind === "user" ? token.userId : JSON.stringify([token.issuer, token.subject]));

/** Lets this isolate see at once that the user's sessions changed. */
export const forgetStanding = (userId: string): void => standings.delete(userId);

/** Which organization a reference means. Slugs and ids are for good, so what was once found holds. */
const references = new Recent<string>(5_000, Number.POSITIVE_INFINITY);

/** How often a key's use is written down. */
export const USE_RECORDED_EVERY_MS = 60_000;

/** The organization that the caller was taken to act for is not the one: the request starts again with what D1 says. */
export class WrongGuess extends Error {}

export async function authenticate(access: Access, credentials: Credentials, services: Services, directory: Directory): Promise<Caller> {
	if (isPublic(access)) return undefined;
	if (credentials.authorization !== undefined && credentials.apiKey !== undefined) {
		throw new InvalidInput([
			{ path: "header.X-API-Key", reason: "cannot be sent together with Authorization", sub_code: "MUTUALLY_EXCLUSIVE" },
		]);
	}
	if (access.signature && credentials.signature !== undefined) return bySignature(access.signature, credentials, services);
	if (credentials.apiKey !== undefined) return byApiKey(access, credentials.apiKey, services, directory);
	const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(credentials.authorization ?? "")?.[1];
	if (!token) throw new ApiError("UNAUTHORISED");
	const principal = await directory.verify(token, access, services);
	if (principal.kind === "operator") return asOperator(access, principal.operatorId, credentials, services, directory);
	return asUser(access, principal, credentials, services, directory);
}

async function bySignature(secret: SigningSecret, { signature, bytes }: Credentials, { config, realNow }: Services): Promise<Caller> {
	const verdict = await verifyWebhook(signature, bytes ?? new Uint8Array(), [config[secret] ?? ""], realNow / 1000);
	if (!verdict.valid) throw new ApiError("UNAUTHORISED");
	return { kind: "signer", secret };
}

async function byApiKey(access: Access, key: string, services: Services, directory: Directory): Promise<Caller> {
	const scope = access.apiKey;
	const claimed = scope && readApiKey(key);
	if (!claimed) throw new ApiError("UNAUTHORISED");
	const hash = await sha256Hex(key);
	const session = services.db.primary ? services.db : services.primary();
	const lookup = directory.apiKey(session.orm, claimed.keyId);
	session.rider = {
		statements: [lookup.statement],
		accept([rows]) {
			const record = lookup.of(rows);
			if (!record || !equalBytes(utf8(record.hash), utf8(hash))) throw new ApiError("UNAUTHORISED");
			if (record.expiresAt !== null && record.expiresAt <= services.now) throw new ApiError("UNAUTHORISED");
			if (!record.scopes.includes(scope)) throw new ApiError("FORBIDDEN");
			// Kept to the minute and after the answer: it costs the request nothing.
			if (record.lastUsedAt === null || record.lastUsedAt <= services.now - USE_RECORDED_EVERY_MS) {
				services.afterwards(directory.keyUsed(services, claimed.keyId));
			}
		},
	};
	if (session !== services.db) await session.settle();
	return { kind: "key", ...claimed };
}

async function asOperator(
	access: Access,
	operatorId: string,
	credentials: Credentials,
	services: Services,
	directory: Directory,
): Promise<Caller> {
	const reference = referenceOf(access, credentials);
	if (!access.organization || (access.operator && reference === undefined)) {
		if (!access.operator) throw new ApiError("FORBIDDEN");
		return { kind: "operator", operatorId };
	}
	if (reference === undefined) throw new ApiError("FORBIDDEN", { description: NAME_THE_ORGANIZATION });
	const { from } = access.organization;
	const lookup = directory.organization(services.db.orm, reference);
	const asserted = references.get(reference, services.realNow)?.value ?? (isUuid(reference) ? reference.toLowerCase() : undefined);
	const judge = (rows: unknown): string => {
		const organizationId = lookup.of(rows);
		if (!organizationId) throw noPartIn(from);
		references.set(reference, organizationId, services.realNow);
		return organizationId;
	};
	if (asserted === undefined) {
		const [rows] = await services.db.read(lookup.statement);
		return { kind: "operator", operatorId, organizationId: judge(rows) };
	}
	services.db.rider = {
		statements: [lookup.statement],
		accept([rows]) {
			if (judge(rows) !== asserted) throw new WrongGuess();
		},
	};
	return { kind: "operator", operatorId, organizationId: asserted };
}

async function asUser(
	access: Access,
	token: UserToken,
	credentials: Credentials,
	services: Services,
	directory: Directory,
): Promise<Caller> {
	if (!access.user && !access.organization) throw new ApiError("FORBIDDEN");
	// Who may call for himself and for an organization says with X-Organization-Id that he means the latter.
	const permission = access.user && referenceOf(access, credentials) === undefined ? undefined : access.organization;
	if (permission && !services.authorization.fromMemberships) {
		return byProvider(permission, token, credentials, services, directory);
	}
	const callerBy = (standing: Standing) => callerOf(access.user, permission, token, credentials, standing, services);
	const known = standings.get(standingKey(token), services.realNow);
	const guess = known && attempt(() => callerBy(known.value));
	if (guess && known.fresh && credentials.method === "GET") return guess;

	const asserted = guess ?? assertedCaller(permission, token, credentials);
	const session = services.db.primary ? services.db : services.primary();
	const lookup = directory.standing(session.orm, token);
	const judge = (rows: unknown): Caller => {
		const standing = lookup.of(rows);
		if (!standing) throw new ApiError("UNAUTHORISED");
		standings.set(standingKey(token), standing, services.realNow);
		return callerBy(standing);
	};
	if (!asserted || session !== services.db) {
		const [rows] = await session.read(lookup.statement);
		return judge(rows);
	}
	session.rider = {
		statements: [lookup.statement],
		accept([rows]) {
			const actual = judge(rows);
			if (organizationOf(actual) !== organizationOf(asserted)) throw new WrongGuess();
		},
	};
	return asserted;
}

/**
 * A member by the word of a provider outside: roles in D1 count for nothing, a block does. Whom it denies is told that
 * the organization exists only when he is a member of it.
 */
async function byProvider(
	{ permission, from }: OrganizationAccess,
	token: UserToken,
	credentials: Credentials,
	services: Services,
	directory: Directory,
): Promise<Caller> {
	const write = credentials.method !== "GET";
	const reference = actingReference(from, token, credentials);
	const known = standings.get(standingKey(token), services.realNow);
	let standing = known?.fresh && !write ? known.value : undefined;
	let organizationId = reference === undefined ? undefined : references.get(reference, services.realNow)?.value;
	if (!standing || (reference !== undefined && organizationId === undefined)) {
		const session = services.db.primary ? services.db : services.primary();
		const standingLookup = directory.standing(session.orm, token);
		const organizationLookup = directory.organization(session.orm, reference ?? "");
		const [standingRows, organizationRows] = await session.read(standingLookup.statement, organizationLookup.statement);
		standing = standingLookup.of(standingRows);
		if (!standing) throw new ApiError("UNAUTHORISED");
		standings.set(standingKey(token), standing, services.realNow);
		organizationId = organizationLookup.of(organizationRows);
		if (reference !== undefined && organizationId !== undefined) references.set(reference, organizationId, services.realNow);
	}
	refuseUser(token, standing);
	if (reference === undefined) organizationId = actingMembership(from, token, credentials, standing).organizationId;
	const { memberships } = standing;
	if (
		!agrees(token, { organizationId, slug: memberships.find((one) => one.organizationId === organizationId)?.slug ?? reference ?? null })
	) {
		throw new ApiError("FORBIDDEN");
	}
	if (organizationId === undefined) throw noPartIn(from);
	const decision = await services.authorization.check({
		subject: { userId: standing.userId },
		permission,
		resource: { type: "organization", id: organizationId },
		write,
	});
	const member = memberships.some((membership) => membership.organizationId === organizationId);
	if (decision !== "ALLOW") throw member ? new ApiError("FORBIDDEN") : noPartIn(from);
	return memberBy(token, standing, organizationId);
}

type OrganizationAccess = NonNullable<Access["organization"]>;

/** The caller that a standing makes of a user. Throws what refuses him. */
function callerOf(
	user: Access["user"],
	organization: OrganizationAccess | undefined,
	token: UserToken,
	credentials: Credentials,
	standing: Standing,
	{ authorization }: Services,
): Caller {
	refuseUser(token, standing);
	if (!organization) {
		if (standing.waitingList && !user?.waitingList) throw new ApiError("WAITING_LIST");
		return { kind: "user", userId: standing.userId, sessionId: token.kind === "user" ? token.sessionId : null };
	}
	const { organizationId } = actingMembership(organization.from, token, credentials, standing);
	const resource = { type: "organization", id: organizationId } as const;
	const decision = authorization.fromMemberships?.({ permission: organization.permission, resource }, standing.memberships);
	if (decision !== "ALLOW") throw new ApiError("FORBIDDEN");
	return memberBy(token, standing, organizationId);
}

function refuseUser(token: UserToken, { blocked, signedOutAt, endedSessions }: Standing): void {
	if (token.kind === "user") {
		const over = (token.sessionId !== null && endedSessions.includes(token.sessionId)) || token.issuedAt < (signedOutAt ?? 0);
		if (over) throw new ApiError("UNAUTHORISED");
	}
	if (blocked) throw new ApiError("FORBIDDEN");
}

const memberBy = (token: UserToken, { userId }: Standing, organizationId: string): Caller => ({
	kind: "member",
	userId,
	organizationId,
	...(token.kind === "identity" && { resourceAccess: token.resourceAccess }),
});

/** The organization that the request names: in its path or header, or else in an outside token's own claim. */
const actingReference = (from: "path" | "header", token: UserToken, credentials: Credentials): string | undefined =>
	(from === "path" ? credentials.organizationInPath : credentials.organizationHeader) ??
	(token.kind === "identity" ? token.organization : undefined);

/** Whether an outside token that names an organization names this one. */
function agrees(token: UserToken, { organizationId, slug }: { organizationId: string | undefined; slug: string | null }): boolean {
	const claim = token.kind === "identity" ? token.organization : undefined;
	return claim === undefined || claim.toLowerCase() === organizationId || claim === slug;
}

const NAME_THE_ORGANIZATION = "Name the acting organization in X-Organization-Id";

/** A path names a thing, which does not exist for those who have no part in it; a header only names a role to act in. */
const noPartIn = (from: "path" | "header") => new ApiError(from === "path" ? "NOT_FOUND" : "FORBIDDEN");

const referenceOf = (access: Access, credentials: Credentials): string | undefined =>
	access.organization?.from === "path" ? credentials.organizationInPath : credentials.organizationHeader;

function actingMembership(from: "path" | "header", token: UserToken, credentials: Credentials, { memberships }: Standing): Membership {
	const reference = actingReference(from, token, credentials);
	if (reference === undefined) {
		const [only, another] = memberships;
		if (!only || another) throw new ApiError("FORBIDDEN", { description: NAME_THE_ORGANIZATION });
		return only;
	}
	// An id wins over a slug that looks like one.
	const found = memberships.find((m) => m.organizationId === reference.toLowerCase()) ?? memberships.find((m) => m.slug === reference);
	if (!agrees(token, found ?? { organizationId: reference.toLowerCase(), slug: reference })) throw new ApiError("FORBIDDEN");
	if (!found) throw noPartIn(from);
	return found;
}

/** The caller, if the credentials alone say who he is and for which organization he acts. */
function assertedCaller(organization: OrganizationAccess | undefined, token: UserToken, credentials: Credentials): Caller {
	if (token.kind === "identity") return undefined;
	const { userId, sessionId } = token;
	if (!organization) return { kind: "user", userId, sessionId };
	const reference = organization.from === "path" ? credentials.organizationInPath : credentials.organizationHeader;
	return reference !== undefined && isUuid(reference) ? { kind: "member", userId, organizationId: reference.toLowerCase() } : undefined;
}

const organizationOf = (caller: Caller): string | undefined => (caller && "organizationId" in caller ? caller.organizationId : undefined);

function attempt<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** Who the caller is, for scopes and limits: a text that no other caller has. */
export async function identityOf(caller: Caller, credentials: Credentials): Promise<string> {
	if (!caller) return "anyone";
	if (caller.kind === "signer") return `signer:${caller.secret}`;
	if (caller.kind === "operator") return `operator:${caller.operatorId}`;
	// Of the whole key, because at this point the id in it is only claimed.
	if (caller.kind === "key") return `key:${await sha256Hex(credentials.apiKey ?? "")}`;
	return `user:${caller.userId}`;
}

const API_KEY = /^sk_([\w-]{75})$/;

/**
 * Makes an API key. It carries the ids of its organization and of itself before its 24 secret bytes, so that a
 * request's reads need not wait for the key's own look-up.
 */
export function mintApiKey(organizationId: string, keyId: string): string {
	const ids = fromHex(`${organizationId}${keyId}`.replaceAll("-", ""));
	const secret = crypto.getRandomValues(new Uint8Array(24));
	const bytes = new Uint8Array(ids.length + secret.length);
	bytes.set(ids);
	bytes.set(secret, ids.length);
	return `sk_${toBase64Url(bytes)}`;
}

function readApiKey(key: string): { organizationId: string; keyId: string } | undefined {
	const bytes = fromBase64(API_KEY.exec(key)?.[1] ?? "");
	if (bytes?.length !== 56) return undefined;
	return { organizationId: uuidOfHex(toHex(bytes.subarray(0, 16))), keyId: uuidOfHex(toHex(bytes.subarray(16, 32))) };
}
