// Those who work for the lender, each through the API alone: they find a borrower by their number, explain what the borrower owes, match a
// payment, waive a part, and close the month.

import { beforeEach, expect, it } from "vitest";
import { listAccounts } from "../../src/domains/accounts/operations";
import { decideApproval, requestApproval } from "../../src/domains/approvals/operations";
import { explainBalance, listInstallments } from "../../src/domains/credit-accounts/operations";
import { listPortfolioEntries, listPortfolios } from "../../src/domains/portfolio/operations";
import { waive } from "../../src/domains/repayments/corrections/operations";
import { recordRepayment } from "../../src/domains/repayments/recording/operations";
import { listUnmatchedPayments, matchPayment } from "../../src/domains/repayments/unmatched/operations";
import { listUsers } from "../../src/domains/users/lender.operations";
import { localDate } from "../../src/shared/time";
import { call, expectOk } from "../support/client";
import { paymentTo } from "../support/credit";
import { freshNumber } from "../support/current-accounts";
import { givenMember, givenUser, operatorToken } from "../support/factories";
import { apply, givenOffer } from "../support/loans";
import { clock, close, givenPortfolio, waitDays } from "../support/portfolios";

beforeEach(() => {
	clock.offsetMs = 0;
});

/** An organization with two borrowers, one of them with this number, and a payment of theirs with a mistyped account. */
async function givenLender() {
	const { organization, key, productId } = await givenPortfolio(1);
	const number = freshNumber();
	const borrower = await givenUser({ organizationId: organization.id, mobileNumber: number });
	const { id, account_id } = await givenOffer(borrower.token, productId);
	expectOk(await apply(borrower.token, id, 30_000));
	const { account_id: _, ...payment } = paymentTo(account_id, 5_000);
	expectOk(await call(recordRepayment, { as: key, body: { ...payment, account_number: "07-typo" } }));
	return { organization, productId, number, borrower };
}

type Lender = Awaited<ReturnType<typeof givenLender>>;
type Staff = { as: string; headers: Record<string, string> };
type Waiver = { accountId: string; installment_id: string; amount: number; reason: string };

/** The sum of trees of numbers that have the same members. */
const added = (trees: readonly object[]): unknown =>
	Object.fromEntries(
		Object.keys(trees[0] ?? {}).map((name) => {
			const parts = trees.map((tree) => (tree as Record<string, number | object>)[name]);
			return [name, typeof parts[0] === "number" ? (parts as number[]).reduce((sum, part) => sum + part, 0) : added(parts as object[])];
		}),
	);
const total = (parts: Record<string, number>) => Object.values(parts).reduce((sum, part) => sum + part, 0);

async function workThrough(lender: Lender, staff: Staff, waiveBy: (waiver: Waiver) => Promise<void>): Promise<void> {
	const [user, ...others] = expectOk(await call(listUsers, { ...staff, query: { q: lender.number } })).data;
	expect([user?.id, others]).toEqual([lender.borrower.id, []]);
	const explained = async () => {
		const [account] = expectOk(await call(listAccounts, { ...staff, query: { user_id: user?.id ?? "" } })).data;
		if (account?.type !== "CREDIT") throw new Error("expected a credit account");
		const explanation = expectOk(await call(explainBalance, { ...staff, path: { accountId: account.id }, query: {} }));
		expect(explanation.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(account.balance.total_outstanding);
		return { accountId: account.id, owed: account.balance.total_outstanding };
	};
	const { accountId, owed } = await explained();
	expect(owed).toBeGreaterThanOrEqual(30_000);

	const query = { organization_id: lender.organization.id };
	const waiting = expectOk(await call(listUnmatchedPayments, { ...staff, query })).data;
	expect(waiting).toMatchObject([{ account_number: "07-typo", amount: { value: 5_000 } }]);
	expectOk(await call(matchPayment, { ...staff, path: { id: waiting[0]?.id ?? "" }, body: { account_id: accountId } }));
	expect((await explained()).owed).toBe(owed - 5_000);

	const installments = expectOk(await call(listInstallments, { ...staff, path: { accountId }, query: {} })).data;
	await waiveBy({ accountId, installment_id: installments.at(-1)?.id ?? "", amount: 1_000, reason: "goodwill" });
	expect((await explained()).owed).toBe(owed - 6_000);

	const month = localDate(clock.now()).slice(0, 7);
	while (localDate(clock.now()).startsWith(month)) await waitDays(1);
	await close();
	const named = { ...staff, headers: { "x-organization-id": lender.organization.id } };
	const [figures, ...rest] = expectOk(await call(listPortfolios, { ...named, query: { from: `${month}-01` } })).data;
	expect(rest).toEqual([]);
	if (!figures) throw new Error("the month is not closed");
	expect(figures.as_of.slice(0, 7)).toBe(month);
	expect(figures.period.disbursed).toBe(40_000);
	expect([total(figures.period.repaid), total(figures.period.waived)]).toEqual([5_000, 1_000]);
	const period = { from: figures.from, to: figures.as_of };
	const entries = expectOk(await call(listPortfolioEntries, { ...named, query: period })).data;
	expect(entries).toHaveLength(2);
	expect(added(entries.map((entry) => entry.period))).toEqual(figures.period);
}

it("an operator works through a borrower's case and reads the closed month", async () => {
	const lender = await givenLender();
	const staff = { as: await operatorToken(), headers: {} };
	await workThrough(lender, staff, async ({ accountId, ...body }) => {
		expectOk(await call(waive, { ...staff, path: { accountId }, body }));
	});
});

it("an organization's lending admin does the same, and another one approves the waiver", async () => {
	const lender = await givenLender();
	const headers = { "x-organization-id": lender.organization.id };
	const [admin, second] = [0, 1].map(() => givenMember(lender.organization.id, "organization-lending-admin"));
	const staff = { as: (await admin)?.token ?? "", headers };
	await workThrough(lender, staff, async ({ accountId, reason, ...payload }) => {
		const body = { approval_type: "WAIVER" as const, entity_type: "ACCOUNT" as const, entity_id: accountId, payload, reason };
		const { id } = expectOk(await call(requestApproval, { ...staff, body }));
		const decision = { path: { id }, body: { decision: "APPROVED" as const }, headers };
		expect(await call(decideApproval, { ...decision, as: staff.as })).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expectOk(await call(decideApproval, { ...decision, as: (await second)?.token ?? "" }));
	});
});
