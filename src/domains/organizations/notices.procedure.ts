// Informs the owners of an organization of somebody who gets a role with powers over it.

import type { Owed } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import type { Role } from "../../shared/permissions";
import { findOwners, isPowerful, noticesOfRole } from "./notices.plan";

/** What the commit that gives the role owes. The owners are those before it. */
export async function notifyOwnersOfRole(services: Services, organizationId: string, role: Role): Promise<Owed> {
	const { db } = services.at(organizationId);
	const owners = isPowerful(role) ? await db.read(findOwners(db.orm, organizationId)) : [];
	return noticesOfRole(services, owners, role);
}
