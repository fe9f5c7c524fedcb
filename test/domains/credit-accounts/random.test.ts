// Random histories over HTTP: any product, then draws, payments (some backdated), waivers, reschedules, settlements, reversals of any of
// them, of parts of payments, and undone ones, refunds, tenures and days.
// @module-tag thorough

import * as fc from "fast-check";
import { describe, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { changeTenure } from "../../../src/domains/accounts/tenure.operations";
import { rescheduleAccount, settleAccount } from "../../../src/domains/credit-accounts/changes/operations";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { reverseRepayment, reverseTransaction, waive } from "../../../src/domains/repayments/corrections/operations";
import { restoreRepayment } from "../../../src/domains/repayments/corrections/payments.operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { getRepayment } from "../../../src/domains/repayments/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { addDays, DAY_MS, localDate } from "../../../src/shared/time";
import { type Answer, call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { expectCredit, givenLoan, paymentTo } from "../../support/credit";
import { operatorToken } from "../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../support/ledgers";
import { LOAN_PRODUCT, runDueWork } from "../../support/loans";

const oneOf = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values);

const product = fc.record({
	loan_product_type: oneOf("REDUCING_BALANCE" as const, "FLAT" as const),
	tenure: fc.record({ duration: oneOf(10, 30, 45, 60), unit: oneOf("DAYS" as const) }),
	installment_every: fc.record({ duration: oneOf(7, 10, 30), unit: oneOf("DAYS" as const) }),
	rate_schedule: oneOf(0, 300, 2_500).map((basis_points) => [
		{ min_days: 1, max_days: 90, interest_rate: { basis_points, period_value: 30, period_unit: "DAYS" as const } },
	]),
	fee_basis_points: oneOf(0, 250),
	auto_renews: fc.boolean(),
	penalty_terms: fc.record({
		rate_basis_points: oneOf(0, 100, 2_000),
		calculation_basis: oneOf("PRINCIPAL_AND_ARREARS" as const, "TOTAL_OUTSTANDING" as const),
		type: oneOf("RECURRING" as const, "ONE_TIME" as const),
		period_days: oneOf(1, 7),
		trigger: oneOf("AFTER_LOAN_END" as const, "AFTER_INSTALLMENT_DUE" as const),
		grace_period_days: oneOf(0, 3),
	}),
});

const action = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ kind: oneOf("PAY"), share: fc.integer({ min: 1, max: 1_200 }), daysAgo: oneOf(0, 0, 0, 5, 40) }) },
	{ weight: 4, arbitrary: fc.record({ kind: oneOf("DAYS"), days: fc.integer({ min: 1, max: 25 }) }) },
	{ weight: 2, arbitrary: fc.record({ kind: oneOf("DRAW"), steps: fc.integer({ min: 1, max: 80 }) }) },
	{ weight: 2, arbitrary: fc.record({ kind: oneOf("WAIVE"), pick: fc.nat({ max: 8 }), share: fc.integer({ min: 1, max: 1_000 }) }) },
	{
		weight: 1,
		arbitrary: fc.record({ kind: oneOf("RESCHEDULE"), change: oneOf("EXTEND" as const, "HOLIDAY" as const), count: oneOf(1, 2) }),
	},
	{
		weight: 1,
		arbitrary: fc.record({ kind: oneOf("NEW_DATES"), every: fc.integer({ min: 1, max: 20 }), count: fc.integer({ min: 1, max: 9 }) }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: oneOf("SETTLE"), share: fc.integer({ min: 1, max: 999 }), days: fc.integer({ min: 0, max: 30 }) }),
	},
	{ weight: 2, arbitrary: fc.record({ kind: oneOf("REVERSE"), pick: fc.nat({ max: 20 }) }) },
	{ weight: 2, arbitrary: fc.record({ kind: oneOf("REVERSE_PART"), pick: fc.nat({ max: 20 }), share: fc.integer({ min: 1, max: 999 }) }) },
	{ weight: 2, arbitrary: fc.record({ kind: oneOf("RESTORE"), pick: fc.nat({ max: 20 }) }) },
	{ weight: 1, arbitrary: fc.record({ kind: oneOf("REFUND") }) },
	{ weight: 1, arbitrary: fc.record({ kind: oneOf("TENURE"), duration: oneOf(10, 20, 60) }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** The refusals that an account's state or an amount may cause. */
const REFUSALS: readonly number[] = [400, 409];

class History {
	readonly loan: Awaited<ReturnType<typeof givenLoan>>;
	readonly clock: { offsetMs: number };
	/** What may be reversed. */
	readonly posted: string[] = [];
	readonly paid: string[] = [];
	/** What is left to pay of the newest settlement, so that some payments complete it. */
	asked = 0;

	constructor(loan: Awaited<ReturnType<typeof givenLoan>>, clock: { offsetMs: number }) {
		this.loan = loan;
		this.clock = clock;
	}

	async act(taken: Action): Promise<void> {
		const { loan } = this;
		const as = loan.borrower.token;
		switch (taken.kind) {
			case "DAYS":
				this.clock.offsetMs += taken.days * DAY_MS;
				await moveClock(taken.days * DAY_MS);
				// A sweep follows only some of the waits; after the others the next posting finds the work still due.
				if (taken.days % 2 === 0) await runDueWork(workOnAccounts);
				return;
			case "PAY": {
				const { balance } = expectCredit(await call(getAccount, { as, path: loan }));
				const part = Math.max(1, Math.floor((balance.total_outstanding * taken.share) / 1_000));
				const amount = taken.share % 3 === 0 && this.asked > 0 ? this.asked : part;
				const at = Date.now() + this.clock.offsetMs - taken.daysAgo * DAY_MS;
				const body = paymentTo(loan.accountId, amount, crypto.randomUUID(), at);
				const { id } = expectOk(await call(recordRepayment, { as: loan.key, body })).transaction;
				this.posted.push(id);
				this.paid.push(id);
				this.asked = expectCredit(await call(getAccount, { as, path: loan })).settlement?.amount_left ?? 0;
				return;
			}
			case "DRAW":
				return this.expect(await call(draw, { as, path: loan, body: { amount: taken.steps * 500 } }));
			case "WAIVE": {
				const rows = expectOk(await call(listInstallments, { as, path: loan, query: {} })).data;
				const row = rows[taken.pick % rows.length];
				const amount = Math.max(1, Math.floor(((row?.outstanding ?? 0) * taken.share) / 1_000));
				const body = { installment_id: row?.id ?? "", amount, reason: "goodwill" };
				return this.keep(await call(waive, { as: await operatorToken(), path: loan, body }), ({ id }) => id);
			}
			case "RESCHEDULE": {
				const body = { kind: taken.change, installments: taken.count, reason: "a bad season" };
				return this.keep(await call(rescheduleAccount, { as: await operatorToken(), path: loan, body }), (row) => row.transaction_id);
			}
			case "NEW_DATES": {
				const due_dates = Array.from({ length: taken.count }, (_, index) => this.inDays((index + 1) * taken.every));
				const body = { kind: "NEW_DATES" as const, due_dates, reason: "paid on market days" };
				return this.keep(await call(rescheduleAccount, { as: await operatorToken(), path: loan, body }), (row) => row.transaction_id);
			}
			case "SETTLE": {
				const { balance } = expectCredit(await call(getAccount, { as, path: loan }));
				const amount = Math.max(1, Math.floor((balance.total_outstanding * taken.share) / 1_000));
				const body = { amount, valid_until: this.inDays(taken.days), reason: "agreed" };
				const answer = await call(settleAccount, { as: await operatorToken(), path: loan, body });
				if (answer.ok) this.asked = amount;
				return this.keep(answer, (row) => row.transaction_id);
			}
			case "REVERSE": {
				const transactionId = this.posted[taken.pick % Math.max(1, this.posted.length)];
				if (!transactionId) return;
				const path = { accountId: loan.accountId, transactionId };
				return this.expect(await call(reverseTransaction, { as: await operatorToken(), path, body: { reason: "by mistake" } }));
			}
			case "REVERSE_PART": {
				const id = this.paid[taken.pick % Math.max(1, this.paid.length)];
				if (!id) return;
				const body = { reason: "by mistake", amount: taken.share * 10 };
				return this.expect(await call(reverseRepayment, { as: await operatorToken(), path: { id }, body }));
			}
			case "RESTORE": {
				const id = this.paid[taken.pick % Math.max(1, this.paid.length)];
				if (!id) return;
				const { reversed_by } = expectOk(await call(getRepayment, { as: await operatorToken(), path: { id } })).transaction;
				if (reversed_by === null) return;
				const body = { reversal_id: reversed_by, reason: "it was right after all" };
				return this.expect(await call(restoreRepayment, { as: await operatorToken(), path: { id }, body }));
			}
			case "REFUND":
				return this.expect(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
			case "TENURE": {
				const tenure = { duration: taken.duration, unit: "DAYS" as const };
				return this.expect(await call(changeTenure, { as, path: loan, body: { tenure } }));
			}
		}
	}

	inDays(days: number): string {
		return addDays(localDate(Date.now() + this.clock.offsetMs), days);
	}

	/** Remembers what was posted, unless it was refused. */
	keep<Body>(answer: Answer<Body>, idOf: (body: Body) => string | null): void {
		this.expect(answer);
		const id = answer.ok && idOf(answer.body);
		if (id) this.posted.push(id);
	}

	expect(answer: Answer<unknown>): void {
		if (!answer.ok && !REFUSALS.includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
	}

	/** No component is negative, all reads agree on one sum, and the stored rows equal a replay of all facts. */
	async check(): Promise<void> {
		await runDueWork(async (services) => {
			while (await workOnAccounts(services));
		});
		await expectStoredEqualsReplay(this.loan.accountId);
		await expectOneSum(this.loan);
	}
}

describe("any history of an account", () => {
	it("has no negative component, the same sum in all reads, and stored rows that equal a replay", { timeout: 120_000 }, async () => {
		const clock = { offsetMs: 0 };
		const histories = fc.record({ product, actions: fc.array(action, { minLength: 4, maxLength: 18 }) });
		const holds = async ({ product: terms, actions }: { product: object; actions: readonly Action[] }) => {
			const loan = await givenLoan(30_000, { ...LOAN_PRODUCT, ...terms, min_loan_amount: 500 });
			const history = new History(loan, clock);
			for (const [index, taken] of actions.entries()) {
				await history.act(taken);
				if (index % 4 === 3) await history.check();
			}
			await history.check();
		};
		await fc.assert(fc.asyncProperty(histories, holds), { seed: 20_260_101, numRuns: 8, endOnFailure: true });
	});
});
