// Authenticates members whose permissions an outside authorization provider decides.

import { type Caller, permissionsOf } from "./access";
import { accountOf, accountStateKey, accountStates, refuseUser, requireUser } from "./account-states";
import { actingMembership, actingReference, type OrganizationAccess } from "./acting-organization";
import type { Asking } from "./asking";
import type { AccountState, UserToken } from "./caller-lookup";
import { memberMay } from "./member-may";
import { lacksPermission } from "./missing-credentials";

/**
 * Asks an outside provider what a member may. D1 alone knows who is a member: somebody whose membership has ended may nothing, also while
 * the provider still allows it, and the provider is not asked about them.
 */
export async function byProvider(
	{ credentials, services, lookups }: Asking,
	access: OrganizationAccess,
	token: UserToken,
): Promise<Caller> {
	const { from } = access;
	const write = credentials.method !== "GET";
	const reference = actingReference(from, token, credentials);
	const isIn = ({ memberships }: AccountState) =>
		memberships.some(({ organizationId, slug }) => organizationId === reference?.toLowerCase() || slug === reference);
	const known = accountStates.get(accountStateKey(token), services.realNow);
	let account = known?.fresh && !write ? known.value : undefined;
	let exists = false;
	// A stranger to an organization whose existence is public learns whether there is one.
	if (!account || (access.foreign && !isIn(account))) {
		const { db, statement, accountIn } = requireUser(await accountOf(token, services, lookups));
		const organization = lookups.organization(reference ?? "");
		const { accounts, organizations } = await db.read({
			accounts: statement,
			organizations: organization.statement,
		});
		account = requireUser(accountIn(accounts));
		exists = organization.of(organizations) !== undefined;
	}
	refuseUser(token, account);
	const membership = actingMembership(access, { token, credentials }, { account, exists });
	const { userId } = account;
	const permissions = permissionsOf(access);
	const decisions = await Promise.all(permissions.map((permission) => memberMay(services, { userId, membership, permission, write })));
	const permits = permissions.filter((_, index) => decisions[index] === "ALLOW");
	if (permits.length === 0) throw lacksPermission(permissions);
	return { ...memberBy(token, account, membership.organizationId), ...(access.or && { permits }) };
}

export const memberBy = (token: UserToken, { userId }: AccountState, organizationId: string) => ({
	kind: "member" as const,
	userId,
	organizationId,
	...(token.kind === "identity" && { resourceAccess: token.resourceAccess }),
});
