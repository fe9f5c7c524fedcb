// The embedded authorization provider: decides by the roles and merchant grants in D1. It caches nothing, so changes take
// effect immediately.

import { and, eq } from "drizzle-orm";
import { isOneOf } from "../../db/columns";
import type { Databases } from "../../db/databases";
import type { AuthorizationProvider, Decision, Membership, MerchantsQuestion, Question } from "../../runtime/ports";
import { homeOf } from "../../shared/ids";
import { rolePermits } from "../../shared/permissions";
import { memberships, merchantGrants } from "./table";

/** Memberships and grants are in the home of the user. */
export function embedded(databases: Databases): AuthorizationProvider {
	return {
		name: "embedded",
		fromMemberships: decide,
		async check(question) {
			const { subject, resource } = question;
			if (resource.type === "merchant") {
				const { id, organizationId } = resource;
				return grantedAll(databases, { ...question, organizationId, merchantIds: [id] });
			}
			const db = databases.at(homeOf(subject.userId));
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
		},
		checkMerchants: (question) => grantedAll(databases, question),
	};
}

async function grantedAll(
	databases: Databases,
	{ subject, permission, organizationId, merchantIds }: MerchantsQuestion,
): Promise<Decision> {
	const db = databases.at(homeOf(subject.userId));
	const granted = await db.read(
		db.orm
			.select({ merchantId: merchantGrants.merchantId })
			.from(merchantGrants)
			.where(
				and(
					eq(merchantGrants.organizationId, organizationId),
					isOneOf(merchantGrants.merchantId, merchantIds),
					eq(merchantGrants.userId, subject.userId),
					eq(merchantGrants.permission, permission),
				),
			),
	);
	return granted.length === merchantIds.length ? "ALLOW" : "DENY";
}

function decide({ permission, resource }: Pick<Question, "permission" | "resource">, held: readonly Membership[]) {
	const membership = resource.type === "organization" && held.find(({ organizationId }) => organizationId === resource.id);
	return membership && rolePermits(membership.role, permission) ? "ALLOW" : "DENY";
}
