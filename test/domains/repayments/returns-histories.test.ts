// Random histories of returns of money: what the stand-in has given back is in the books or open, and nothing is given back twice.
// `SIMULATION_SEED` chooses another one.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { randomBy } from "../../../src/dev/random";
import type { ReversalBehaviour } from "../../../src/dev/stand-ins/daraja.reversals";
import { paymentReturns } from "../../../src/domains/repayments/returns/table";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { expectOk } from "../../support/client";
import { dyingAt } from "../../support/crashes";
import { timePasses } from "../../support/daraja";
import { db } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { expectErrors, expectErrorsInNode } from "../../support/log";
import { AMOUNT, givenReturning, sweepReturns } from "../../support/returns";

/** What may go wrong with a return and with its reports. */
const BEHAVIOURS: readonly ReversalBehaviour[] = [
	{},
	{ results: 5, odd: true },
	{ early: true, answer: "LOST" },
	{ early: true, results: 2 },
	{ answer: "LOST" },
	{ answer: "LOST", results: 0 },
	{ answer: "DOWN" },
	{ answer: "HTML" },
	{ answer: "BUSY" },
	{ answer: "INVALID" },
	{ answer: "TOKEN_EXPIRED" },
	{ results: 0 },
	{ timeOut: true },
	{ timeOut: true, results: 0 },
	{ late: true },
	{ code: 1, results: 2 },
	{ code: 9999 },
	{ code: "R000002", late: true },
	{ saysAmount: 1 },
];

it("the service has in the books, or open, what was returned, over random histories in which processes die", {
	timeout: 120_000,
}, async () => {
	expectErrors("background work failed", "request failed");
	expectErrorsInNode("a result of a return contradicts what is known of it");
	const seed = Number(env.SIMULATION_SEED || 11);
	const context = `seed ${seed}`;
	const random = randomBy(seed);
	let isDying = false;
	const dies = (): Partial<Env> =>
		isDying && random() < 0.35 ? dyingAt(1 + Math.floor(random() * 4), random() < 0.5 ? "before" : "after").vars : {};
	let behave = (): ReversalBehaviour => BEHAVIOURS[Math.floor(random() * BEHAVIOURS.length)] ?? {};
	const { standIn, pay, reverse, retry, giveUp, told, paid } = await givenReturning(() => behave(), dies);
	const paidIn: string[] = [];
	for (let nth = 0; nth < 14; nth++) paidIn.push((await pay()).id);
	isDying = true;
	const rows = async () => new Map((await db.select().from(paymentReturns)).map((row) => [row.receipt, row]));
	const check = async () => {
		const { made } = standIn.reversals;
		const known = await rows();
		expect(new Set(made.map(({ receipt }) => receipt)).size, context).toBe(made.length);
		for (const { receipt, shillings } of made) expect(known.get(receipt), context).toMatchObject({ amount: shillings * 100 });
		const returned = new Set(made.map(({ receipt }) => receipt));
		for (const { status, receipt } of known.values()) if (status === "RETURNED") expect(returned, context).toContain(receipt);
		expect(await paid(), context).toBe((paidIn.length - known.size) * AMOUNT);
	};
	for (const [round, id] of paidIn.entries()) {
		await reverse(id, dies()).catch(() => {});
		if (random() < 0.3) await reverse(id).catch(() => {});
		if (random() < 0.1) standIn.forgetTokens();
		if (random() < 0.3) standIn.reversals.reportLate();
		await standIn.deliver();
		await timePasses(Math.floor(30 * MINUTE_MS * random()) + 11 * MINUTE_MS);
		for (const { id, status } of (await rows()).values()) {
			if (status === "FAILED" && random() < 0.5) await retry(id);
			else if (status !== "RETURNED" && round % 5 === 4 && random() < 0.2) await giveUp(id);
		}
		await sweepReturns(dies()).catch(() => {});
		await standIn.deliver();
		await check();
	}
	isDying = false;
	behave = () => ({});
	// A token that one call gets ends that of another, whose order then goes again: in workerd both are under way at once.
	for (let round = 0; round < 8; round++) {
		standIn.reversals.reportLate();
		await timePasses(2 * HOUR_MS);
		for (const { id, status } of (await rows()).values()) if (status === "FAILED") expectOk(await retry(id));
		await sweepReturns();
		await standIn.deliver();
		await check();
	}
	const ends = [...(await rows()).values()];
	for (const { status } of ends) expect(["RETURNED", "GIVEN_UP"], context).toContain(status);
	const returned = ends.filter(({ status }) => status === "RETURNED");
	expect(returned.length, context).toBeGreaterThan(8);
	expect((await told()).filter(([type]) => type === "money_returned")).toHaveLength(returned.length);
	await expectStoredEqualsReplay();
});
