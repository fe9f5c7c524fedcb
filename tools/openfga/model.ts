// The authorization model of OpenFGA, made of the table of roles and permissions, so that it cannot differ from what the service asks.

import { MERCHANT_PERMISSIONS, PERMISSIONS, ROLES, relationOf, relationOfRole, rolePermits } from "../../src/shared/permissions.ts";

type Relation = { this: object } | { union: { child: ({ this: object } | { computedUserset: { relation: string } })[] } };
type Named = [name: string, relation: Relation];
export type Model = {
	schema_version: "1.1";
	type_definitions: {
		type: string;
		relations?: { [name: string]: Relation };
		metadata?: { relations: { [name: string]: { directly_related_user_types: { type: string }[] } } };
	}[];
};

const assignable = (names: readonly string[]) => ({
	relations: Object.fromEntries(names.map((name) => [name, { directly_related_user_types: [{ type: "user" }] }])),
});

/** Roles are given to users; a permission is given by roles, or to one user by itself. */
export function authorizationModel(): Model {
	const roles = ROLES.map((role): Named => [relationOfRole(role), { this: {} }]);
	const permissions = PERMISSIONS.map((permission): Named => {
		const givenBy = ROLES.filter((role) => rolePermits(role, permission)).map((role) => ({
			computedUserset: { relation: relationOfRole(role) },
		}));
		return [relationOf(permission), { union: { child: [{ this: {} }, ...givenBy] } }];
	});
	const ofMerchants = MERCHANT_PERMISSIONS.map((permission): Named => [relationOf(permission), { this: {} }]);
	return {
		schema_version: "1.1",
		type_definitions: [
			{ type: "user" },
			{
				type: "organization",
				relations: Object.fromEntries([...roles, ...permissions]),
				metadata: assignable([...roles, ...permissions].map(([name]) => name)),
			},
			{ type: "merchant", relations: Object.fromEntries(ofMerchants), metadata: assignable(ofMerchants.map(([name]) => name)) },
		],
	};
}

/** The relations that the service asks for and the model lacks, each as `type#relation`. */
export function missingIn({ type_definitions }: Pick<Model, "type_definitions">): string[] {
	const has = (type: string, relation: string) =>
		type_definitions.some((one) => one.type === type && Object.hasOwn(one.relations ?? {}, relation));
	return [
		...PERMISSIONS.map((permission) => ["organization", relationOf(permission)] as const),
		...MERCHANT_PERMISSIONS.map((permission) => ["merchant", relationOf(permission)] as const),
	].flatMap(([type, relation]) => (has(type, relation) ? [] : [`${type}#${relation}`]));
}
