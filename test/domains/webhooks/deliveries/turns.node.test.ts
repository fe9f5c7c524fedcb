// Organizations take turns, and within one its endpoints.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inTurns, nextInTurn } from "../../../../src/domains/webhooks/deliveries/engine.policy";

const waiting = fc
	.array(fc.record({ organizationId: fc.constantFrom("a", "b", "c"), endpoint: fc.nat(3) }), { maxLength: 40 })
	.map((all) => all.map(({ organizationId, endpoint }, place) => ({ organizationId, webhookId: `${organizationId}${endpoint}`, place })));

describe("turns", () => {
	it("lose nothing, keep an endpoint's order, and give nobody a second turn before all others have had their first", () => {
		fc.assert(
			fc.property(waiting, (all) => {
				const turns = inTurns(all);
				expect(turns.toSorted((a, b) => a.place - b.place)).toEqual(all);
				for (const [by, within] of [
					["organizationId", undefined],
					["webhookId", "organizationId"],
				] as const) {
					const taken = new Map<string, number>();
					const left = new Map([...Map.groupBy(all, (one) => one[by])].map(([key, own]) => [key, own.length]));
					for (const one of turns) {
						for (const [other, count] of left)
							if (count > 0 && (!within || other.startsWith(one[within])))
								expect(taken.get(other) ?? 0).toBeGreaterThanOrEqual(taken.get(one[by]) ?? 0);
						taken.set(one[by], (taken.get(one[by]) ?? 0) + 1);
						left.set(one[by], (left.get(one[by]) ?? 0) - 1);
					}
				}
				for (const own of Map.groupBy(turns, ({ webhookId }) => webhookId).values())
					expect(own.map(({ place }) => place)).toEqual(own.map(({ place }) => place).toSorted((a, b) => a - b));
			}),
		);
	});

	it("go to the organization with the fewest under way, and to none beyond its share", () => {
		const ready = [
			{ organizationId: "a", webhookId: "a1" },
			{ organizationId: "b", webhookId: "b1" },
		];
		expect(nextInTurn(ready, (id) => (id === "a" ? 3 : 2), 6)).toBe(ready[1]);
		expect(nextInTurn(ready, () => 0, 3)).toBe(ready[0]);
		expect(nextInTurn(ready, (id) => (id === "a" ? 2 : 3), 3)).toBe(ready[0]);
		expect(nextInTurn(ready, () => 3, 3)).toBeUndefined();
		expect(nextInTurn([], () => 0, 3)).toBeUndefined();
	});
});
