// What each flow of payments by a lender's connection costs in round trips and rows, and the bytes that all of them leave. `HOMES=3` runs it on
// three databases; `PRINT_BUDGETS=1` prints what was measured, with `--reporter=default`.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { placesOf } from "../../../src/db/places";
import { getAccount } from "../../../src/domains/accounts/operations";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { promptRepayment } from "../../../src/domains/repayments/prompts/operations";
import { payments } from "../../../src/domains/repayments/table";
import { forgetAll } from "../../../src/shared/cache";
import { call, expectOk } from "../../support/client";
import { expectCredit } from "../../support/credit";
import { givenConnectedLoan, givenOfferOf, lose, timePasses } from "../../support/daraja";
import { alone } from "../../support/databases";
import { db, operatorToken } from "../../support/factories";
import { printMeasured } from "../../support/log";
import { pull, QUARTER_MS, verify } from "../../support/pulls";
import { meteredBindings } from "../../support/statements";

const TIMES = 24;

type Cost = readonly [trips: number, rowsRead: number, rowsWritten: number];

/** On one database, with some room for rows. */
const MOST: Readonly<Record<string, Cost>> = {
	"a loan is accepted, and its payout ordered": [4, 55, 30],
	"the result of a payout": [2, 55, 45],
	"the same result again": [1, 30, 2],
	// One row counts the hints that the connection has got today.
	"a payment is confirmed": [3, 6, 7],
	"the answer about it, with the payment posted to the loan": [4, 55, 33],
	"a borrower is prompted": [4, 45, 10],
	"what became of the prompt, with the payment posted": [3, 70, 36],
	"a repayment is reversed, and its money ordered back": [4, 74, 30],
	"the result of a return": [2, 14, 6],
	// Each page of ten reads what is known of its payments: in two hours of these flows there are three.
	"a search for lost confirmations that finds nothing": [10, 125, 12],
	"a search that finds one": [10, 125, 17],
};
/**
 * The bytes that one round of all the flows leaves, with its borrower and what sweeps write. A database grows by whole pages, and the flow
 * that fills a page is charged with it, so that only the sum means anything.
 */
const BYTES_OF_A_ROUND = 34_000;
/** Further trips on three: a success reserves its receipt in the directory, and a sweep visits each. */
const FURTHER: Readonly<Record<string, number>> = {
	"the result of a payout": 1,
	"a search for lost confirmations that finds nothing": 2,
	"a search that finds one": 2,
};

/** What the flow may cost here. */
function budgetOf(flow: string): Cost {
	const [trips, ...rest] = MOST[flow] ?? [0, 0, 0];
	return [trips + (alone ? 0 : (FURTHER[flow] ?? 0)), ...rest];
}

/** The medians, because a sweep in the background may add to one. */
function usual(costs: readonly Cost[]): Cost {
	const median = (index: 0 | 1 | 2) => costs.map((cost) => cost[index]).toSorted((a, b) => a - b)[costs.length >> 1] ?? 0;
	return [median(0), median(1), median(2)];
}

async function bytesHeld(): Promise<number> {
	const held = await Promise.all(
		placesOf(env).all.map(async ({ database }) => (await database.prepare("select 1").all()).meta.size_after ?? 0),
	);
	return held.reduce((sum, bytes) => sum + bytes, 0);
}

it("a payout stays within what each flow may cost", { timeout: 120_000 }, async () => {
	const { vars, meter, reads } = meteredBindings();
	const loan = await givenConnectedLoan({ passkey: "a passkey", nominated_number: "+254722000000" }, () => vars, {
		prompts: () => ({ confirmations: 0 }),
	});
	const { standIn, lender } = loan;
	const costs = new Map<string, Cost[]>();
	const measure = async <T>(flow: string, act: () => Promise<T>): Promise<T> => {
		// Like an isolate that has never seen this caller.
		forgetAll();
		Object.assign(meter, { trips: 0, rowsWritten: 0 });
		reads.rows = 0;
		const result = await act();
		const cost = [meter.trips, reads.rows, meter.rowsWritten] as const;
		costs.set(flow, [...(costs.get(flow) ?? []), cost]);
		return result;
	};
	/** Other reports that wait, such as a balance, come first. */
	const tell = async (flow: string, path: string) => {
		const [told, others] = [true, false].map((isOfFlow) => standIn.reports.filter(({ url }) => url.includes(path) === isOfFlow));
		lose(standIn);
		for (const { url, body } of others ?? []) standIn.report(url, body as object);
		await standIn.deliver();
		for (const { url, body } of told ?? []) standIn.report(url, body as object);
		expect(new Set(await measure(flow, () => standIn.deliver()))).toEqual(new Set([200]));
	};
	const operator = await operatorToken();
	const held = await bytesHeld();
	for (let nth = 0; nth < TIMES; nth++) {
		const { apply, borrower, accountId } = await givenOfferOf(lender);
		expectOk(await measure("a loan is accepted, and its payout ordered", () => apply(30_000, vars)));
		const result = standIn.reports.find(({ url }) => url.includes("/results/payout/"));
		await tell("the result of a payout", "/results/payout/");
		standIn.report(result?.url ?? "", result?.body as object);
		await tell("the same result again", "/results/payout/");
		const { account_number: number } = expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));

		const receipt = standIn.receive({ shillings: 1, account: number });
		await tell("a payment is confirmed", "/confirmation");
		await tell("the answer about it, with the payment posted to the loan", "/confirmations/");

		const prompted = { as: borrower.token, path: { accountId }, body: { amount: 100 }, vars };
		expectOk(await measure("a borrower is prompted", () => call(promptRepayment, prompted)));
		await tell("what became of the prompt, with the payment posted", "/prompts/");

		const [payment] = await db.select().from(payments).where(eq(payments.mobileMoneyTransactionId, receipt));
		const reversed = { as: operator, path: { id: payment?.id ?? "" }, body: { reason: "a mistake", return_money: true }, vars };
		expectOk(await measure("a repayment is reversed, and its money ordered back", () => call(reverseRepayment, reversed)));
		await tell("the result of a return", "/returns/");

		await timePasses(QUARTER_MS);
		await measure("a search for lost confirmations that finds nothing", () => pull(vars));
		standIn.receive({ shillings: 1, account: number }, {}, 0);
		await timePasses(QUARTER_MS);
		await measure("a search that finds one", () => pull(vars));
		await verify();
		await standIn.deliver();
	}
	const measured = Object.fromEntries([...costs].map(([flow, each]) => [flow, usual(each)]));
	const bytes = ((await bytesHeld()) - held) / TIMES;
	printMeasured(() => JSON.stringify({ ...measured, bytes }, null, 1));
	const over = Object.entries(measured).filter(([flow, cost]) => cost.some((value, index) => value > (budgetOf(flow)[index] ?? 0)));
	expect(over).toEqual([]);
	expect(bytes).toBeLessThan(BYTES_OF_A_ROUND);
});
