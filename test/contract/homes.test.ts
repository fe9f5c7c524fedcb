import { describe, expect, it } from "vitest";
import { isPublic } from "../../src/http/access";
import { homeFor } from "../../src/http/operation";
import { homeOf, uuidv7 } from "../../src/shared/ids";
import { operations } from "../../src/wiring/domains";

describe("the home of an operation", () => {
	it.each(operations.map((op) => [op.id, op] as const))("is declared where the caller does not tell it: %s", (_, op) => {
		const { operator, signature } = op.access;
		if (operator || signature || isPublic(op.access)) expect(op.home).toBeDefined();
	});

	it("is by default that of the acting organization, else that of the user", () => {
		const [userId, organizationId] = [uuidv7(1, 65), uuidv7(1, 130)];
		const op = { ...operations[0], home: undefined } as (typeof operations)[number];
		expect(homeFor(op, { caller: { kind: "user", userId, sessionId: null } }, 0)).toBe(homeOf(userId));
		expect(homeFor(op, { caller: { kind: "member", userId, organizationId } }, 0)).toBe(homeOf(organizationId));
		expect(homeFor(op, { caller: { kind: "key", keyId: "k", organizationId } }, 0)).toBe(homeOf(organizationId));
	});
});
