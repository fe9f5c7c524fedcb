// Callers who must be refused although their request is valid, and who find that nothing has happened.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { memberships, organizations } from "../../../src/domains/organizations/table";
import { SANDBOX_ISSUER } from "../../../src/domains/tokens/issuers/own.plan";
import { users } from "../../../src/domains/users/model/table";
import { type AnyOperation, errorsOf } from "../../../src/http/operation";
import { clockOffset, rememberOffset } from "../../../src/runtime/clock";
import { forgetAll } from "../../../src/shared/cache";
import { ROLES, rolePermits, SCOPES, type Scope } from "../../../src/shared/permissions";
import { naming, signed } from "../../support/doors";
import type { Watch } from "../../support/effects";
import { accessToken, db, givenApiKey, givenUser, oneTrip, operatorToken } from "../../support/factories";
import { sandboxToken } from "../../support/tokens";
import type { ValidRequest } from "../../support/valid-request";
import { type Credentials, permitted, send } from "../senders";
import type { Parties } from "../valid-requests";
import { namedBy } from "./foreign";

/** A caller who must be refused. `enters` sets up the reason for the refusal where the credentials alone are none, `leaves` removes it. */
export type Refused = { who: string; credentials: Credentials; enters?(): Promise<unknown>; leaves?(): Promise<unknown> };

/** Like an isolate that has never seen the caller, and knows only the credentials and the clock. */
export async function forgetCallers(): Promise<void> {
	const offset = await clockOffset(env.DB, "local");
	forgetAll();
	rememberOffset(offset);
}

/** What is wrong with the refusal: what was answered instead, and the effects that there were. */
export async function faultsOf(
	op: AnyOperation,
	request: ValidRequest,
	{ credentials, enters, leaves }: Refused,
	watch: Watch,
): Promise<string[]> {
	await enters?.();
	await forgetCallers();
	const { result, effects } = await watch.during((vars) => send(op, request, credentials, vars), leaves);
	const { status, body } = result;
	const refused = (status === 401 || status === 403 || status === 404) && errorsOf(op).includes(body.code as never);
	return [...(refused ? [] : [`the answer ${status} ${JSON.stringify(body)}`]), ...effects];
}

/**
 * Whether the request names something that belongs to the parties, so that nobody else may send it. Merchants do not count: each
 * organization chooses its own ids for them.
 */
const namesSomething = (op: AnyOperation, { body }: ValidRequest): boolean => namedBy(op).length > 0 || "loan_product_id" in (body ?? {});

const setUser = (id: string, change: Partial<typeof users.$inferInsert>) => () => db.update(users).set(change).where(eq(users.id, id));

const inState = (
	who: string,
	credentials: Credentials,
	[id, change, back]: readonly [string, Partial<typeof users.$inferInsert>, Partial<typeof users.$inferInsert>],
): Refused => ({ who, credentials, enters: setUser(id, change), leaves: setUser(id, back) });

/** The parties to whom the request's things belong, and others. */
export type Sides = { parties: Parties; strangers: Parties };

function usersRefused(op: AnyOperation, request: ValidRequest, { parties: { user }, strangers }: Sides): Refused[] {
	const as = { as: user.token };
	return [
		inState("a blocked user", as, [user.id, { blockedAt: 1 }, { blockedAt: null }]),
		...(op.access.user?.waitingList
			? []
			: [inState("a user on the waiting list", as, [user.id, { status: "WAITING_LIST" }, { status: "ACTIVE" }])]),
		...(namesSomething(op, request) ? [{ who: "a user of another organization", credentials: { as: strangers.user.token } }] : []),
	];
}

type Write = ReturnType<typeof oneTrip>["write"];

async function keysRefused(op: AnyOperation, request: ValidRequest, sides: Sides, write: Write): Promise<Refused[]> {
	const { parties, strangers } = sides;
	const { id } = parties.organization;
	const others = SCOPES.filter((scope) => !op.access.apiKey?.includes(scope));
	const key = async (organizationId: string, scopes: readonly Scope[] = SCOPES, state = {}) => ({
		as: await givenApiKey(organizationId, scopes, state, write),
	});
	return [
		{ who: "a key without the scope", credentials: await key(id, others) },
		{ who: "a revoked key", credentials: await key(id, SCOPES, { revokedAt: 1 }) },
		...(namesSomething(op, request) ? [{ who: "another organization's key", credentials: await key(strangers.organization.id) }] : []),
	];
}

