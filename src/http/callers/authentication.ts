// Authenticates callers and checks their access, in two steps: `verify` judges the credential by itself, `authorize` decides about its
// subject. The check of D1's facts about the caller (blocked, waiting list, role, key) comes with the request's first read, so that it
// costs no round trip of its own.

import type { Services } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { ApiError, forbidden, InvalidInput } from "../../shared/errors";
import { isUuid } from "../../shared/ids";
import { verifyWebhook } from "../../webhook-verify/verify";
import { type Access, type Caller, isPublic, permissionsOf, type SignerCaller, type SigningSecret, type UserCaller } from "./access";
import { accountOf, accountStateKey, accountStates, isOver, references, refuseUser, requireUser } from "./account-states";
import { actingMembership, NAME_THE_ORGANIZATION, type OrganizationAccess, outsiderRefusal, referenceIn } from "./acting-organization";
import type { Asking, Credentials } from "./asking";
import { byApiKey, type KeySubject, verifyApiKey } from "./by-api-key";
import { byProvider, memberBy } from "./by-provider";
import type { AccountState, IdentityToken, Principal, ServiceToken, UserToken } from "./caller-lookup";
import { forOthers, insufficientAuthentication, lacksPermission, unauthorised, whatToSend } from "./missing-credentials";

/**
 * The caller is authorized, but not for the organization that the cache suggested: the handler runs again with the right one.
 * This is not a refusal.
 */
export class OrganizationMismatch extends Error {}

/** Whom a credential that this service can verify by itself names. Undefined for operations that need none. */
export type Subject = undefined | SignerCaller | KeySubject | Principal;

/** Throws UNAUTHORISED for a credential that is missing or does not verify. */
export async function verify({ access, credentials, services, lookups }: Asking): Promise<Subject> {
	if (isPublic(access)) return undefined;
	if (credentials.authorization !== undefined && credentials.apiKey !== undefined) {
		throw new InvalidInput([
			{ path: "header.X-API-Key", reason: "cannot be sent together with Authorization", sub_code: "MUTUALLY_EXCLUSIVE" },
		]);
	}
	if (access.signature && credentials.signature !== undefined) return bySignature(access.signature, credentials, services);
	if (credentials.apiKey !== undefined) return verifyApiKey(access, credentials.apiKey, services);
	const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(credentials.authorization ?? "")?.[1];
	if (!token) {
		const why = credentials.authorization === undefined ? "Credentials are missing" : "Authorization is not a bearer token";
		throw unauthorised(`${why}. ${whatToSend(access)}`);
	}
	// No token begins so: a caller who sends a key here learns where it goes, and not that it is no token.
	if (token.startsWith("sk_")) throw unauthorised(`This is an API key, which is sent in X-API-Key. ${whatToSend(access)}`);
	const principal = await lookups.verify(token, access, services);
	demandFresh(access, principal, services);
	return principal;
}

/** Throws UNAUTHORISED if the operation needs a more recent sign-in than that behind the token, or than the token shows. */
function demandFresh({ fresh }: Access, { authenticatedAt }: Principal, { config, realNow }: Services): void {
	if (fresh === undefined || config.ENVIRONMENT === "local") return;
	if (authenticatedAt === null || authenticatedAt < realNow / 1000 - fresh) throw insufficientAuthentication({ maxAgeSeconds: fresh });
}

/** Whether the subject may call the operation, and as whom. */
export async function authorize(asking: Asking, subject: Subject): Promise<Caller> {
	if (!subject || subject.kind === "signer") return subject;
	if (subject.kind === "key") return byApiKey(asking, subject);
	return subject.kind === "operator" ? asOperator(asking, subject.operatorId) : asUser(asking, subject);
}

async function bySignature(secret: SigningSecret, { signature, bytes }: Credentials, { config, realNow }: Services): Promise<SignerCaller> {
	const verdict = await verifyWebhook(signature, bytes ?? new Uint8Array(), [config[secret] ?? ""], realNow / 1000);
	if (!verdict.valid)
		throw unauthorised("X-Service-Signature does not verify: sign the raw body with the shared secret, at the present time");
	return { kind: "signer", secret };
}

/** Operators work in pairs: what one may not do alone, and no second one can approve. */
export const NOT_FOR_OPERATORS = () =>
	forbidden("Operators may not do this where they work in pairs: it is for the organization's members");

