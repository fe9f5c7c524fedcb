// Copies that one home keeps of another's rows: every database has each organization's row, and the organization's home has a copy
// of its memberships, which live in the homes of the users.

import { and, eq, lt, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import type { Reservation } from "../../db/names";
import { DIRECTORY_HOME } from "../../db/places";
import { raise } from "../../events/raise";
import { webhookEvents } from "../../events/table";
import { homeMessage, type Owed, owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import type { Role } from "../../shared/permissions";
import { type Profile, profileOf } from "../users/model/store";
import { syncMembership, syncRemoval } from "./authorization/job";
import { memberAdded, memberRoleChanged } from "./events";
import { type MembershipRow, memberships, type OrganizationRow, organizationMembers, organizations } from "./table";

export const organizationCopy = homeMessage<OrganizationRow>({
	kind: "organization",
	apply: ({ db }, row) => [db.orm.insert(organizations).values(row).onConflictDoNothing()],
});

/** Name and state, which are all that changes. */
export const organizationChange = homeMessage<OrganizationRow>({
	kind: "organization change",
	apply: ({ db }, { id, name, status, updatedAt }) => [
		db.orm
			.update(organizations)
			.set({ name, status, updatedAt })
			.where(and(eq(organizations.id, id), lt(organizations.updatedAt, updatedAt))),
	],
});

export type NewOrganization = { row: OrganizationRow; name: Reservation; owed: Owed };

/** A new organization, whose id carries a newly chosen home of the region. Commit in the directory: reserve `name`, write `owed`. */
export function newOrganization(
	services: Services,
	{ slug, name, region }: { slug: string; name: string; region?: string | undefined },
): NewOrganization {
	const id = services.at(services.databases.deal(region)).newId();
	const row = { id, slug, name, status: "ACTIVE" as const, createdAt: services.now, updatedAt: services.now };
	return {
		row,
		name: { kind: "SLUG", value: slug, id: row.id },
		owed: owe(services.at(DIRECTORY_HOME), organizationCopy, "everywhere", row),
	};
}

/**
 * Stores the copy unless the present one is later: it is of a later membership (ids ascend with time) or of a later version of this
 * one. It is a new membership, or a promotion to owner: either way the role is granted now. So messages may arrive in any order, and a removed membership never comes back.
 */
export function copyMembership(
	{ db, now }: Services,
	{ id, organizationId, userId, role, version, createdAt }: MembershipRow,
	profile?: Profile,
): Write[] {
	const about = profile && profileOf(profile);
	const copy = db.orm
		.insert(organizationMembers)
		.values({ organizationId, userId, membershipId: id, role, version, createdAt, grantedAt: now, ...about })
		.onConflictDoUpdate({
			target: [organizationMembers.organizationId, organizationMembers.userId],
			set: { membershipId: id, role, version, createdAt, grantedAt: now, removedAt: null },
			setWhere: older({ id, version }),
		});
	return about ? [copy, renewCopy(db.orm, { organizationId, userId }, about)] : [copy];
}

const renewCopy = (orm: Orm, { organizationId, userId }: Pick<MembershipRow, "organizationId" | "userId">, profile: Profile): Write =>
	orm
		.update(organizationMembers)
		.set(profile)
		.where(
			and(
				eq(organizationMembers.organizationId, organizationId),
				eq(organizationMembers.userId, userId),
				lt(organizationMembers.profileVersion, profile.profileVersion),
			),
		);

const older = ({ id, version }: Pick<MembershipRow, "id" | "version">) => sql`${organizationMembers.membershipId} < ${id}
	or (${organizationMembers.membershipId} = ${id} and ${organizationMembers.version} < ${version} and ${organizationMembers.removedAt} is null)`;

/**
 * A membership with its member's profile: of a new member, and of one whose profile has changed. The latter may arrive first, so it is the
 * whole membership too.
 */
export const memberCopy = homeMessage<MembershipRow & { profile?: Profile }>({
	kind: "member",
	apply: (there, { profile, ...row }) => copyMembership(there, row, profile),
});

/** A membership that an operator has written to the user's home. The organization's home copies it and raises the event. */
export const additionCopy = homeMessage<{ row: MembershipRow; profile: Profile; eventId: string }>({
	kind: "addition",
	apply: (there, { row, profile, eventId }) => [
		raise(there, memberAdded, {
			id: eventId,
			organizationId: row.organizationId,
			data: { user_id: row.userId, role: row.role },
			when: sql`not exists (select 1 from ${webhookEvents} where ${webhookEvents.id} = ${eventId})`,
		}),
		...copyMembership(there, row, profile),
	],
});

/** A promotion that the user's home has committed. The organization's home copies it and raises the event, because its events are there. */
export const promotionCopy = homeMessage<{ row: MembershipRow; previousRole: Role; eventId: string }>({
	kind: "promotion",
	apply: (there, { row, previousRole, eventId }) => [
		raise(there, memberRoleChanged, {
			id: eventId,
			organizationId: row.organizationId,
			data: { user_id: row.userId, role: row.role, previous_role: previousRole },
			when: sql`exists (select 1 from ${organizationMembers}
				where ${organizationMembers.organizationId} = ${row.organizationId} and ${organizationMembers.userId} = ${row.userId} and (${older(row)}))`,
		}),
		...copyMembership(there, row),
	],
});

/** A role that the organization's home has changed, for the membership in the user's home. */
export const roleChange = homeMessage<Pick<MembershipRow, "id" | "userId" | "role" | "version">>({
	kind: "role change",
	apply: (there, { id, userId, role, version }) => [
		there.db.orm
			.update(memberships)
			.set({ role, version, reachedAt: null })
			.where(and(eq(memberships.id, id), lt(memberships.version, version))),
		...syncMembership(there, { id, userId }),
	],
});

/** The organization's home decides about a removal, because it knows the other owners. */
export const membershipRemoval = homeMessage<{ membershipId: string; userId?: string }>({
	kind: "membership removal",
	apply: (there, { membershipId, userId }) => [
		...syncRemoval(there, membershipId, userId),
		there.db.orm.delete(memberships).where(eq(memberships.id, membershipId)),
	],
});
