// Who may call an operation. An access is a value on the operation; `authorize` enforces it before any input
// is parsed, and its type parameter is the caller that the handler receives.

import * as z from "zod";
import type { Config } from "../../runtime/config";
import type { Membership } from "../../runtime/ports";
import type { Permission, Scope } from "../../shared/permissions";
import type { IssuerKind } from "../../shared/trusted-issuer";

/** A variable of the configuration that holds the secret under which a provider signs its callbacks. */
export type SigningSecret = Extract<keyof Config, `${string}_SECRET`>;

export type UserCaller = {
	kind: "user";
	userId: string;
	sessionId: string | null;
	/** When they signed in by a one-time password, first on this device, in ms of real time; absent for a session that began otherwise. */
	signedInAt?: number;
	/** Until when the session may do little, in ms of real time, because it began while the number's SIM card had been exchanged. */
	cautionUntil?: number;
	/** Absent for a session that began with the service's own verification of a phone. */
	through?: Through;
	/** The token's session has ended: only operations that serve such callers see one, and they must do nothing for them. */
	isOver?: true;
	/** What an identity issuer's token says about the user; absent for service tokens. */
	identity?: { email: string | undefined; hasUnprovenEmail: boolean };
};
/** The issuer of another's through which a session began. */
export type Through = {
	readonly kind: Exclude<IssuerKind, "operator">;
	readonly issuer: string;
	/** What its users together may transfer in a day without one-time passwords. */
	readonly uncodedPerDay: number;
};
/** The subject of an identity issuer's token, who is not a user yet. */
export type NewcomerCaller = {
	kind: "newcomer";
	issuer: string;
	subject: string;
	/** As verified by the issuer. */
	email: string | undefined;
	/** Their token has an address that the issuer does not call verified. */
	hasUnprovenEmail: boolean;
	/** Whether the issuer's users skip the waiting list. */
	admitted: boolean;
};
export type KeyCaller = {
	kind: "key";
	keyId: string;
	organizationId: string;
	/** Set by the handler's first read, which looks the key up. */
	allowance?: KeyAllowance;
};
export type KeyAllowance = {
	/** How much the key may move in a day; null: the usual. */
	dailyAmount: number | null;
	/** The person who made the key. */
	maker: string;
};
/** A provider that signed the request's raw body with the secret of this name. */
export type SignerCaller = { kind: "signer"; secret: SigningSecret };
export type OperatorCaller = { kind: "operator"; operatorId: string };
/** A user or an operator who acts for an organization. */
export type OrganizationCaller =
	| {
			kind: "member";
			userId: string;
			organizationId: string;
			/** Who decides about single merchants: set by the identity issuer that signed the token. */
			resourceAccess?: "embedded" | "openfga";
			/** Set only where the handler checks the permission itself. */
			membership?: Membership;
			/** Of several permissions that the access names, those that an outside provider gives them; absent where their role decides. */
			permits?: readonly Permission[];
	  }
	| { kind: "operator"; operatorId: string; organizationId: string };
export type Caller = undefined | UserCaller | NewcomerCaller | KeyCaller | OperatorCaller | SignerCaller | OrganizationCaller;

/** Alone, or held until a second operator approves; for some operations that depends on the body as it was sent. */
export type OperatorWrites = "ALONE" | "HELD" | ((sent: unknown) => "ALONE" | "HELD" | "REFUSED");

export type Access<C extends Caller = Caller> = {
	/** `signedOut`: also a user whose session has ended, as a caller who `isOver`. */
	readonly user?: { waitingList: boolean; signedOut?: true };
	/** Keys with any of these scopes. */
	readonly apiKey?: readonly Scope[];
	/** Only a person may call: a key is refused as such (403), with any scopes. */
	readonly person?: true;
	readonly operator?: true;
	/** Outside `local` a token must come from a sign-in that is at most so many seconds old. */
	readonly fresh?: number;
	/** How operators may write where the service asks for pairs of them. Without it they may not. */
	readonly operatorWrites?: OperatorWrites;
	readonly signature?: SigningSecret;
	readonly organization?: {
		permission: Permission;
		/** Others that open the operation too. The handler checks which of them what is asked for needs. */
		or?: readonly Permission[];
		from: "path" | "header";
		/** How strangers to the organization in a path are refused: by default as if it did not exist (404). */
		foreign?: "FORBIDDEN";
		/** The handler checks the permission, because it may hold for a part of the organization; only the membership is checked before. */
		askedBy?: "handler";
	};
	/** Also accepts tokens of identity issuers, signed with one of these algorithms; without any named, with all that the issuer may use. */
	readonly identity?: { algorithms?: readonly ("RS256" | "ES256" | "EdDSA")[] };
	/** Also accepts identity issuers' tokens whose subject is not a user yet. */
	readonly newcomer?: true;
	/** Ties the handler's caller to the access at compile time; never set. */
	readonly caller?: C;
};

