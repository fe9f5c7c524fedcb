// Which changes of an agent's supervisor are allowed, as a pure rule.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FOREVER, MAX_LEVELS, type Supervision, supervise } from "../../../src/domains/commissions/supervision.policy.ts";

const of = (agent: string, supervisor: string | null, from = 0, to = FOREVER): Supervision => ({ agent, supervisor, from, to });
const change = (agent: string, supervisor: string | null, from = 100) => ({ agent, supervisor, from });
const refused = (reason: string) => ({ accepted: false, reason });

describe("a change of supervisor", () => {
	it("is accepted, and ends the interval before it", () => {
		expect(supervise([], change("a", "b"))).toEqual({ accepted: true, ends: undefined });
		expect(supervise([of("a", "c")], change("a", "b"))).toEqual({ accepted: true, ends: of("a", "c") });
		expect(supervise([of("a", "c")], change("a", null))).toEqual({ accepted: true, ends: of("a", "c") });
	});

	it("cannot be before the last one; repeating it changes nothing, and another at the same instant is refused", () => {
		const known = [of("a", "c", 0, 100), of("a", "b", 100)];
		expect(supervise(known, change("a", "d", 99))).toEqual(refused("BEFORE_LAST"));
		expect(supervise(known, change("a", "b", 100))).toEqual({ accepted: true, unchanged: true });
		expect(supervise(known, change("a", "d", 100))).toEqual(refused("CONFLICT"));
		expect(supervise(known, change("a", "d", 101))).toMatchObject({ accepted: true });
	});

	it("makes no cycle, now or later", () => {
		expect(supervise([], change("a", "a"))).toEqual(refused("CYCLE"));
		expect(supervise([of("b", "a")], change("a", "b"))).toEqual(refused("CYCLE"));
		expect(supervise([of("b", "c"), of("c", "a")], change("a", "b"))).toEqual(refused("CYCLE"));
		expect(supervise([of("b", null, 0, 500), of("b", "a", 500)], change("a", "b"))).toEqual(refused("CYCLE"));
		expect(supervise([of("b", "a", 0, 100), of("b", null, 100)], change("a", "b"))).toMatchObject({ accepted: true });
	});

	it("makes no chain of more than five supervisors, counting those above and those below", () => {
		const chain = (names: string) => [...names].slice(1).map((upper, index) => of(names[index] ?? "", upper));
		expect(MAX_LEVELS).toBe(5);
		expect(supervise(chain("bcdef"), change("a", "b"))).toMatchObject({ accepted: true });
		expect(supervise(chain("bcdefg"), change("a", "b"))).toEqual(refused("TOO_DEEP"));
		expect(supervise([...chain("yxa"), ...chain("bcd")], change("a", "b"))).toMatchObject({ accepted: true });
		expect(supervise([...chain("zyxa"), ...chain("bcd")], change("a", "b"))).toEqual(refused("TOO_DEEP"));
	});

	it("leaves at most five levels and no cycle at every instant, for random changes", { tags: ["thorough"] }, () => {
		const names = ["a", "b", "c", "d", "e", "f", "g"];
		const asked = fc.array(
			fc.record({ agent: fc.constantFrom(...names), supervisor: fc.constantFrom(...names, null), from: fc.integer({ min: 0, max: 20 }) }),
			{
				maxLength: 40,
			},
		);
		fc.assert(
			fc.property(asked, (changes) => {
				let known: Supervision[] = [];
				for (const one of changes) {
					const verdict = supervise(known, one);
					if (!verdict.accepted || "unchanged" in verdict) continue;
					known = [...known.map((each) => (each === verdict.ends ? { ...each, to: one.from } : each)), { ...one, to: FOREVER }];
				}
				for (let at = 0; at <= 21; at++) {
					for (const name of names) {
						let levels = 0;
						for (let upper: string | null | undefined = name; upper; levels++) {
							const present: Supervision[] = known.filter((one) => one.agent === upper && one.from <= at && at < one.to);
							if (levels > MAX_LEVELS || present.length > 1)
								expect.fail(`${levels} levels above ${name}, ${present.length} supervisors of ${upper} at ${at}`);
							upper = present[0]?.supervisor;
						}
					}
				}
			}),
		);
	});
});
