// Searches for lost confirmations that die at any trip, and random histories of them. `HOMES=3` runs it on three databases.
// @module-tag thorough

import { expect, it } from "vitest";
import { randomBy } from "../../../../src/dev/random";
import type { PullBehaviour } from "../../../../src/dev/stand-ins/daraja.pulls";
import { payments } from "../../../../src/domains/repayments/table";
import { HOUR_MS, MINUTE_MS } from "../../../../src/shared/time";
import { dyingAt } from "../../../support/crashes";
import { lose as forget, timePasses } from "../../../support/daraja";
import { db } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { allowErrors } from "../../../support/log";
import { givenPulling, pull, QUARTER_MS, verify } from "../../../support/pulls";

const SEED = 5;

it.each(["before", "after"] as const)(
	"a lost payment is credited once although a search for it dies %s any trip",
	{ timeout: 120_000 },
	async (when) => {
		const { standIn, lose, paid } = await givenPulling(() => ({ countsPages: true, size: 2 }));
		let made = 0;
		const play = async (vars: Partial<Env>) => {
			// Three pages with something, and one without.
			const receipts = lose(1, 5);
			made += receipts.length;
			await timePasses(QUARTER_MS);
			await pull(vars).catch(() => {});
			await timePasses(2 * HOUR_MS);
			for (let round = 0; round < 3; round++) {
				await pull();
				await verify();
				await standIn.deliver();
				await timePasses(QUARTER_MS);
			}
			expect(await paid()).toBe(made * 100);
		};
		let deaths = 0;
		for (let trip = 1; ; trip++) {
			const death = dyingAt(trip, when);
			await play(death.vars);
			if (!death.died()) break;
			deaths++;
		}
		// It is read, claimed, opened, and each page is a commit.
		expect(deaths).toBeGreaterThanOrEqual(6);
		expect(await db.select().from(payments)).toHaveLength(made);
		await expectStoredEqualsReplay();
	},
);

it.each<PullBehaviour>([
	{ size: 4, shuffled: true },
	{ countsPages: true, size: 3 },
	{ countsPages: true, sendsTotals: true, size: 2, overlap: 1, ignoresWindow: true },
])(
	"credits every payment once, however many confirmations are lost and whenever processes die, by the list %o",
	{ timeout: 120_000 },
	async (list) => {
		allowErrors("a provider refuses the credentials of a connection", "background work failed", "request failed");
		const random = randomBy(SEED);
		const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
		const failures = ["DOWN", "HTML", "BUSY", "LOST", "TOKEN_EXPIRED"] as const;
		const dies = (): Partial<Env> => (random() < 0.3 ? dyingAt(1 + Math.floor(random() * 6), oneOf(["before", "after"])).vars : {});
		let isHostile = false;
		const { standIn, number, paid } = await givenPulling(
			() => (isHostile && random() < 0.2 ? { answer: oneOf(failures) } : list),
			() => (isHostile ? dies() : {}),
		);
		isHostile = true;
		let made = 0;
		let count = 0;
		for (let round = 0; round < 16; round++) {
			for (let nth = Math.floor(random() * 5); nth > 0; nth--) {
				const shillings = 1 + Math.floor(random() * 9);
				standIn.receive({ shillings, account: number }, {}, oneOf([0, 0, 1, 2]));
				made += shillings * 100;
				count++;
			}
			if (random() < 0.3) forget(standIn);
			await standIn.deliver();
			await standIn.deliver();
			await timePasses(Math.floor(random() * HOUR_MS));
			await pull(dies()).catch(() => {});
			await verify(dies()).catch(() => {});
			expect(await paid(), `seed ${SEED}`).toBeLessThanOrEqual(made);
		}
		isHostile = false;
		for (let round = 0; round < 5; round++) {
			await timePasses(HOUR_MS + MINUTE_MS);
			for (let portion = 0; portion < 5; portion++) await pull();
			await verify();
			await standIn.deliver();
		}
		expect(await paid(), `seed ${SEED}`).toBe(made);
		expect(await db.select().from(payments)).toHaveLength(count);
		await expectStoredEqualsReplay();
	},
);