export const anyone: Access<undefined> = {};

/** A signed-in user who is off the waiting list and not blocked. */
export const user: Access<UserCaller> = { user: { waitingList: false } };

/** A signed-in user who is not blocked, on the waiting list or off it. */
export const userOnWaitingList: Access<UserCaller> = { user: { waitingList: true } };

/** The same, even when their session has ended. */
export const userEvenSignedOut: Access<UserCaller> = { user: { waitingList: true, signedOut: true } };

/** Together with `orIdentity` and an access of users: a subject of an identity issuer who is not a user yet. */
export const newcomer: Access<NewcomerCaller> = { newcomer: true };

/** A partner's API key that has one of the scopes. */
export const apiKey = (...scopes: Scope[]): Access<KeyCaller> => ({ apiKey: scopes });

/** The same access for what makes further powers: an hour after the sign-in, a thief of the token can do no more of it. */
export const freshly = <C extends Caller>(access: Access<C>): Access<C> => ({ ...access, fresh: 3600 });

/** The same access for what a person must decide themselves: no key has the power to. */
export const inPerson = <C extends Caller>(access: Access<C>): Access<C> => ({ ...access, person: true });

export const operator: Access<OperatorCaller> = { operator: true };

/** The same access, for a write that one operator may do alone: it protects, or it moves nothing. */
export const alone = <C extends Caller>(access: Access<C>): Access<C> => ({ ...access, operatorWrites: "ALONE" });

/** The same access, for an operators' write that waits for a second one. */
export const held = <C extends Caller>(access: Access<C>): Access<C> => ({ ...access, operatorWrites: "HELD" });

/** The same access, for a write of operators whose body decides whether it is one or the other. */
export const byBody = <C extends Caller>(access: Access<C>, operatorWrites: OperatorWrites & object): Access<C> => ({
	...access,
	operatorWrites,
});

/** Whether the body has these members and no others. */
export const isOnly = (sent: unknown, members: { readonly [name: string]: unknown }): boolean =>
	typeof sent === "object" &&
	sent !== null &&
	Object.keys(sent).length === Object.keys(members).length &&
	Object.entries(members).every(([name, value]) => (sent as typeof members)[name] === value);

/**
 * A provider's callback whose raw body is signed in `X-Service-Signature` by the webhook scheme. The signature is verified before
 * the body is parsed. While the secret is not configured, every call is refused.
 */
export const signedBy = (secret: SigningSecret): Access<SignerCaller> => ({ signature: secret });

/** A member of the acting organization (`X-Organization-Id`, or the only membership) whose role holds the permission, or an operator. */
export const member = (permission: Permission): Access<OrganizationCaller> => ({ organization: { permission, from: "header" } });

/** A member whose role holds any of these: the handler checks by which of them. */
export const memberWithAny = (permission: Permission, ...or: readonly Permission[]): Access<OrganizationCaller> => ({
	organization: { permission, or, from: "header" },
});

/** Each permission that opens the operation. */
export const permissionsOf = ({ permission, or = [] }: NonNullable<Access["organization"]>): readonly Permission[] => [permission, ...or];

/** The same for the organization that the path's `{organizationId}` names by id or slug. */
export const memberOfPath = (permission: Permission): Access<OrganizationCaller> => ({ organization: { permission, from: "path" } });

/** The same for an organization whose existence is public: strangers get 403, and 404 only where there is no such organization. */
export const memberOfPublicPath = (permission: Permission): Access<OrganizationCaller> => ({
	organization: { permission, from: "path", foreign: "FORBIDDEN" },
});

/** The path of both. */
export const organizationPath = z.object({ organizationId: z.string().min(1).max(255) });

/** Any member of the acting organization, or an operator. The handler checks the permission, which may hold for some merchants only. */
export const memberAsking = (permission: Permission): Access<OrganizationCaller> => ({
	organization: { permission, from: "header", askedBy: "handler" },
});

/** The same access, with tokens of identity issuers accepted as well as service tokens. */
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
