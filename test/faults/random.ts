// Plans that are drawn: several faulty attempts, faults in the background, and another operation between a fault and the repetition.

import { Random } from "../simulation/random";
import { Laid, type Outcome, planWith } from "./campaign";
import { kindsAt, type Point } from "./life";
import type { Plan, PlannedFault } from "./plan";
import { CASES } from "./world";

/** How many plans share a world, which takes longer to lay down than a plan takes to run. */
const IN_A_WORLD = 40;
/** How many of them have faults in the background: those run all due work minute by minute, and take as long as ten others. */
const BEHIND = 0.15;

export type Drawn = { readonly plan: Plan; readonly outcome: Outcome };

type Options = {
	readonly seed: number;
	readonly homes: 1 | 3;
	/** The operations that fail; by default all. */
	readonly only?: readonly string[] | undefined;
	readonly inWorld?: number;
	readonly goesOn: () => boolean;
};

/** Runs plans of the seed, one after the other, and reports each. Worlds in which two operations exclude each other are left out. */
export async function runRandom(
	{ seed, homes, only = CASES, inWorld = IN_A_WORLD, goesOn }: Options,
	tell: (drawn: Drawn) => void,
): Promise<void> {
	const random = new Random(seed);
	while (goesOn()) {
		const op = random.pick(only) ?? "";
		const other = random.chance(0.6) ? random.pick(CASES) : undefined;
		const setting = { op, homes, outside: random.chance(0.7), between: other === op ? undefined : other };
		await Laid.in(setting, async (laid) => {
			if (await laid.fault()) return;
			for (let count = 0; count < inWorld && goesOn(); count++) {
				const behind = random.chance(BEHIND) ? await laid.points() : undefined;
				const faults = [...drawFaults(random, await laid.called()), ...(behind ? drawBehind(random, behind) : [])];
				const plan = planWith(setting, faults, random.chance(0.1));
				tell({ plan, outcome: await laid.run(plan) });
			}
		}).catch((error: unknown) => {
			if (!setting.between) throw error;
		});
	}
}

function drawFaults(random: Random, called: readonly Point[]): PlannedFault[] {
	return ["call", "call2", "call3"].slice(0, random.between(1, 3)).flatMap((life) => drawFault(random, life, called));
}

/** Faults in the background. The last two sweeps have none. */
function drawBehind(random: Random, points: ReadonlyMap<string, readonly Point[]>): PlannedFault[] {
	const background = [...points].filter(([life]) => /\+(\dm|1d)$/.test(life));
	return Array.from({ length: random.between(1, 2) }, () => random.pick(background)).flatMap((one) =>
		one ? drawFault(random, one[0], one[1]) : [],
	);
}

function drawFault(random: Random, life: string, points: readonly Point[]): PlannedFault[] {
	// Faults of reads change nothing, so they are drawn seldom.
	const point = random.pick(random.chance(0.85) ? points.filter(({ writes }) => writes) : points);
	const kind = point && random.pick(kindsAt(point));
	return point && kind ? [{ life, at: point.n, kind, what: point.what }] : [];
}
