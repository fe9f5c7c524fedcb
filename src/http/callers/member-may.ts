// Whether a member may do something in the whole organization.

import type { Decision, Membership } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { type Permission, rolePermits } from "../../shared/permissions";

type About = {
	readonly userId: string;
	readonly membership: Omit<Membership, "slug">;
	readonly permission: Permission;
	readonly write: boolean;
};

/**
 * An outside provider decides what a member may, but nobody tells this service when it has heard of a change that was made here. So once
 * the role was changed, the member may nothing that the present one does not hold.
 */
export async function memberMay({ providers: { authorization } }: Pick<Services, "providers">, about: About): Promise<Decision> {
	const { userId, membership, permission, write } = about;
	const resource = { type: "organization", id: membership.organizationId } as const;
	if (authorization.fromMemberships) return authorization.fromMemberships({ permission, resource }, [{ ...membership, slug: null }]);
	if (membership.changed && !rolePermits(membership.role, permission)) return "DENY";
	return authorization.check({ subject: { userId }, permission, resource, write });
}