/** Both lenders' staff sign in at one identity provider, and it says that the caller is of this lender. */
async function ofSameProvider({ access }: AnyOperation, { parties: { organization }, strangers: { owner } }: Sides): Promise<string> {
	if (access.identity) return sandboxToken("identity", owner.id, { org_id: organization.id });
	return accessToken(owner.id, { azp: SANDBOX_ISSUER, azp_kind: "identity", within: organization.id });
}

async function membersRefused(op: AnyOperation, request: ValidRequest, sides: Sides): Promise<Refused[]> {
	const { parties, strangers } = sides;
	const { organization, owner } = parties;
	const { permission, from } = op.access.organization ?? {};
	const { headers = {} } = naming(op, organization.id);
	const asOwner = { as: owner.token, headers };
	const withRole = (role: (typeof ROLES)[number]) => () => db.update(memberships).set({ role }).where(eq(memberships.userId, owner.id));
	const lacking = permission && ROLES.find((role) => !rolePermits(role, permission));
	const { token: as } = strangers.owner;
	return [
		inState("a blocked owner", asOwner, [owner.id, { blockedAt: 1 }, { blockedAt: null }]),
		...(lacking
			? [{ who: `a member as ${lacking}`, credentials: asOwner, enters: withRole(lacking), leaves: withRole("organization-owner") }]
			: []),
		{ who: "another organization's owner", credentials: { as, headers } },
		{ who: "another organization's owner of the same identity provider", credentials: { as: await ofSameProvider(op, sides), headers } },
		...(from === "header" && namesSomething(op, request)
			? [
					{
						who: "another organization's owner, who acts for their own",
						credentials: { as, headers: { "x-organization-id": strangers.organization.id } },
					},
				]
			: []),
	];
}

/** Those who must be refused, each for one reason. */
export async function givenRefused(op: AnyOperation, request: ValidRequest, sides: Sides): Promise<Refused[]> {
	const { access } = op;
	const { write, written } = oneTrip();
	const refused = [
		...(access.user
			? usersRefused(op, request, sides)
			: [{ who: "a user without a role", credentials: { as: (await givenUser({}, write)).token } }]),
		...(access.organization ? await membersRefused(op, request, sides) : []),
		...(access.apiKey
			? await keysRefused(op, request, sides, write)
			: [{ who: "an API key", credentials: { as: await givenApiKey(sides.parties.organization.id, SCOPES, {}, write) } }]),
		...(access.operator || access.organization ? [] : [{ who: "an operator", credentials: { as: await operatorToken() } }]),
		...(access.signature
			? [
					{
						who: "a provider with another secret",
						credentials: { headers: await signed(JSON.stringify(request.body), "another-secret") },
					},
				]
			: []),
		...(await suspendedCallers(op, request, { parties: sides.parties, write })),
	];
	await written();
	return refused;
}

export const setStatus = (id: string, status: "ACTIVE" | "SUSPENDED") => () =>
	db.update(organizations).set({ status }).where(eq(organizations.id, id));

/** Whether an organization's suspension refuses its keys and members the operation. */
const isRefusedWhileSuspended = ({ method, whileSuspended, access }: AnyOperation): boolean =>
	method !== "GET" && !whileSuspended && Boolean(access.apiKey ?? access.organization);

/** The new credit of a suspended organization, ordered by anybody: its users, or operators for its merchants. */
const NEW_CREDIT = ["applyForLoan", "draw", "financeInvoice"];

/** Whether the suspension refuses the operation to the caller for whom the request is valid. */
export const stopsWhileSuspended = (op: AnyOperation): boolean =>
	NEW_CREDIT.includes(op.id) || (isRefusedWhileSuspended(op) && op.access.user === undefined);

type Suspended = { parties: Parties; write: Write };

async function suspendedCallers(op: AnyOperation, request: ValidRequest, { parties, write }: Suspended): Promise<Refused[]> {
	const { organization, owner } = parties;
	const suspended = (who: string, credentials: Credentials): Refused => ({
		who: `${who} of a suspended organization`,
		credentials,
		enters: setStatus(organization.id, "SUSPENDED"),
		leaves: setStatus(organization.id, "ACTIVE"),
	});
	const { headers = {} } = naming(op, organization.id);
	const stops = isRefusedWhileSuspended(op);
	return [
		...(stops && op.access.organization ? [suspended("an owner", { as: owner.token, headers })] : []),
		...(stops && op.access.apiKey ? [suspended("a key", { as: await givenApiKey(organization.id, SCOPES, {}, write) })] : []),
		...(NEW_CREDIT.includes(op.id) ? [suspended("who may order it", await permitted(op, parties, request))] : []),
	];
}

/** Whether the caller is refused for nothing but the suspension. */
export const isSuspended = ({ who }: Refused): boolean => who.endsWith(" of a suspended organization");
