// What `npm run simulate:faults` runs: every kind of fault at every point, faults in the background, clients that never return, pairs of
// faults, and then drawn plans until the time is over.

import "./node";
import { describe, expect, it } from "vitest";
import { alone } from "../support/databases";
import { Laid, planWith, singles, told } from "./campaign";
import type { Point } from "./life";
import { type Plan, planOf } from "./plan";
import { type Drawn, runRandom } from "./random";
import { CASES } from "./world";

const { FAULTS, FAULTS_OP, FAULTS_PLANS = "", FAULTS_SEED = "1", FAULTS_MINUTES = "10" } = process.env;
const homes = alone ? 1 : 3;
const cases = FAULTS_OP === undefined ? CASES : CASES.filter((each) => each === FAULTS_OP || each.startsWith(`${FAULTS_OP}@`));
const timeout = 24 * 3_600_000;

/** Operations that move money, in which two faults are tried together. */
const isMoney = (op: string) => /transfer|loan|draw|refund|repay|finance|movement|disburse/i.test(op);

const counts = { worlds: 0, points: 0, plans: 0 };
const found: string[] = [];

const tellCounts = () => process.stdout.write(`${JSON.stringify({ homes, seed: FAULTS_SEED, ...counts, found: found.length })}\n`);

/** Prints what a plan has found at once, and every thousand plans how far it is: such a run may be ended at any time. */
function note({ plan, outcome }: Drawn): void {
	counts.plans++;
	if (counts.plans % 1_000 === 0) tellCounts();
	if (outcome.problems.length === 0) return;
	found.push(told(plan, outcome));
	process.stdout.write(`${told(plan, outcome)}\n`);
}

const tryPlan = async (laid: Laid, plan: Plan): Promise<void> => note({ plan, outcome: await laid.run(plan) });

/** The call died right after its commit, so that the queues and the sweeps have to do what it left. */
const dying = (called: readonly Point[]) => {
	const last = called.findLast(({ seam, writes }) => seam === "database" && writes);
	return last ? [{ life: "call", at: last.n, kind: "dies-after" as const, what: last.what }] : [];
};

async function tryAll(op: string, outside: boolean): Promise<void> {
	const setting = { op, homes, outside, between: undefined } as const;
	await Laid.in(setting, async (laid) => {
		expect(await laid.fault(), op).toBeUndefined();
		expect(await laid.broken(), op).toEqual([]);
		const called = await laid.called();
		counts.worlds++;
		counts.points += called.length;
		for (const plan of singles(setting, "call", called)) await tryPlan(laid, plan);
		for (const plan of singles(setting, "call", called, ({ writes }) => (writes ? ["dies-after"] : [])))
			await tryPlan(laid, { ...plan, gone: true });
		const first = dying(called);
		const { points } = await laid.run(planWith(setting, first));
		const behind = [...points].filter(([life]) => /^(sweep|queue)\+[1-5]m$/.test(life));
		for (const [life, at] of behind)
			for (const { faults } of singles(setting, life, at, ({ writes }) => (writes ? ["after", "dies-after"] : [])))
				await tryPlan(laid, planWith(setting, [...first, ...faults]));
		if (isMoney(op)) for (const plan of pairs(setting, called)) await tryPlan(laid, plan);
	});
}

function pairs(setting: Parameters<typeof singles>[0], called: readonly Point[]): Plan[] {
	const writing = ({ writes, seam }: Point) => (writes && seam !== "object" ? (["dies-after", "late-mid"] as const) : []);
	const [first, second] = [singles(setting, "call", called, writing), singles(setting, "call2", called, writing)];
	return first.flatMap((one) => second.map((other) => planWith(setting, [...one.faults, ...other.faults])));
}

describe("npm run simulate:faults", () => {
	it.runIf(FAULTS === "plan")("the plan", { timeout }, async () => {
		const plans = FAULTS_PLANS.split("\n").map(planOf);
		const wrong: string[] = [];
		for (const plan of plans.filter((each) => each.homes === homes)) {
			const outcome = await Laid.in(plan, (laid) => laid.run(plan));
			// Among many plans, some are about effects that have moved since.
			const misfits = plans.length === 1 ? outcome.misfits : [];
			if (outcome.problems.length + misfits.length > 0) wrong.push(told(plan, outcome));
			if (plans.length > 1) continue;
			for (const [life, points] of outcome.points)
				process.stdout.write(`${life}\n${points.map(({ n, what }) => `  ${n} ${what}\n`).join("")}`);
		}
		expect(wrong).toEqual([]);
	});

	it.runIf(FAULTS === "all")("every point", { timeout }, async () => {
		for (const op of cases) for (const outside of [false, true]) await tryAll(op, outside);
		expect(found).toEqual([]);
	});

	it.runIf(FAULTS !== "plan")("drawn plans", { timeout }, async () => {
		const until = performance.now() + Number(FAULTS_MINUTES) * 60_000;
		const only = FAULTS_OP === undefined ? undefined : cases;
		await runRandom({ seed: Number(FAULTS_SEED), homes, only, goesOn: () => performance.now() < until }, note);
		tellCounts();
		expect(found).toEqual([]);
	});
});
