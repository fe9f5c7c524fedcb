// What each role permits.

import { describe, expect, it } from "vitest";
import { PERMISSIONS, ROLES, roleHolds, rolePermits, SCOPES } from "../../src/shared/permissions";

/** One line per permission; the columns are the roles in the order of `ROLES`. */
const TABLE = `
	org:webhooks:read               x x - - - - x -
	org:webhooks:write              x x - - - - x -
	org:branding:write              x x - - - - - -
	org:financing.merchants:read    x x x x - - - -
	org:financing.invoices:write    x x x - - - - -
	org:financing.approvals:decide  x x x - - - - -
	org:members:read                x x x - x - x x
	org:members:write               x x - - - - - -
	org:api-keys:write              x x - - - - x -
	org:approvals:read              x x x - x - - -
	org:approvals:decide            x x - - - - - -
	org:lending.approvals:decide    x x - - x - - -
	org:agents:read                 x x - - - - - x
	org:agents:write                x x - - - - - -
	org:lending:read                x x - - x x - -
	org:lending:write               x x - - x - - -
	org:ledger:read                 x x - - x x - -
	org:ledger:close                x x - - x - - -
	org:audit:read                  x x - - - - - -
	org:connections:write           x x - - - - - -
`;

const rows = TABLE.trim()
	.split("\n")
	.map((line) => line.trim().split(/\s+/));

describe("the table of roles", () => {
	it("has a line for every permission", () => {
		expect(rows.map(([permission]) => permission)).toEqual([...PERMISSIONS]);
	});

	for (const [index, permission] of PERMISSIONS.entries()) {
		for (const [column, role] of ROLES.entries()) {
			const held = rows[index]?.[column + 1] === "x";
			it(`${held ? "gives" : "denies"} ${role} ${permission}`, () => {
				expect(rolePermits(role, permission)).toBe(held);
			});
		}
	}

	it("gives each role's keys the scopes that the role itself has the power for", () => {
		const held = Object.fromEntries(ROLES.map((role) => [role, SCOPES.filter((scope) => roleHolds(role, scope))]));
		expect(held).toEqual({
			"organization-owner": SCOPES,
			"organization-admin": SCOPES,
			"organization-financing-admin": ["invoices:write", "invoices:read"],
			"organization-financing-viewer": ["invoices:read"],
			"organization-lending-admin": [
				"loans:write",
				"repayments:write",
				"accounts:read",
				"repayments:read",
				"users:read",
				"portfolio:read",
				"ledger:read",
			],
			"organization-lending-viewer": ["accounts:read", "repayments:read", "users:read", "portfolio:read", "ledger:read"],
			"organization-developer": ["events:read"],
			"organization-viewer": ["agents:read"],
		});
	});

	it("gives write access to webhooks only together with read access", () => {
		for (const role of ROLES) if (rolePermits(role, "org:webhooks:write")) expect(rolePermits(role, "org:webhooks:read")).toBe(true);
	});
});
