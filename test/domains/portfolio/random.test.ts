// Random histories over HTTP of the accounts of one portfolio: the figures of every day equal a replay of what was known at its end, and
// the journal's balances are those figures and the money that moved.
// @module-tag thorough

import * as fc from "fast-check";
import { beforeEach, describe, it } from "vitest";
import { rescheduleAccount, settleAccount } from "../../../src/domains/credit-accounts/changes/operations";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { reverseRepayment, waive } from "../../../src/domains/repayments/corrections/operations";
import { moveRepayment, restoreRepayment } from "../../../src/domains/repayments/corrections/payments.operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { getRepayment } from "../../../src/domains/repayments/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { THREE_INSTALLMENTS } from "../../support/credit";
import { operatorToken } from "../../support/factories";
import { closeJournal, expectJournal } from "../../support/journal";
import { runDueWork } from "../../support/loans";
import { clock, close, expectFigures, givenPortfolio, type Loan, owedOn, payIn, waitDays } from "../../support/portfolios";
import { expectChargedOnce, givenTariff } from "../../support/tariffs";

beforeEach(() => {
	clock.offsetMs = 0;
});

const oneOf = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const action = fc.record({
	kind: oneOf("PAY", "PAY", "PAY", "DAYS", "DAYS", "DRAW", "WAIVE", "REVERSE", "RESTORE", "MOVE", "REFUND", "RESCHEDULE", "SETTLE"),
	loan: fc.nat({ max: 2 }),
	share: fc.integer({ min: 1, max: 1_300 }),
	daysAgo: oneOf(0, 0, 3, 40),
	days: oneOf(1, 1, 3, 12, 45),
	pick: fc.nat({ max: 9 }),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

describe("any history", () => {
	it("has figures that equal a replay of what was known", { timeout: 120_000 }, async () => {
		const products = oneOf<object>(THREE_INSTALLMENTS, {
			tenure: { duration: 30, unit: "DAYS" as const },
			auto_renews: true,
			fee_basis_points: 250,
			access_fee_recognition: "OVER_LIFE" as const,
		});
		const histories = fc.record({ product: products, actions: fc.array(action, { minLength: 12, maxLength: 24 }) });
		await fc.assert(
			fc.asyncProperty(histories, async ({ product, actions }) => {
				const { organization, productId, loans } = await givenPortfolio(3, { ...product, min_loan_amount: 500 });
				await givenTariff(organization.id, {
					channel: "MPESA",
					direction: "RECEIPT",
					bands: [
						{ upTo: 2_000, fee: 3 },
						{ upTo: null, fee: 7 },
					],
				});
				const payments: string[] = [];
				for (const taken of actions) await act(taken, loans, payments);
				await waitDays(1);
				await close(2);
				await expectFigures(organization.id, productId);
				await closeJournal();
				await expectJournal(organization.id);
				await expectChargedOnce(organization.id, (amount) => (amount <= 2_000 ? 3 : 7));
			}),
			{ seed: 20_260_101, numRuns: 5, endOnFailure: true },
		);
	});
});

async function act({ kind, loan: which, share, daysAgo, days, pick }: Action, loans: readonly Loan[], payments: string[]): Promise<void> {
	const loan = loans[which] as Loan;
	const paid = payments[pick % Math.max(1, payments.length)];
	const as = loan.borrower.token;
	const path = { accountId: loan.accountId };
	const reason = "as agreed";
	const part = async () => Math.max(1, Math.floor(((await owedOn(loan)) * share) / 1_000));
	const operator = await operatorToken();
	switch (kind) {
		case "PAY":
			payments.push(await payIn(loan, await part(), daysAgo));
			return;
		case "DAYS":
			await waitDays(days);
			await runDueWork(workOnAccounts);
			if (share % 2 === 0) await close(2);
			if (share % 3 === 0) await closeJournal();
			return;
		case "DRAW":
			return accepted(await call(draw, { as, path, body: { amount: 500 * (pick + 1) } }));
		case "WAIVE": {
			const rows = expectOk(await call(listInstallments, { as, path, query: {} })).data;
			const row = rows[pick % rows.length];
			const amount = Math.max(1, Math.floor((row?.outstanding ?? 0) / 2));
			return accepted(await call(waive, { as: operator, path, body: { installment_id: row?.id ?? "", amount, reason } }));
		}
		case "REVERSE": {
			const body = share % 2 === 0 ? { reason } : { reason, amount: share * 10 };
			if (paid) accepted(await call(reverseRepayment, { as: operator, path: { id: paid }, body }));
			return;
		}
		case "RESTORE": {
			if (!paid) return;
			const { id, reversed_by } = expectOk(await call(getRepayment, { as: operator, path: { id: paid } })).transaction;
			if (reversed_by === null) return;
			return accepted(await call(restoreRepayment, { as: operator, path: { id }, body: { reversal_id: reversed_by, reason } }));
		}
		case "MOVE": {
			if (!paid) return;
			const moved = await call(moveRepayment, { as: operator, path: { id: paid }, body: { account_id: loan.accountId, reason } });
			if (moved.ok) payments.push(expectOk(moved).transaction.id);
			return accepted(moved);
		}
		case "REFUND":
			return accepted(await call(refundOverpayment, { as: operator, path }));
		case "RESCHEDULE":
			return accepted(
				await call(rescheduleAccount, { as: operator, path, body: { kind: "EXTEND", installments: 1 + (pick % 2), reason } }),
			);
		case "SETTLE": {
			const valid_until = new Date(clock.now() + 5 * DAY_MS).toISOString().slice(0, 10);
			return accepted(await call(settleAccount, { as: operator, path, body: { amount: await part(), valid_until, reason } }));
		}
	}
}

/** An account's state or an amount may cause a refusal. */
function accepted(answer: { status: number; text: string }): void {
	if (![200, 201, 202, 400, 409].includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
}
