// Who is calling, and may they? Tokens are verified at once; what D1 knows of the caller (blocked, waiting list,
// role, key) rides along with the request's first read, so that a check costs no round trip of its own.

import type { Orm, Statement } from "../db/session";
import type { Membership } from "../providers/authorization";
import type { Services } from "../services";
import { equalBytes, fromBase64, fromHex, sha256Hex, toBase64Url, toHex, utf8 } from "../shared/bytes";
import { isUuid } from "../shared/ids";
import { Recent } from "../shared/recent";
import { type Access, type Caller, isPublic, type Scope } from "./access";
import { ApiError, InvalidInput } from "./errors";

export type Standing = { waitingList: boolean; blocked: boolean; memberships: readonly Membership[] };
/** A key that is not revoked. */
export type ApiKeyRecord = { hash: string; scopes: readonly Scope[]; expiresAt: number | null; lastUsedAt: number | null };

/** A statement and what its rows mean. */
export type Lookup<T> = { statement: Statement; of: (rows: unknown) => T };

/** Whose token it is, once its signature, issuer, audience and times are found right. */
export type Principal = { kind: "user"; userId: string; sessionId: string | null } | { kind: "operator"; operatorId: string };

export interface Directory {
	/** Throws `ApiError` UNAUTHORISED for every token that is not a service access token or an operator's. */
	verify(token: string, services: Services): Promise<Principal>;
	standing(orm: Orm, userId: string): Lookup<Standing | undefined>;
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
	organizationHeader: string | undefined;
	organizationInPath: string | undefined;
};

/** What is known of users; relied on for 10 s and for reads only, afterwards just a guess that the next read verifies. */
const standings = new Recent<Standing>(5_000, 10_000);

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
	if (credentials.apiKey !== undefined) return byApiKey(access, credentials.apiKey, services, directory);
	const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(credentials.authorization ?? "")?.[1];
	if (!token) throw new ApiError("UNAUTHORISED");
	const principal = await directory.verify(token, services);
	if (principal.kind === "operator") return asOperator(access, principal.operatorId, credentials, services, directory);
	return asUser(access, principal, credentials, services, directory);
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
	{ userId, sessionId }: { userId: string; sessionId: string | null },
	credentials: Credentials,
	services: Services,
	directory: Directory,
): Promise<Caller> {
	if (!access.user && !access.organization) throw new ApiError("FORBIDDEN");
	// Who may call for himself and for an organization says with X-Organization-Id that he means the latter.
	const permission = access.user && referenceOf(access, credentials) === undefined ? undefined : access.organization;
	if (permission && !services.authorization.fromMemberships) {
		return byProvider(permission, userId, credentials, services, directory);
	}
	const callerBy = (standing: Standing) => callerOf(access.user, permission, userId, sessionId, credentials, standing, services);
	const known = standings.get(userId, services.realNow);
	const guess = known && attempt(() => callerBy(known.value));
	if (guess && known.fresh && credentials.method === "GET") return guess;

	const asserted = guess ?? assertedCaller(permission, userId, sessionId, credentials);
	const session = services.db.primary ? services.db : services.primary();
	const lookup = directory.standing(session.orm, userId);
	const judge = (rows: unknown): Caller => {
		const standing = lookup.of(rows);
		if (!standing) throw new ApiError("UNAUTHORISED");
		standings.set(userId, standing, services.realNow);
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
	userId: string,
	credentials: Credentials,
	services: Services,
	directory: Directory,
): Promise<Caller> {
	const write = credentials.method !== "GET";
	const reference = from === "path" ? credentials.organizationInPath : credentials.organizationHeader;
	const known = standings.get(userId, services.realNow);
	let standing = known?.fresh && !write ? known.value : undefined;
	let organizationId = reference === undefined ? undefined : references.get(reference, services.realNow)?.value;
	if (!standing || (reference !== undefined && organizationId === undefined)) {
		const session = services.db.primary ? services.db : services.primary();
		const standingLookup = directory.standing(session.orm, userId);
		const organizationLookup = directory.organization(session.orm, reference ?? "");
		const [standingRows, organizationRows] = await session.read(standingLookup.statement, organizationLookup.statement);
		standing = standingLookup.of(standingRows);
		if (!standing) throw new ApiError("UNAUTHORISED");
		standings.set(userId, standing, services.realNow);
		organizationId = organizationLookup.of(organizationRows);
		if (reference !== undefined && organizationId !== undefined) references.set(reference, organizationId, services.realNow);
	}
	if (standing.blocked) throw new ApiError("FORBIDDEN");
	if (reference === undefined) organizationId = actingMembership(from, credentials, standing).organizationId;
	if (organizationId === undefined) throw noPartIn(from);
	const decision = await services.authorization.check({
		subject: { userId },
		permission,
		resource: { type: "organization", id: organizationId },
		write,
	});
	const member = standing.memberships.some((membership) => membership.organizationId === organizationId);
	if (decision !== "ALLOW") throw member ? new ApiError("FORBIDDEN") : noPartIn(from);
	return { kind: "member", userId, organizationId };
}

type OrganizationAccess = NonNullable<Access["organization"]>;

/** The caller that a standing makes of a user. Throws what refuses him. */
function callerOf(
	user: Access["user"],
	organization: OrganizationAccess | undefined,
	userId: string,
	sessionId: string | null,
	credentials: Credentials,
	standing: Standing,
	{ authorization }: Services,
): Caller {
	if (standing.blocked) throw new ApiError("FORBIDDEN");
	if (!organization) {
		if (standing.waitingList && !user?.waitingList) throw new ApiError("WAITING_LIST");
		return { kind: "user", userId, sessionId };
	}
	const { organizationId } = actingMembership(organization.from, credentials, standing);
	const resource = { type: "organization", id: organizationId } as const;
	const decision = authorization.fromMemberships?.({ permission: organization.permission, resource }, standing.memberships);
	if (decision !== "ALLOW") throw new ApiError("FORBIDDEN");
	return { kind: "member", userId, organizationId };
}

const NAME_THE_ORGANIZATION = "Name the acting organization in X-Organization-Id";

/** A path names a thing, which does not exist for those who have no part in it; a header only names a role to act in. */
const noPartIn = (from: "path" | "header") => new ApiError(from === "path" ? "NOT_FOUND" : "FORBIDDEN");

const referenceOf = (access: Access, credentials: Credentials): string | undefined =>
	access.organization?.from === "path" ? credentials.organizationInPath : credentials.organizationHeader;

function actingMembership(from: "path" | "header", credentials: Credentials, { memberships }: Standing): Membership {
	const reference = from === "path" ? credentials.organizationInPath : credentials.organizationHeader;
	if (reference === undefined) {
		const [only, another] = memberships;
		if (!only || another) throw new ApiError("FORBIDDEN", { description: NAME_THE_ORGANIZATION });
		return only;
	}
	// An id wins over a slug that looks like one.
	const found = memberships.find((m) => m.organizationId === reference.toLowerCase()) ?? memberships.find((m) => m.slug === reference);
	if (!found) throw noPartIn(from);
	return found;
}

/** The caller, if the credentials alone say for which organization he acts. */
function assertedCaller(
	organization: OrganizationAccess | undefined,
	userId: string,
	sessionId: string | null,
	credentials: Credentials,
): Caller {
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
	return { organizationId: uuidFrom(bytes.subarray(0, 16)), keyId: uuidFrom(bytes.subarray(16, 32)) };
}

function uuidFrom(bytes: Uint8Array): string {
	const hex = toHex(bytes);
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
