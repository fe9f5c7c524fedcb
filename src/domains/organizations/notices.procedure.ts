// Tells the owners of an organization of somebody who gets a role with powers over it.

import type { Owed } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import type { Role } from "../../shared/permissions";
import { findOwners, noticesToOwners } from "./notices.plan";

const POWERFUL: Partial<Record<Role, string>> = { "organization-owner": "owner", "organization-admin": "admin" };

/** What the commit that gives the role owes: nothing for other roles. The owners are those before it. */
export async function tellOwners(services: Services, organizationId: string, role: Role): Promise<Owed> {
	const name = POWERFUL[role];
	if (name === undefined) return { writes: [], carry: async () => {} };
	const { db } = services.at(organizationId);
	const [owners] = await db.read(findOwners(db.orm, organizationId));
	return noticesToOwners(
		services,
		owners,
		`Somebody has become an ${name} of your organization. If you do not know of this, look at its members at once.`,
	);
}
