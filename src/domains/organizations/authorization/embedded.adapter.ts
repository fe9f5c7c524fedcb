// The embedded authorization provider: decides by the roles and merchant grants in D1. It caches nothing, so changes take
// effect immediately.

import { and, eq } from "drizzle-orm";
import { isOneOf } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import type { Databases } from "../../../db/databases";
import type { AuthorizationProvider, Decision, Membership, MerchantsQuestion, Question } from "../../../runtime/ports";
import { homeOf } from "../../../shared/ids";
import { rolePermits } from "../../../shared/permissions";
import { memberships, merchantGrants } from "../table";
import { findChanged } from "./store";

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
				roles.map(({ role }) => ({ organizationId: resource.id, slug: null, role, version: 1, reachedAt: null })),
			);
		},
		checkMerchants: (question) => grantedAll(databases, question),
	};
}

/**
 * The outside provider, as long as what changes here has not reached it and all who remember its decisions: until then the grants here must
 * allow it too.
 */
export const boundByGrants = (provider: AuthorizationProvider, databases: Databases, realNow: number): AuthorizationProvider => ({
	...provider,
	async checkMerchants(question) {
		const { subject, organizationId, merchantIds } = question;
		const db = databases.at(homeOf(subject.userId));
		const changes = findChanged(db.orm, { userId: subject.userId, organizationId }, merchantIds, realNow);
		const [decision, { changed, granted }] = await Promise.all([
			provider.checkMerchants(question),
			db.read({ changed: changes, granted: findGranted(db.orm, question) }),
		]);
		const isGranted = (merchantId: string) => granted.some((one) => one.merchantId === merchantId);
		return changed.every(({ merchantId }) => isGranted(merchantId)) ? decision : "DENY";
	},
});

const findGranted = (orm: Orm, { subject, permission, organizationId, merchantIds }: MerchantsQuestion) =>
	orm
		.select({ merchantId: merchantGrants.merchantId })
		.from(merchantGrants)
		.where(
			and(
				eq(merchantGrants.organizationId, organizationId),
				isOneOf(merchantGrants.merchantId, merchantIds),
				eq(merchantGrants.userId, subject.userId),
				eq(merchantGrants.permission, permission),
			),
		);

async function grantedAll(databases: Databases, question: MerchantsQuestion): Promise<Decision> {
	const db = databases.at(homeOf(question.subject.userId));
	const granted = await db.read(findGranted(db.orm, question));
	return granted.length === question.merchantIds.length ? "ALLOW" : "DENY";
}

function decide({ permission, resource }: Pick<Question, "permission" | "resource">, held: readonly Membership[]) {
	const membership = resource.type === "organization" && held.find(({ organizationId }) => organizationId === resource.id);
	return membership && rolePermits(membership.role, permission) ? "ALLOW" : "DENY";
}
