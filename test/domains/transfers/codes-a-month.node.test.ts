// How many one-time passwords honest users are asked for in a month, with the thresholds of production. The table that it prints is the
// one of docs/security.md.
// @module-tag thorough

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { randomBy } from "../../../src/dev/random";
import { codeLimitsOf, needsCode, type Uncoded } from "../../../src/domains/current-accounts/ledger/limits.policy";
import { addDays } from "../../../src/shared/time";

/** `mean` in shillings; `fresh`: payees who were never paid before. */
type Habit = { readonly transfers: number; readonly mean: number; readonly fresh: number };
const HABITS: readonly Habit[] = [
	{ transfers: 12, mean: 800, fresh: 2 },
	{ transfers: 25, mean: 3_000, fresh: 3 },
	{ transfers: 90, mean: 2_500, fresh: 6 },
	{ transfers: 60, mean: 150, fresh: 20 },
];
const LIMITS = codeLimitsOf({ TRANSFER_OTP_ABOVE: 1_000_000, NEW_PAYEE_OTP_ABOVE: 50_000 });
const MONTHS = 2_000;
const DAYS = 30;
/** Of the logarithm: most transfers are small, a few are many times the mean. */
const SPREAD = 0.9;

/** Payees whom the user knows at the beginning of a month; all are confirmed. */
const KNOWN = 20;

type Month = { readonly codes: number; readonly aboveThreshold: number; readonly after: Uncoded };

/** A month of transfers at random times: some are the first to a payee, all others go to any whom the user knows by then. */
function month({ transfers, mean, fresh }: Habit, counted: Uncoded, random: () => number): Month {
	const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	const amountOf = () => Math.round(100 * mean * Math.exp(SPREAD * normal() - SPREAD ** 2 / 2));
	const days = Array.from({ length: DAYS + 1 }, (_, day) => addDays(counted.day, day));
	const times = Array.from({ length: transfers }, () => Math.floor(random() * DAYS)).sort((a, b) => a - b);
	const confirmed = Array.from({ length: KNOWN }, () => true);
	let now = counted;
	let codes = 0;
	let aboveThreshold = 0;
	for (const [index, time] of times.entries()) {
		const day = days[time] ?? counted.day;
		const isFirst = Math.floor((index * fresh) / transfers) < Math.floor(((index + 1) * fresh) / transfers);
		const payee = isFirst ? confirmed.push(false) - 1 : Math.floor(random() * confirmed.length);
		const amount = amountOf();
		const toNewPayee = confirmed[payee] === false;
		if (amount > LIMITS.today) aboveThreshold++;
		if (day > now.day) now = { ...now, day, uncodedToday: 0, uncodedNew: 0 };
		if (needsCode(now, { amount, toNewPayee }, LIMITS, day)) {
			codes++;
			confirmed[payee] = true;
			now = { day, uncoded: 0, uncodedToday: 0, uncodedNew: 0 };
		} else {
			const { uncoded, uncodedToday, uncodedNew } = now;
			now = {
				day,
				uncoded: uncoded + amount,
				uncodedToday: uncodedToday + amount,
				uncodedNew: uncodedNew + (toNewPayee ? amount : 0),
			};
		}
	}
	return { codes, aboveThreshold, after: { ...now, day: days[DAYS] ?? counted.day } };
}

/** `byAmount`: if only single transfers above the day's threshold asked for one. */
function codesOf(habit: Habit): { byAmount: string; now: string } {
	const random = randomBy(22);
	let counted: Uncoded = { day: "2026-01-01", uncoded: 0, uncodedToday: 0, uncodedNew: 0 };
	let codes = 0;
	let aboveThreshold = 0;
	for (let each = 0; each < MONTHS; each++) {
		const result = month(habit, counted, random);
		codes += result.codes;
		aboveThreshold += result.aboveThreshold;
		counted = result.after;
	}
	return { byAmount: (aboveThreshold / MONTHS).toFixed(1), now: (codes / MONTHS).toFixed(1) };
}

it("the rule asks honest users for as few codes as the documentation says", () => {
	const rows = HABITS.map((habit) => {
		const { byAmount, now } = codesOf(habit);
		return `| ${habit.transfers} of ${habit.mean.toLocaleString("en")} KES, ${habit.fresh} new payees | ${byAmount} | ${now} |`;
	});
	console.log(rows.join("\n"));
	const documented = readFileSync("docs/security.md", "utf8");
	for (const row of rows) expect(documented).toContain(row);
});
