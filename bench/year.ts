// `npm run bench:year`, with `-- 100` for fewer loans than 1,000: two services with loans of the same hundred kinds. In one a year passes
// for all of them in a single jump of the clock, in the other day by day for one of each kind. It prints how long the jump takes, and
// fails unless each account ends as its kind does day by day.

import { deepStrictEqual } from "node:assert";
import { type Loan, openLending } from "./lending.ts";

const ACCOUNTS = Number(process.argv[2] ?? 1_000);
const KINDS = Math.min(100, ACCOUNTS);
const DAYS = 365;
const AT_ONCE = 4;
const MAX_SWEEPS = 60;

const days = (duration: number) => ({ duration, unit: "DAYS" });
const rates = [{ min_days: 1, max_days: 120, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" } }];
const penalties = (trigger: string, period_days: number, grace_period_days: number) => ({
	penalty_terms: {
		rate_basis_points: 100,
		calculation_basis: "PRINCIPAL_AND_ARREARS",
		type: "RECURRING",
		period_days,
		trigger,
		grace_period_days,
	},
});
const THREE_INSTALLMENTS = { tenure: days(90), installment_every: days(30), rate_schedule: rates };
const PRODUCTS = [
	{ ...THREE_INSTALLMENTS, ...penalties("AFTER_INSTALLMENT_DUE", 14, 2) },
	{ ...THREE_INSTALLMENTS, ...penalties("AFTER_LOAN_END", 30, 0) },
	{ auto_renews: true, ...penalties("AFTER_INSTALLMENT_DUE", 30, 2) },
	{ loan_product_type: "FLAT", fee_basis_points: 150, ...penalties("AFTER_LOAN_END", 14, 3) },
];

type Lending = Awaited<ReturnType<typeof openLending>>;

const [jump, daily] = [await openLending(), await openLending()];
try {
	const [jumped, waited] = await Promise.all([givenLoans(jump, ACCOUNTS), givenLoans(daily, KINDS)]);
	console.log(`${ACCOUNTS} loans of ${KINDS} kinds`);

	const beforeDays = performance.now();
	for (let day = 1; day <= DAYS; day++) {
		await daily.advance("P1D");
		await worked(daily);
	}
	console.log(`${DAYS} daily runs: ${seconds(beforeDays)}`);

	const beforeJump = performance.now();
	await jump.advance(`P${DAYS}D`);
	console.log(`the jump: ${seconds(beforeJump)}, ${due(jump)} accounts left to the sweep`);
	const sweeps = await worked(jump);
	console.log(`complete after ${sweeps} sweeps, ${seconds(beforeJump)} in all`);

	const [inJump, byDay] = [storiesOf(jump), storiesOf(daily)];
	for (const [index, { accountId }] of jumped.entries()) {
		deepStrictEqual(inJump.get(accountId), byDay.get(waited[index % KINDS]?.accountId ?? ""), `account ${index} ends otherwise`);
	}
	const [{ penalties: charged } = {}] = jump.rows("select count(*) as penalties from account_transactions where kind = 'PENALTY'");
	console.log(`all ${jumped.length} accounts end alike, with ${charged} penalties`);
} finally {
	await jump.close();
	await daily.close();
}
process.exit(0);

async function givenLoans(lending: Lending, count: number): Promise<readonly Loan[]> {
	const products: string[] = [];
	for (const product of PRODUCTS) products.push(await lending.product(product));
	const operator = await lending.operator();
	const loans: Loan[] = [];
	const indexes = Array.from({ length: count }, (_, index) => index).values();
	const lend = async () => {
		for (const index of indexes) {
			const kind = index % KINDS;
			const loan = await lending.lend(products[kind % products.length] ?? "", 50_000 + 500 * kind);
			if (kind % 3 === 0) await lending.pay(operator, loan.accountId, 1_500 + kind, Date.now());
			loans[index] = loan;
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, lend));
	return loans;
}

/** How many accounts have work due that no sweep has done yet. */
function due(lending: Lending): number {
	const [row] = lending.rows(
		"select count(*) as due from credit_accounts where next_work_at <= (select coalesce(max(offset_ms), 0) from sandbox_clock) + unixepoch() * 1000",
	);
	return Number(row?.due);
}

/** Sweeps until nothing is due. Returns how many sweeps that takes. */
async function worked(lending: Lending): Promise<number> {
	for (let sweeps = 0; sweeps <= MAX_SWEEPS; sweeps++) {
		if (due(lending) === 0) return sweeps;
		await lending.sweep();
	}
	throw new Error(`${due(lending)} accounts are still due after ${MAX_SWEEPS} sweeps`);
}

/** The final state of each account with all its facts, without ids and instants. */
function storiesOf(lending: Lending): ReadonlyMap<string, unknown> {
	const accounts = lending.rows(
		"select id, status, principal_outstanding, overpaid_amount, earliest_due, loans_repaid_on_time, next_work_at from credit_accounts",
	);
	const facts = Map.groupBy(
		lending.rows("select account_id, kind, value_date, amount, number from account_transactions order by value_date, kind, number, amount"),
		(row) => row.account_id,
	);
	const cycles = Map.groupBy(
		lending.rows("select account_id, number, status, principal, start_date, final_due_date from credit_cycles order by number"),
		(row) => row.account_id,
	);
	const without = ({ id: _, account_id: __, ...rest }: Record<string, unknown>) => rest;
	return new Map(
		accounts.map((account) => [
			String(account.id),
			{
				account: without(account),
				facts: facts.get(account.id)?.map(without),
				cycles: cycles.get(account.id)?.map(without),
			},
		]),
	);
}

function seconds(began: number): string {
	return `${((performance.now() - began) / 1_000).toFixed(1)} s`;
}
