// Whether a member may do something in the whole organization.

import { CHANGES_BIND_MS, type Decision, type Membership } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { type Permission, rolePermits } from "../../shared/permissions";

type About = {
	readonly userId: string;
	readonly membership: Omit<Membership, "slug">;
	readonly permission: Permission;
	readonly write: boolean;
};

type Deciding = Pick<Services, "providers" | "config" | "realNow">;

/**
 * Whether the outside provider may still know what the member might before a change that was made here: then they may nothing that the
 * present role does not hold. Where the deployer writes the tuples, nobody informs this service when they have.
 */
export function isBound(
	{ config, realNow }: Pick<Deciding, "config" | "realNow">,
	{ version, reachedAt }: Pick<Membership, "version" | "reachedAt">,
): boolean {
	if (config.OPENFGA_TUPLES === "yours") return version > 1;
	return !reachedAt || reachedAt > realNow - CHANGES_BIND_MS;
}

/** An outside provider decides what a member may, within what a change of the role has left them. */
export async function memberMay(services: Deciding, about: About): Promise<Decision> {
	const { authorization } = services.providers;
	const { userId, membership, permission, write } = about;
	const resource = { type: "organization", id: membership.organizationId } as const;
	if (authorization.fromMemberships) return authorization.fromMemberships({ permission, resource }, [{ ...membership, slug: null }]);
	if (isBound(services, membership) && !rolePermits(membership.role, permission)) return "DENY";
	return authorization.check({ subject: { userId }, permission, resource, write });
}