async function asOperator({ access, credentials, services, lookups }: Asking, operatorId: string): Promise<Caller> {
	if (services.config.OPERATOR_PAIRS === "on" && credentials.method !== "GET" && !access.operatorWrites) throw NOT_FOR_OPERATORS();
	const reference = referenceIn(access, credentials);
	if (!access.organization || (access.operator && reference === undefined)) {
		if (!access.operator) throw forOthers(access);
		return { kind: "operator", operatorId };
	}
	if (reference === undefined) throw forbidden(NAME_THE_ORGANIZATION);
	const { organization } = access;
	const asserted = references.get(reference, services.realNow)?.value ?? (isUuid(reference) ? reference.toLowerCase() : undefined);
	const there = asserted === undefined ? services : services.at(asserted);
	const lookup = lookups.organization(reference);
	const judge = (rows: unknown): string => {
		const organizationId = lookup.of(rows);
		if (!organizationId) throw outsiderRefusal(organization, reference, false);
		references.set(reference, organizationId, services.realNow);
		return organizationId;
	};
	if (asserted === undefined) {
		const rows = await there.db.read(lookup.statement);
		return { kind: "operator", operatorId, organizationId: judge(rows) };
	}
	there.db.deferCheck({
		statements: [lookup.statement],
		accept([rows]) {
			if (judge(rows) !== asserted) throw new OrganizationMismatch();
		},
	});
	return { kind: "operator", operatorId, organizationId: asserted };
}

/** The parsed path, with the organization's id even if the request names it by its slug. */
export async function pathByIds(path: Record<string, unknown>, caller: Caller, asking: Asking): Promise<Record<string, unknown>> {
	const { organizationId } = path;
	if (typeof organizationId !== "string") return path;
	const isCallers = asking.access.organization?.from === "path" && caller && "organizationId" in caller;
	return { ...path, organizationId: isCallers ? caller.organizationId : await organizationNamed(organizationId, asking) };
}

/** The id of the organization with this id or slug; the reference itself when there is none. */
async function organizationNamed(reference: string, { services: { db, realNow }, lookups }: Asking): Promise<string> {
	const known = references.get(reference, realNow)?.value ?? (isUuid(reference) ? reference.toLowerCase() : undefined);
	if (known !== undefined) return known;
	const lookup = lookups.organization(reference);
	const rows = await db.read(lookup.statement);
	const organizationId = lookup.of(rows);
	if (organizationId !== undefined) references.set(reference, organizationId, realNow);
	return organizationId ?? reference;
}

async function asUser(asking: Asking, token: UserToken): Promise<Caller> {
	const { access, credentials, services, lookups } = asking;
	if (!access.user && !access.organization) throw await refusalOfUsers(asking, token);
	// Where a user may call for themselves or for an organization, X-Organization-Id chooses the organization.
	const permission = access.user && referenceIn(access, credentials) === undefined ? undefined : access.organization;
	if (permission && permission.askedBy !== "handler" && !services.providers.authorization.fromMemberships) {
		return byProvider(asking, permission, token);
	}
	const callerBy = (account: AccountState, exists: boolean) => callerOf(asking, { permission, token }, { account, exists });
	const known = accountStates.get(accountStateKey(token), services.realNow);
	const guess = known && attempt(() => callerBy(known.value, false));
	if (guess && known.fresh && credentials.method === "GET") return guess;

	// The handler needs the present role, or whether the session has ended, before its first read.
	const needsState = permission?.askedBy === "handler" || access.user?.signedOut;
	const asserted = needsState ? undefined : (guess ?? assertedCaller(permission, token, credentials));
	const newcomer = access.newcomer && token.kind === "identity" ? newcomerOf(token) : undefined;
	const found = await accountOf(token, services, lookups);
	if (!found && newcomer) return newcomer;
	const { there, db, statement, accountIn } = requireUser(found);
	// Strangers learn whether the organization exists only if its existence is public.
	const organization = permission?.foreign && lookups.organization(referenceIn(access, credentials) ?? "");
	const judge = ([rows, organizations]: readonly unknown[]): Caller => {
		const account = accountIn(rows);
		return !account && newcomer ? newcomer : callerBy(requireUser(account), organization?.of(organizations) !== undefined);
	};
	const others = organization ? [organization.statement] : [];
	if (!asserted || db !== there.db) return judge(await db.read([statement, ...others]));
	db.deferCheck({
		statements: [statement, ...others],
		accept(results) {
			const actual = judge(results);
			if (organizationOf(actual) !== organizationOf(asserted)) throw new OrganizationMismatch();
		},
	});
	return asserted;
}

