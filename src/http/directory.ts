// What authentication asks of the domains, and the words of its answers.

import type { Orm, Statement } from "../db/database";
import type { Membership } from "../runtime/ports";
import type { Services } from "../runtime/services";
import type { Access, Scope } from "./access";

export type AccountState = {
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
	accountState(orm: Orm, token: UserToken): Lookup<AccountState | undefined>;
	apiKey(orm: Orm, keyId: string): Lookup<ApiKeyRecord | undefined>;
	/** The id of the organization with this id or slug. */
	organization(orm: Orm, reference: string): Lookup<string | undefined>;
	/** Records that the key was used. */
	keyUsed(services: Services, keyId: string): Promise<void>;
}
