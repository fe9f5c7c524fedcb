// UNIQUE indexes are named by their columns, and a name without an index is refused.

import { describe, expect, it } from "vitest";
import { UniqueViolation } from "../../src/db/database";
import { names } from "../../src/db/names.table";
import { indexNamed, violates } from "../../src/db/unique";
import { memberships, organizations } from "../../src/domains/organizations/table";
import { spentTokens } from "../../src/domains/tokens/table";

describe("a UNIQUE index", () => {
	it("is named by its columns as SQLite names it, for every kind of index", () => {
		expect(indexNamed([names.kind, names.value])).toBe("names.kind, names.value");
		expect(indexNamed([organizations.id])).toBe("organizations.id");
		expect(indexNamed([memberships.userId, memberships.organizationId])).toBe("memberships.user_id, memberships.organization_id");
		expect(indexNamed([spentTokens.issuer, spentTokens.tokenId])).toBe("spent_tokens.issuer, spent_tokens.token_id");
	});

	it("must exist: other columns, part of an index and another order are refused", () => {
		expect(() => indexNamed([organizations.name])).toThrow("no UNIQUE index or primary key is on organizations.name");
		expect(() => indexNamed([memberships.userId])).toThrow("no UNIQUE index");
		expect(() => indexNamed([memberships.organizationId, memberships.userId])).toThrow("no UNIQUE index");
	});

	it("cannot name a column that its table lacks", () => {
		// @ts-expect-error there is no such column
		expect(() => indexNamed([organizations.userId])).toThrow();
	});

	it("is recognized in the violation that a commit throws", () => {
		expect(violates(new UniqueViolation("organizations.id", {}), [organizations.id])).toBe(true);
		expect(violates(new UniqueViolation("names.kind, names.value", {}), [organizations.id])).toBe(false);
		expect(violates(new Error("organizations.id"), [organizations.id])).toBe(false);
	});
});
