// Loans and draws into the borrower's current account, whose process dies at every round trip: repeated by the client, each is paid exactly
// once, and nobody else is ever instructed to pay it.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { sendDueInstructions } from "../../../src/domains/disbursements/job";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { expectCredit } from "../../support/credit";
import { bookOf, givenCurrentAccount } from "../../support/current-accounts";
import { db } from "../../support/factories";
import { eventsOf, givenBorrower, givenLoanProduct, givenOffer, runDueWork } from "../../support/loans";
import { allowErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";
import { openSecond } from "../../support/two-homes";

const DISBURSER = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/in", DISBURSER_SECRET: "a disburser's secret" };
const payout = { type: "CURRENT_ACCOUNT" as const };

async function givenWallet() {
	const { organization, token: as, id: userId } = await givenBorrower();
	const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
	const wallet = await givenCurrentAccount({ user: { id: userId } });
	const { id, account_id: accountId } = await givenOffer(as, productId);
	const headers = { "idempotency-key": "once" };
	const borrow = (vars: Partial<Env> = {}) =>
		call(applyForLoan, {
			as,
			path: { application_id: id },
			body: { loan_amount: 30_000, payout },
			headers,
			vars: { ...DISBURSER, ...vars },
		});
	const take = (vars: Partial<Env> = {}) =>
		call(draw, { as, path: { accountId }, body: { amount: 1_000, payout }, headers, vars: { ...DISBURSER, ...vars } });
	const owed = async () => expectCredit(await call(getAccount, { as, path: { accountId } })).balance.principal_used;
	return { organization, wallet, accountId, borrow, take, owed };
}

it.each([
	["a loan", "before"],
	["a loan", "after"],
	["a draw", "before"],
	["a draw", "after"],
] as const)("%s is paid once although its process dies %s any of its round trips", async (what, when) => {
	allowErrors("request failed");
	await openSecond();
	const instructed: unknown[] = [];
	answerOutbound(async (input) => {
		instructed.push(input);
		return new Response(null, { status: 202 });
	});
	let died = true;
	let trip = 0;
	while (died) {
		trip++;
		const { organization, wallet, accountId, borrow, take, owed } = await givenWallet();
		if (what === "a draw") expectOk(await borrow());
		const order = what === "a loan" ? borrow : take;
		const process = dyingAt(trip, when);
		const first = await order(process.vars);
		died = process.died();
		const again = await order();
		expect(again.ok, `${when} trip ${trip}: ${again.text}`).toBe(true);
		if (first.ok) expect(again.text).toBe(first.text);
		await moveClock(HOUR_MS);
		await runDueWork(sendDueInstructions, DISBURSER);
		const [sums, amount] = what === "a loan" ? [[30_000], 30_000] : [[30_000, 1_000], 31_000];
		const { account, entries } = await bookOf(wallet.id);
		expect([entries.map((entry) => entry.amount), account.balance, await owed()], `${when} trip ${trip}`).toEqual([sums, amount, amount]);
		const orders = await db.select().from(disbursements).where(eq(disbursements.accountId, accountId));
		expect(orders.map(({ status, instruction }) => [status, instruction])).toEqual(sums.map(() => ["SUCCEEDED", null]));
		const told = (await eventsOf(organization.id)).filter(({ type }) => type === "current_account.transaction_posted");
		expect(told).toHaveLength(sums.length);
	}
	expect(instructed).toEqual([]);
	// The read and the commit at least.
	expect(trip).toBeGreaterThan(2);
});
