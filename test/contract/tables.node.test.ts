// The tables by which the contract tests judge: what operations cost, which events they raise, and where they write.

import { describe, expect, it } from "vitest";
import { isPublic } from "../../src/http/callers/access";
import { homeFor } from "../../src/http/operation";
import { homeOf, uuidv7 } from "../../src/shared/ids";
import { eventTypes, operations } from "../support/domains";
import { BUDGETS, type Cost } from "./budgets";
import { EVENTS } from "./events";
import { SEVERAL_PLACES } from "./homes";

const ids = operations.map(({ id }) => id);

/** A read takes one trip, a change two. */
const isOverGoal = ([trips, , , written]: Cost) => trips > (written === 0 ? 1 : 2);

describe("the table of budgets", () => {
	it("lists only operations that exist", () => {
		expect(Object.keys(BUDGETS).filter((id) => !ids.includes(id))).toEqual([]);
	});

	it("gives a reason for each operation that takes more trips than a read or a change needs, and for no other", () => {
		for (const [id, { cost, why }] of Object.entries(BUDGETS)) expect(why !== undefined, id).toBe(isOverGoal(cost));
	});
});

describe("the table of events", () => {
	it("lists only changes that exist, and types that are declared", () => {
		const changes = operations.filter(({ method }) => method !== "GET").map(({ id }) => id);
		expect(Object.keys(EVENTS).filter((id) => !changes.includes(id))).toEqual([]);
		expect(
			Object.values(EVENTS)
				.flat()
				.filter((type) => !eventTypes.has(type)),
		).toEqual([]);
	});
});

describe("the home of an operation", () => {
	it("is declared if it does not follow from the caller", () => {
		const undeclared = operations.filter(
			({ access, home }) => (access.operator || access.signature || isPublic(access)) && home === undefined,
		);
		expect(undeclared.map(({ id }) => id)).toEqual([]);
	});

	it("is by default that of the acting organization, else that of the user", () => {
		const [userId, organizationId] = [uuidv7(1, 65), uuidv7(1, 130)];
		const op = { ...operations[0], home: undefined } as (typeof operations)[number];
		expect(homeFor(op, { caller: { kind: "user", userId, sessionId: null } }, 0)).toBe(homeOf(userId));
		expect(homeFor(op, { caller: { kind: "member", userId, organizationId } }, 0)).toBe(homeOf(organizationId));
		expect(homeFor(op, { caller: { kind: "key", keyId: "k", organizationId } }, 0)).toBe(homeOf(organizationId));
	});

	it("is one of several only for operations that exist", () => {
		expect(Object.keys(SEVERAL_PLACES).filter((id) => !ids.includes(id))).toEqual([]);
	});
});
