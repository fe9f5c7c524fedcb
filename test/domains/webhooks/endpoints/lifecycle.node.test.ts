// The moves of endpoints and deliveries; every move that the tables do not name is refused.

import { describe, expect, it } from "vitest";
import { afterAttempt, retry } from "../../../../src/domains/webhooks/attempts/policy";
import { DELIVERY_TRANSITIONS, ENDPOINT_TRANSITIONS } from "../../../../src/domains/webhooks/endpoints/lifecycle";
import { DELIVERY_STATES, ENDPOINT_STATES, OUTCOMES } from "../../../../src/shared/webhook-states";

type Table = Record<string, { from: readonly string[]; to: string }>;
const moves = (table: Table) => Object.values(table).flatMap(({ from, to }) => from.map((state) => `${state} -> ${to}`));

describe("lifecycles", () => {
	it("have the moves of the specification, and no others", () => {
		expect(moves(ENDPOINT_TRANSITIONS)).toEqual(["ACTIVE -> SUSPENDED", "SUSPENDED -> ACTIVE"]);
		expect(moves(DELIVERY_TRANSITIONS)).toEqual([
			"PENDING -> PENDING",
			"PENDING -> DELIVERED",
			"PENDING -> FAILED",
			"DELIVERED -> PENDING",
			"FAILED -> PENDING",
		]);
	});

	it("have a move out of every state and into every state", () => {
		for (const [states, table] of [
			[ENDPOINT_STATES, ENDPOINT_TRANSITIONS],
			[DELIVERY_STATES, DELIVERY_TRANSITIONS],
		] as const) {
			const transitions: Table = table;
			expect(new Set(Object.values(transitions).flatMap(({ from }) => from))).toEqual(new Set(states));
			expect(new Set(Object.values(transitions).map(({ to }) => to))).toEqual(new Set(states));
		}
	});

	it("allow every decision about an attempt", () => {
		for (const outcome of OUTCOMES) {
			for (let roundAttempts = 1; roundAttempts <= 6; roundAttempts++) {
				const { status } = afterAttempt({ roundAttempts, roundInterrupted: 0, outcome, now: 0, random: 0 });
				expect(moves(DELIVERY_TRANSITIONS)).toContain(`PENDING -> ${status}`);
			}
		}
	});

	it("allow the decision about a manual retry", () => {
		for (const status of DELIVERY_STATES) {
			const { accepted } = retry({ status, endpointStatus: "ACTIVE", lastManualRetryAt: null }, 0);
			expect(accepted).toBe(DELIVERY_TRANSITIONS.RETRY.from.some((from) => from === status));
		}
	});
});