/** Throws the refusal of the caller that no read has found yet: a caller who must be refused learns nothing about what else is wrong. */
export async function refuseUnauthorized(error: unknown, { databases }: Asking["services"]): Promise<void> {
	if (databases.isCheckFailure(error) || (error instanceof ApiError && error.code === "TOO_MANY_REQUESTS")) return;
	try {
		await databases.runDeferredChecks();
	} catch (refusal) {
		// Not a refusal: the caller is authorized, for another organization.
		if (!(refusal instanceof OrganizationMismatch)) throw refusal;
	}
}

/** How an operation that users cannot call refuses them: FORBIDDEN, or UNAUTHORISED if there is no such user or the session has ended. */
async function refusalOfUsers({ access, services, lookups }: Asking, token: UserToken): Promise<Error> {
	const known = accountStates.get(accountStateKey(token), services.realNow);
	if (known?.fresh) refuseUser(token, known.value);
	else {
		const { db, statement, accountIn } = requireUser(await accountOf(token, services, lookups));
		const rows = await db.read(statement);
		refuseUser(token, requireUser(accountIn(rows)));
	}
	return forOthers(access);
}

/** Resolves the caller from the user's account state, or throws the refusal. */
function callerOf(
	{ access, credentials, services }: Asking,
	{ permission: organization, token }: { permission: OrganizationAccess | undefined; token: UserToken },
	{ account, exists }: { account: AccountState; exists: boolean },
): Caller {
	const { authorization } = services.providers;
	if (access.user?.signedOut && isOver(token, account)) return { kind: "user", userId: account.userId, sessionId: null, isOver: true };
	refuseUser(token, account);
	if (!organization) {
		if (account.waitingList && !access.user?.waitingList) throw new ApiError("WAITING_LIST");
		const { userId } = account;
		if (token.kind === "user") return userBy(token, userId);
		return { kind: "user", userId, sessionId: null, identity: { email: token.email, hasUnprovenEmail: token.hasUnprovenEmail } };
	}
	const membership = actingMembership(organization, { token, credentials }, { account, exists });
	const { organizationId, role } = membership;
	if (organization.askedBy === "handler") return { ...memberBy(token, account, organizationId), membership };
	const resource = { type: "organization", id: organizationId } as const;
	const permissions = permissionsOf(organization);
	const isAllowed = permissions.some(
		(permission) => authorization.fromMemberships?.({ permission, resource }, account.memberships) === "ALLOW",
	);
	if (!isAllowed) throw lacksPermission(permissions, role);
	return memberBy(token, account, organizationId);
}

const newcomerOf = ({ issuer, subject, email, hasUnprovenEmail, admitted }: IdentityToken): Caller => ({
	kind: "newcomer",
	issuer,
	subject,
	email,
	hasUnprovenEmail,
	admitted,
});

const userBy = ({ sessionId, signedInAt, cautionUntil, through }: ServiceToken, userId: string): UserCaller => ({
	kind: "user",
	userId,
	sessionId,
	...(signedInAt !== undefined && { signedInAt }),
	...(cautionUntil !== undefined && { cautionUntil }),
	...(through && { through }),
});

/** The caller, if the credentials alone name the user and the acting organization; undefined if they do not. */
function assertedCaller(organization: OrganizationAccess | undefined, token: UserToken, credentials: Credentials): Caller {
	if (token.kind === "identity") return undefined;
	const { userId } = token;
	if (!organization) return userBy(token, userId);
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

/** The caller as one text, unique to them: for idempotency keys, exact limits and the log. */
export function identityOf(caller: Caller, subject: Subject): Promise<string> | string {
	if (caller?.kind === "user" || caller?.kind === "member") return `user:${caller.userId}`;
	return identityOfSubject(subject);
}

/** The subject as one text, for rate limits: nobody has asked yet whether the subject may call. */
export async function identityOfSubject(subject: Subject): Promise<string> {
	if (!subject) return "anyone";
	if (subject.kind === "signer") return `signer:${subject.secret}`;
	if (subject.kind === "operator") return `operator:${subject.operatorId}`;
	if (subject.kind === "key") return `key:${subject.hash}`;
	if (subject.kind === "user") return `user:${subject.userId}`;
	return `user:${await sha256Hex(JSON.stringify([subject.issuer, subject.subject]))}`;
}
