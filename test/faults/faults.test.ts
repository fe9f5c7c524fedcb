// Each effect of each operation fails once, and what is left must be what the same call leaves without a fault. All kinds of faults, those
// in the background and drawn ones are for `npm run simulate:faults`.

import "./node";
import { describe, expect, it } from "vitest";
import { DECISIONS } from "../contract/approvals";
import { alone } from "../support/databases";
import { operations } from "../support/domains";
import { Laid, singles, told } from "./campaign";
import { flickers, some, usual } from "./choice";
import type { Point } from "./life";
import { planOf } from "./plan";
import { runRandom } from "./random";
import { REPAIRED } from "./repaired";
import { CASES } from "./world";

const homes = alone ? 1 : 3;

/** Everything that a held call does, it does in the commit of its decision. */
const isHeld = (op: string) => DECISIONS[op] !== undefined && operations.some(({ id }) => op.endsWith(`@${id}`));
const held: typeof usual = (point) => usual(point).filter((kind) => kind === "dies-after");
const usualOf = (op: string) => (isHeld(op) ? held : usual);

const databasesIn = (points: readonly Point[]): number =>
	new Set(points.flatMap(({ seam, writes, what }) => (seam === "database" && writes ? [what.split(" ")[0]] : []))).size;

/** What orders a provider whom to pay. */
const PAYING = ["applyForLoan", "draw", "refundOverpayment", "orderTransfer"];

describe(`a fault at an effect, with ${homes === 1 ? "one database" : "three databases"}`, () => {
	it.each(CASES.filter((op) => alone || !isHeld(op)))("leaves what the call leaves without it: %s", async (op) => {
		const setting = { op, homes, outside: true, between: undefined } as const;
		await Laid.in(setting, async (laid) => {
			const points = await laid.called(homes === 1 ? 1 : 0);
			expect(await laid.fault()).toBeUndefined();
			// A decision that fails executes nothing.
			if (DECISIONS[op]) expect(await laid.answer()).toContain('"status":"APPROVED"');
			// One database has the rest.
			if (homes === 3 && databasesIn(points) < 2) return;
			for (const plan of some(singles(setting, "call", points, usualOf(op)))) {
				const outcome = await laid.run(plan);
				// Effects that run side by side come in any order, so that the point may be the other one.
				expect(outcome.problems, told(plan, outcome)).toEqual([]);
			}
		});
	});

	it.each(CASES)("of D1 that lasts a moment has one effect, one answer and never a 500: %s", async (op) => {
		const setting = { op, homes, outside: true, between: undefined } as const;
		await Laid.in(setting, async (laid) => {
			const points = await laid.called(homes === 1 ? 1 : 0);
			// One database has the rest.
			if (homes === 3 && databasesIn(points) < 2) return;
			for (const plan of some(singles(setting, "call", points, flickers))) {
				const outcome = await laid.run(plan);
				expect(outcome.problems, told(plan, outcome)).toEqual([]);
			}
		});
	});

	it.each(PAYING)("of D1 that lasts a moment in the sweep leaves what the sweep leaves without it: %s", async (op) => {
		const setting = { op, homes, outside: true, between: undefined } as const;
		await Laid.in(setting, async (laid) => {
			const swept = (await laid.points()).get("sweep+1m") ?? [];
			const written = swept.filter(({ writes }) => writes);
			expect(written).not.toEqual([]);
			for (const plan of some(singles(setting, "sweep+1m", written, flickers))) {
				const outcome = await laid.run(plan);
				expect(outcome.problems, told(plan, outcome)).toEqual([]);
			}
		});
	});

	it.each(REPAIRED.filter((text) => planOf(text).homes === homes))("does not bring back what one found: %s", async (text) => {
		const plan = planOf(text);
		await Laid.in(plan, async (laid) => {
			const outcome = await laid.run(plan);
			expect(outcome.problems, told(plan, outcome)).toEqual([]);
		});
	});

	it.runIf(alone).each(PAYING)("sends the same instruction again after the borrower's number has moved: %s", async (op) => {
		const setting = { op, homes, outside: true, between: "confirmNumberChange" } as const;
		await Laid.in(setting, async (laid) => {
			expect(await laid.fault()).toBeUndefined();
			const instructing = (await laid.called()).filter(({ seam, writes }) => seam === "outside" && writes);
			expect(instructing).not.toEqual([]);
			for (const plan of singles(setting, "call", instructing, () => ["before", "after", "dies-after"])) {
				const outcome = await laid.run(plan);
				expect(outcome.problems, told(plan, outcome)).toEqual([]);
			}
		});
	});

	it("may be followed by another operation, before the repetition", async () => {
		const found: string[] = [];
		let left = RANDOM;
		await runRandom({ seed: 1, homes, inWorld: 4, goesOn: () => left > 0 }, ({ plan, outcome }) => {
			left--;
			if (outcome.problems.length > 0) found.push(told(plan, outcome));
		});
		expect(found).toEqual([]);
	});
});

const RANDOM = 20;
