// The authorization model that `npm run openfga` makes: what it lets each role do is what the service's own table lets it do.

import { describe, expect, it } from "vitest";
import { PERMISSIONS, ROLES, relationOf, relationOfRole, rolePermits } from "../../src/shared/permissions";
import { authorizationModel, missingIn } from "../../tools/openfga/model";

const model = authorizationModel();
const typed = (type: string) => model.type_definitions.find((one) => one.type === type);

/** Whether a user who has one relation to an organization has another one by it. */
function follows(held: string, wanted: string): boolean {
	if (held === wanted) return true;
	const relation = typed("organization")?.relations?.[wanted];
	if (!relation || !("union" in relation)) return false;
	return relation.union.child.some((child) => "computedUserset" in child && child.computedUserset.relation === held);
}

describe("the authorization model of OpenFGA", () => {
	it("lets each role do what the service's table lets it do", () => {
		for (const role of ROLES)
			for (const permission of PERMISSIONS)
				expect([role, permission, follows(relationOfRole(role), relationOf(permission))]).toEqual([
					role,
					permission,
					rolePermits(role, permission),
				]);
	});

	it("lets users have every relation, under names that OpenFGA takes", () => {
		for (const type of ["organization", "merchant"]) {
			const { relations = {}, metadata } = typed(type) ?? {};
			expect(Object.keys(metadata?.relations ?? {})).toEqual(Object.keys(relations));
			for (const [name, { directly_related_user_types: users }] of Object.entries(metadata?.relations ?? {})) {
				expect(name).toMatch(/^[^:#@\s]{1,50}$/);
				expect(users).toEqual([{ type: "user" }]);
			}
		}
	});

	it("lacks nothing that the service asks for, and what another model lacks is named", () => {
		expect(missingIn(model)).toEqual([]);
		const [user, organization] = model.type_definitions;
		expect(missingIn({ type_definitions: [user, organization].flatMap((one) => one ?? []) })).toEqual([
			"merchant#financing_merchants_read",
			"merchant#financing_invoices_write",
		]);
	});
});
