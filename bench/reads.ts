// `npm run bench:reads`: how long each read over HTTP takes of an account with 1,200 installments, half of them settled by 1,200
// payments, and how long one more payment takes. It prints figures and asserts nothing.

import { DAY_MS } from "../src/dev/days.ts";
import { openLending } from "./lending.ts";

const INSTALLMENTS = 1_200;
const PAYMENTS = Number(process.argv[2] ?? 1_200);
const CALLS = 15;
const TARGET_MS = 300;
const AMOUNT = 1_200_000;

const lending = await openLending();
try {
	const product = await lending.product({
		max_loan_amount: 5_000_000,
		base_limit: 5_000_000,
		tenure: { duration: INSTALLMENTS, unit: "DAYS" },
		installment_every: { duration: 1, unit: "DAYS" },
		rate_schedule: [{ min_days: 1, max_days: INSTALLMENTS, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" } }],
	});
	const { accountId, subject } = await lending.lend(product, AMOUNT);
	const started = Date.now();
	await lending.advance("P366D");
	await lending.advance("P234D");
	const operator = await lending.operator();
	const { body: first } = await lending.call("GET", `/v1/accounts/${accountId}/installments?size=1`, await lending.signIn(subject));
	const [{ outstanding }] = first.data as [{ outstanding: number }];
	const posted: number[] = [];
	for (let payment = 1; payment <= PAYMENTS; payment++) {
		const { ms } = await lending.pay(operator, accountId, Math.round(outstanding / 2), started + Math.ceil(payment / 2) * DAY_MS);
		posted.push(ms);
	}
	console.log(`a payment took ${median(posted.slice(0, CALLS))} ms at first, ${median(posted.slice(-CALLS))} ms at last`);

	const token = await lending.signIn(subject);
	const { body: page } = await lending.call("GET", `/v1/accounts/${accountId}/installments/transactions`, token);
	const [{ installments }] = page.data as [{ installments: [{ installment_id: string }] }];
	const today = String((await lending.call("GET", "/v1/sandbox/clock", operator)).body.now).slice(0, 10);
	const from = new Date(started).toISOString().slice(0, 10);
	const figures = [];
	for (const pathname of [
		"/v1/accounts",
		`/v1/accounts/${accountId}`,
		`/v1/accounts/${accountId}/installments`,
		`/v1/accounts/${accountId}/installments?size=100`,
		`/v1/accounts/${accountId}/installments/transactions?size=100`,
		`/v1/accounts/${accountId}/installments/${installments[0].installment_id}/transactions`,
		`/v1/accounts/${accountId}/payoff`,
		`/v1/accounts/${accountId}/explain`,
		`/v1/accounts/${accountId}/statement?size=100`,
		`/v1/accounts/${accountId}/statement?size=100&from=${from}&to=${today}`,
	]) {
		const answers = [];
		for (let count = 0; count < CALLS; count++) answers.push(await lending.call("GET", pathname, token));
		const times = answers.map(({ ms }) => ms);
		const [, trips, read, d1] = /trips=(\d+) read=(\d+) .*dur=(\d+)/.exec(answers.at(-1)?.timing ?? "") ?? [];
		figures.push({
			read: pathname.replace(accountId, "{id}").replace(/[0-9a-f-]{36}/, "{id}"),
			"median ms": median(times),
			"worst ms": Math.round(Math.max(...times)),
			"in D1": Number(d1),
			trips: Number(trips),
			rows: Number(read),
			bytes: answers.at(-1)?.bytes,
		});
	}
	console.table(figures);
	console.log(`the slowest median: ${Math.max(...figures.map((row) => row["median ms"]))} ms (target: at most ${TARGET_MS})`);
} finally {
	await lending.close();
}
process.exit(0);

function median(values: readonly number[]): number {
	return Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);
}
