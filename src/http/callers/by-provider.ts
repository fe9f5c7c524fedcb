// Authenticates members whose permissions an outside authorization provider decides.

import { forbidden } from "../../shared/errors";
import type { Caller } from "./access";
import { accountOf, accountStateKey, accountStates, references, refuseUser, requireUser } from "./account-states";
import {
	actingMembership,
	actingReference,
	agrees,
	type OrganizationAccess,
	OTHER_ORGANIZATION,
	outsiderRefusal,
} from "./acting-organization";
import type { Asking } from "./asking";
import type { AccountState, UserToken } from "./caller-lookup";
import { lacksPermission } from "./missing-credentials";

/**
 * Asks an outside authorization provider. Roles in D1 do not count, but blocked users are refused. A caller who is denied learns that
 * the organization exists only if they are its member.
 */
export async function byProvider(
	{ credentials, services, lookups }: Asking,
	access: OrganizationAccess,
	token: UserToken,
): Promise<Caller> {
	const { permission, from } = access;
	const write = credentials.method !== "GET";
	const reference = actingReference(from, token, credentials);
	const known = accountStates.get(accountStateKey(token), services.realNow);
	let account = known?.fresh && !write ? known.value : undefined;
	let organizationId = reference === undefined ? undefined : references.get(reference, services.realNow)?.value;
	if (!account || (reference !== undefined && organizationId === undefined)) {
		const { db, statement, accountIn } = requireUser(await accountOf(token, services, lookups));
		const organization = lookups.organization(db.orm, reference ?? "");
		const [accounts, organizations] = await db.read(statement, organization.statement);
		account = requireUser(accountIn(accounts));
		organizationId = organization.of(organizations);
		if (reference !== undefined && organizationId !== undefined) references.set(reference, organizationId, services.realNow);
	}
	refuseUser(token, account);
	if (reference === undefined) organizationId = actingMembership(access, { token, credentials }, { account, exists: false }).organizationId;
	const { memberships } = account;
	if (
		!agrees(token, { organizationId, slug: memberships.find((one) => one.organizationId === organizationId)?.slug ?? reference ?? null })
	) {
		throw forbidden(OTHER_ORGANIZATION);
	}
	if (organizationId === undefined) throw outsiderRefusal(access, reference, false);
	if (account.onlyIn !== null && account.onlyIn !== organizationId) throw outsiderRefusal(access, reference, true);
	const decision = await services.providers.authorization.check({
		subject: { userId: account.userId },
		permission,
		resource: { type: "organization", id: organizationId },
		write,
	});
	const member = memberships.some((membership) => membership.organizationId === organizationId);
	if (decision !== "ALLOW") throw member ? lacksPermission(permission) : outsiderRefusal(access, reference, true);
	return memberBy(token, account, organizationId);
}

export const memberBy = (token: UserToken, { userId }: AccountState, organizationId: string) => ({
	kind: "member" as const,
	userId,
	organizationId,
	...(token.kind === "identity" && { resourceAccess: token.resourceAccess }),
});
