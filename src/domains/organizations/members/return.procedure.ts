// A user who becomes a member again.

import { first } from "../../../db/reads";
import type { Services } from "../../../runtime/services";
import { nextByUser } from "./policy";
import { findMemberEver } from "./store";

/**
 * The version with which a membership begins. An outside provider may still know what a former member might, so the membership of one
 * who comes back begins as one whose role was changed.
 */
export async function firstVersion(services: Services, organizationId: string, userId: string): Promise<number> {
	if (services.providers.authorization.fromMemberships) return 1;
	const { db } = services.at(organizationId);
	const before = await db.read(first(findMemberEver(db.orm, organizationId, userId)));
	return before ? nextByUser(before.version) : 1;
}
