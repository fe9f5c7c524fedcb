// What other homes have of organizations: every database has each organization's row, and the organization has a copy of its
// memberships, which live with the users.

import { and, eq, lt, sql } from "drizzle-orm";
import type { Write } from "../../db/database";
import type { Reservation } from "../../db/names";
import { DIRECTORY_HOME } from "../../db/places";
import { raise } from "../../events/raise";
import { homeMessage, type Owed, owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import type { Role } from "../../shared/permissions";
import { memberRoleChanged } from "./events";
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
 * A later membership, or a later version of the same one, replaces an earlier one, in whatever order they come; one that was removed
 * never comes back. Ids of memberships are in the order of their time.
 */
export const copyMembership = ({ db }: Services, { id, organizationId, userId, role, version, createdAt }: MembershipRow): Write =>
	db.orm
		.insert(organizationMembers)
		.values({ organizationId, userId, membershipId: id, role, version, createdAt })
		.onConflictDoUpdate({
			target: [organizationMembers.organizationId, organizationMembers.userId],
			set: { membershipId: id, role, version, createdAt, removedAt: null },
			setWhere: older({ id, version }),
		});

const older = ({ id, version }: Pick<MembershipRow, "id" | "version">) => sql`${organizationMembers.membershipId} < ${id}
	or (${organizationMembers.membershipId} = ${id} and ${organizationMembers.version} < ${version} and ${organizationMembers.removedAt} is null)`;

export const memberCopy = homeMessage<MembershipRow>({ kind: "member", apply: (there, row) => [copyMembership(there, row)] });

/** A role that the user's home has changed already. The organization's home, which has its events, raises this one with its copy. */
export const promotionCopy = homeMessage<{ row: MembershipRow; previousRole: Role; eventId: string }>({
	kind: "promotion",
	apply: (there, { row, previousRole, eventId }) => [
		raise(there, memberRoleChanged, {
			id: eventId,
			organizationId: row.organizationId,
			data: { user_id: row.userId, role: row.role, previous_role: previousRole },
			when: sql`exists (select 1 from ${organizationMembers}
				where organization_id = ${row.organizationId} and user_id = ${row.userId} and (${older(row)}))`,
		}),
		copyMembership(there, row),
	],
});

/** The organization's home has changed the role. */
export const roleChange = homeMessage<Pick<MembershipRow, "id" | "userId" | "role" | "version">>({
	kind: "role change",
	apply: ({ db }, { id, role, version }) => [
		db.orm
			.update(memberships)
			.set({ role, version })
			.where(and(eq(memberships.id, id), lt(memberships.version, version))),
	],
});

/** The organization's home decides about a removal, because it knows the other owners. */
export const membershipRemoval = homeMessage<{ membershipId: string }>({
	kind: "membership removal",
	apply: ({ db }, { membershipId }) => [db.orm.delete(memberships).where(eq(memberships.id, membershipId))],
});
