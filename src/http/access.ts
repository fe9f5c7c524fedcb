// Who may call an operation. An access is a value on the operation; `authenticate` enforces it before any input
// is parsed, and its type parameter is the caller that the handler receives.

import type { Permission } from "../shared/permissions";

/** What an API key may be good for. */
export const SCOPES = ["loans:write", "repayments:write", "agents:write", "invoices:write", "approvals:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** Configuration values with which providers sign their callbacks. */
export type SigningSecret = "DISBURSER_SECRET" | "CUSTODIAN_SECRET";

export type UserCaller = { kind: "user"; userId: string; sessionId: string | null };
export type KeyCaller = { kind: "key"; keyId: string; organizationId: string };
/** A provider of ours that signed the request's raw body with the secret of this name. */
export type SignerCaller = { kind: "signer"; secret: SigningSecret };
export type OperatorCaller = { kind: "operator"; operatorId: string };
/** Somebody acting for an organization: a member by role, or an operator. */
export type OrganizationCaller =
	| {
			kind: "member";
			userId: string;
			organizationId: string;
			/** Who decides about single merchants, by the word of the outside issuer whose token it was. */
			resourceAccess?: "embedded" | "openfga";
	  }
	| { kind: "operator"; operatorId: string; organizationId: string };
export type Caller = undefined | UserCaller | KeyCaller | OperatorCaller | SignerCaller | OrganizationCaller;

export type Access<C extends Caller = Caller> = {
	readonly user?: { waitingList: boolean };
	readonly apiKey?: Scope;
	readonly operator?: true;
	readonly signature?: SigningSecret;
	readonly organization?: { permission: Permission; from: "path" | "header" };
	/** Tokens of identity issuers are taken too, signed with one of these algorithms or, without, any that their issuer may use. */
	readonly identity?: { algorithms?: readonly ("RS256" | "ES256" | "EdDSA")[] };
	/** Ties the handler's caller to the access at compile time; never set. */
	readonly caller?: C;
};

export const anyone: Access<undefined> = {};

/** A signed-in user who is off the waiting list and not blocked. */
export const user: Access<UserCaller> = { user: { waitingList: false } };

/** A signed-in user, also while on the waiting list. */
export const userOnWaitingList: Access<UserCaller> = { user: { waitingList: true } };

/** A partner's API key that has the scope. */
export const apiKey = (scope: Scope): Access<KeyCaller> => ({ apiKey: scope });

export const operator: Access<OperatorCaller> = { operator: true };

/**
 * A provider's callback, its raw body signed in `X-Service-Signature` by the webhook scheme; verified before anything is parsed.
 * Without the secret nobody is let in.
 */
export const signedBy = (secret: SigningSecret): Access<SignerCaller> => ({ signature: secret });

/** A member of the acting organization (`X-Organization-Id`, or the only membership) whose role holds the permission; an operator may too. */
export const member = (permission: Permission): Access<OrganizationCaller> => ({ organization: { permission, from: "header" } });

/** The same for the organization that the path's `{organizationId}` names by id or slug. */
export const memberOfPath = (permission: Permission): Access<OrganizationCaller> => ({ organization: { permission, from: "path" } });

/** The same access for bearers of an identity issuer's own token beside service tokens. */
export const orIdentity = <C extends Caller>(access: Access<C>, identity: NonNullable<Access["identity"]> = {}): Access<C> => ({
	...access,
	identity,
});

export function oneOf<A extends Caller, B extends Caller>(first: Access<A>, second: Access<B>): Access<A | B>;
export function oneOf<A extends Caller, B extends Caller, C extends Caller>(
	first: Access<A>,
	second: Access<B>,
	third: Access<C>,
): Access<A | B | C>;
export function oneOf(...accesses: Access[]): Access {
	return Object.assign({}, ...accesses);
}

/** Whether the operation can be called without credentials. */
export const isPublic = (access: Access): boolean =>
	!access.user && !access.apiKey && !access.operator && !access.signature && !access.organization;
