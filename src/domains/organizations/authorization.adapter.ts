// The embedded authorization provider: decides by the roles and merchant grants in D1. It caches nothing, so changes take
// effect immediately.

import { and, eq } from "drizzle-orm";
import type { Databases } from "../../db/databases";
import { first } from "../../db/reads";
import type { AuthorizationProvider, Membership, Question } from "../../runtime/ports";
import { homeOf } from "../../shared/ids";
import { rolePermits } from "../../shared/permissions";
import { memberships, merchantGrants } from "./table";

/** Memberships and grants are in the home of the user. */
export function embedded(databases: Databases): AuthorizationProvider {
	return {
		name: "embedded",
		fromMemberships: decide,
		async check(question) {
			const { subject, permission, resource } = question;
			const db = databases.at(homeOf(subject.userId));
			if (resource.type === "organization") {
				const roles = await db.read(
					db.orm
						.select({ role: memberships.role })
						.from(memberships)
						.where(and(eq(memberships.userId, subject.userId), eq(memberships.organizationId, resource.id))),
				);
				return decide(
					question,
					roles.map(({ role }) => ({ organizationId: resource.id, slug: null, role, changed: false })),
				);
			}
			const grant = await db.read(
				first(
					db.orm
						.select({ permission: merchantGrants.permission })
						.from(merchantGrants)
						.where(
							and(
								eq(merchantGrants.organizationId, resource.organizationId),
								eq(merchantGrants.merchantId, resource.id),
								eq(merchantGrants.userId, subject.userId),
								eq(merchantGrants.permission, permission),
							),
						),
				),
			);
			return grant ? "ALLOW" : "DENY";
		},
	};
}

function decide({ permission, resource }: Pick<Question, "permission" | "resource">, held: readonly Membership[]) {
	const membership = resource.type === "organization" && held.find(({ organizationId }) => organizationId === resource.id);
	return membership && rolePermits(membership.role, permission) ? "ALLOW" : "DENY";
}
