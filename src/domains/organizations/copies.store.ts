// What other homes have of organizations: every database has each organization's row, and the organization has a copy of its
// memberships, which live with the users.

import { eq, sql } from "drizzle-orm";
import type { Reservation } from "../../db/names";
import { DIRECTORY_HOME } from "../../db/places";
import { homeMessage, type Owed, owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import { type MembershipRow, memberships, type OrganizationRow, organizationMembers, organizations } from "./table";

export const organizationCopy = homeMessage<OrganizationRow>({
	kind: "organization",
	apply: ({ db }, row) => [db.orm.insert(organizations).values(row).onConflictDoNothing()],
});

export type NewOrganization = { row: OrganizationRow; name: Reservation; owed: Owed };

/** A new organization, in a home that is dealt to it. Its slug and its writes belong in a commit in the directory. */
export function newOrganization(services: Services, { slug, name }: { slug: string; name: string }): NewOrganization {
	const row = { id: services.at(services.databases.deal()).newId(), slug, name, createdAt: services.now };
	return {
		row,
		name: { kind: "SLUG", value: slug, id: row.id },
		owed: owe(services.at(DIRECTORY_HOME), organizationCopy, "everywhere", row),
	};
}

/**
 * A later membership, or a later version of the same one, replaces an earlier one, in whatever order they come. Ids of memberships
 * are in the order of their time.
 */
export const memberCopy = homeMessage<MembershipRow>({
	kind: "member",
	apply: ({ db }, { id, organizationId, userId, role, version, createdAt }) => [
		db.orm
			.insert(organizationMembers)
			.values({ organizationId, userId, membershipId: id, role, version, createdAt })
			.onConflictDoUpdate({
				target: [organizationMembers.organizationId, organizationMembers.userId],
				set: { membershipId: id, role, version, createdAt, removedAt: null },
				setWhere: sql`(${organizationMembers.membershipId}, ${organizationMembers.version}) < (${id}, ${version})`,
			}),
	],
});

/** The organization's home decides about a removal, because it knows the other owners. */
export const membershipRemoval = homeMessage<{ membershipId: string }>({
	kind: "membership removal",
	apply: ({ db }, { membershipId }) => [db.orm.delete(memberships).where(eq(memberships.id, membershipId))],
});
