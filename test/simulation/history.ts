// One history of the world, drawn from a seed.

import type { Sabotage } from "./database";
import { brokenInTheEnd, brokenLaws } from "./laws";
import { Random } from "./random";
import { Life, type Meddling } from "./steps";
import { World } from "./world";

const MOMENTS = 30;

/** How a design is broken on purpose: by another condition in SQL, or by an additional step. */
export type Design = { readonly sabotage?: Sabotage; readonly meddling?: Meddling };

export type History = { readonly broken: readonly string[]; readonly statistics: Statistics };
export type Statistics = { transfers: number; movements: number; interest: number; closures: number };

/** Runs a history, up to the first law that is broken. */
export async function live(seed: number, { sabotage = (sql) => sql, meddling }: Design = {}): Promise<History> {
	const world = new World(new Random(seed), sabotage);
	try {
		const life = new Life(world, meddling);
		await world.begin();
		let broken: string[] = [];
		for (let moment = 0; moment < MOMENTS && broken.length === 0; moment++) {
			await life.moment();
			broken = [...faultsOf(world), ...brokenLaws(world)];
		}
		if (broken.length === 0) {
			await life.end();
			broken = [...faultsOf(world), ...brokenLaws(world), ...brokenInTheEnd(world, life.paid)];
		}
		return { broken, statistics: statisticsOf(world) };
	} finally {
		world.close();
	}
}

const faultsOf = ({ faults }: World): string[] =>
	faults.map((fault) => (fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)));

function statisticsOf(world: World): Statistics {
	const count = (from: string) =>
		world.all<{ count: number }>(`select count(*) as count from ${from}`).reduce((sum, row) => sum + row.count, 0);
	return {
		transfers: count("transfers"),
		movements: count("custodian_movements"),
		interest: count("current_account_entries where type = 'INTEREST'"),
		closures: count("closures where status = 'COMPLETED'"),
	};
}
