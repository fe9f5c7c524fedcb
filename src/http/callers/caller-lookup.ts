// The caller look-up: what authentication asks of the domains about a token, a user, an API key or an organization.

import type { SQL } from "drizzle-orm";
import type { Orm, Statement } from "../../db/database";
import type { Membership } from "../../runtime/ports";
import type { JobServices, Services } from "../../runtime/services";
import type { Locale } from "../../shared/locale";
import type { Role, Scope } from "../../shared/permissions";
import type { Access, Through } from "./access";

/** What decides whether a user may call, and for which organizations. */
export type AccountState = {
	userId: string;
	waitingList: boolean;
	blocked: boolean;
	memberships: readonly Membership[];
	/** The only organization that the token may act for; null for all of the user's. */
	onlyIn: string | null;
	/** In seconds: tokens issued before it are refused. */
	signedOutAt: number | null;
	/** The session whose tokens are accepted all the same. */
	signedOutExcept: string | null;
	/** Sessions that ended so recently that their access tokens may not have expired yet. */
	endedSessions: readonly string[];
	/** The language that the user has chosen, and the language that is theirs without a choice. */
	locale: Locale | null;
	usualLocale: Locale | null;
};
/** A key that is not revoked. */
export type ApiKeyRecord = {
	hash: string;
	scopes: readonly Scope[];
	expiresAt: number | null;
	lastUsedAt: number | null;
	dailyAmount: number | null;
	createdBy: string;
	/** The maker's present role in the organization; of an operator, who never had one, all scopes hold. */
	maker: Role | "REMOVED" | "OPERATOR";
};

/** A statement, and how to read its rows. */
export type Lookup<T> = { statement: Statement; of: (rows: unknown) => T };

/** A service access token of a user's session. `issuedAt` in seconds; the others as of its caller. */
export type ServiceToken = {
	kind: "user";
	userId: string;
	sessionId: string | null;
	issuedAt: number;
	signedInAt?: number;
	cautionUntil?: number;
	through?: Through;
	/** The only organization (an id or a slug) whose member the token may act as, if its user belongs to it. */
	within?: string;
};
/** A token of an issuer whose subjects are linked to users. `organization` is its own claim, an id or a slug. */
export type IdentityToken = {
	kind: "identity";
	issuer: string;
	subject: string;
	/** Whose ids the subject may itself be: those of the users and members of an organization (an id or a slug); undefined for nobody's. */
	asserts: "ANY_USER" | { organization: string } | undefined;
	organization: string | undefined;
	/** As verified by the issuer. */
	email: string | undefined;
	/** It has an address that the issuer does not call verified. */
	hasUnprovenEmail: boolean;
	/** Whether the issuer's users skip the waiting list. */
	admitted: boolean;
	resourceAccess: "embedded" | "openfga";
};
export type UserToken = ServiceToken | IdentityToken;
/** The subject of a token whose signature, issuer, audience and times are valid. */
export type Principal = (UserToken | { kind: "operator"; operatorId: string }) & {
	/** When the subject signed in, in seconds; null if the token does not say it. */
	authenticatedAt: number | null;
};

export interface CallerLookup {
	/**
	 * Verifies a bearer token. Accepts service access tokens, operators' tokens and, where the access allows them, tokens of
	 * identity issuers. Throws `ApiError` UNAUTHORISED for all others.
	 */
	verify(token: string, access: Access, services: Services): Promise<Principal>;
	/**
	 * The services in the home of the token's user, and the look-up there, which finds nothing when there is no such user. Undefined
	 * when no user belongs to the token. May cost a round trip where the directory is not the only database.
	 */
	accountState(services: Services, token: UserToken): Promise<{ there: Services; lookup: Lookup<AccountState | undefined> } | undefined>;
	apiKey(orm: Orm, keyId: string): Lookup<ApiKeyRecord | undefined>;
	/** The id of the organization with this id or slug. */
	organization(reference: string): Lookup<string | undefined>;
	/** As a condition: the organization with this id or slug is suspended. */
	suspended(reference: string): SQL;
	/** Records that the key was used. */
	keyUsed(job: JobServices, keyId: string): Promise<unknown>;
}
