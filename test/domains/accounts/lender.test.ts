// The lender's side alone: a borrower who calls is found by their number, what they owe is explained, their lost payment is found and
// matched, and a part of an installment is waived, by an operator and by an organization's lending admin.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getAccount, listAccounts } from "../../../src/domains/accounts/operations";
import { getStatement } from "../../../src/domains/accounts/statement.operations";
import { decideApproval, requestApproval } from "../../../src/domains/approvals/operations";
import { explainBalance, getPayoff, listInstallments } from "../../../src/domains/credit-accounts/operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { listDisbursements } from "../../../src/domains/disbursements/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { waive } from "../../../src/domains/repayments/corrections/operations";
import { getRepayment, listRepayments } from "../../../src/domains/repayments/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { listAccountTransactions } from "../../../src/domains/repayments/transactions.operations";
import { listUnmatchedPayments, matchPayment } from "../../../src/domains/repayments/unmatched/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { listUsers } from "../../../src/domains/users/lender.operations";
import { users } from "../../../src/domains/users/model/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, paymentTo, THREE_INSTALLMENTS, trips } from "../../support/credit";
import { accessToken, db, givenApiKey, givenMember, givenOrganization, newId, operatorToken } from "../../support/factories";
import { givenLoanProduct, givenOffer } from "../../support/loans";
import { sandboxToken } from "../../support/tokens";

const NUMBER = "+254712345678";
const LOST = "RKTQDM7W6S";
let organizationId: string;

beforeEach(async () => {
	({ id: organizationId } = await givenOrganization());
	const phone_verification_token = await sandboxToken("phone", NUMBER, { jti: crypto.randomUUID(), org_id: organizationId });
	expectOk(await call(exchangePhoneToken, { body: { phone_verification_token } }));
	const [user] = await db.update(users).set({ status: "ACTIVE" }).returning();
	const token = await accessToken(user?.id ?? "");
	const { id: productId } = await givenLoanProduct({ ...THREE_INSTALLMENTS, organization_id: organizationId });
	const offer = await givenOffer(token, productId);
	expectOk(await call(applyForLoan, { as: token, path: { application_id: offer.id }, body: { loan_amount: 30_000 } }));
	const { account_id: _, ...payment } = paymentTo(offer.account_id, 5_000, LOST);
	const till = await givenApiKey(organizationId, ["repayments:write"]);
	expectOk(await call(recordRepayment, { as: till, body: { ...payment, account_number: "mistyped" } }));
});

it("accounts are found by their ids in one round trip, within the caller's reach", async () => {
	const [{ id } = { id: "" }] = await db.select().from(creditAccounts);
	const other = await givenLoan();
	const lender = await givenMember(organizationId, "organization-lending-viewer");
	const staff = { as: lender.token, headers: { "x-organization-id": organizationId } };
	const read = await call(listAccounts, { ...staff, query: { ids: [id, other.accountId, newId()] } });
	expect(expectOk(read).data).toEqual([expectOk(await call(getAccount, { ...staff, path: { accountId: id }, query: {} }))]);
	expect(trips(read)).toBe(1);
	const all = expectOk(await call(listAccounts, { as: await operatorToken(), query: { ids: [id, other.accountId] } })).data;
	expect(all.map((account) => account.id).sort()).toEqual([id, other.accountId].sort());
	expect(expectOk(await call(listAccounts, { as: other.borrower.token, query: { ids: [id, other.accountId] } })).data).toHaveLength(1);
});

type Staff = { as: string; headers?: Record<string, string> };

/** From the number to the account, what it owes and why, and the payment that was lost; returns the first installment. */
async function help(staff: Staff) {
	const [borrower] = expectOk(await call(listUsers, { ...staff, query: { q: NUMBER } })).data;
	const [account] = expectOk(await call(listAccounts, { ...staff, query: { user_id: borrower?.id } })).data;
	const path = { accountId: account?.id ?? "" };
	const owed = async () => expectOk(await call(getPayoff, { ...staff, path, query: {} })).payoff_amount;
	const explained = expectOk(await call(explainBalance, { ...staff, path, query: {} }));
	expect(explained.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(await owed());
	expect(expectOk(await call(getStatement, { ...staff, path, query: {} })).closing_balance).toBe(await owed());
	expect(expectOk(await call(listDisbursements, { ...staff, query: { account_id: path.accountId } })).data).toMatchObject([
		{ status: "SUCCEEDED", destination: { type: "OWN_NUMBER", mobile_number: "+254******678" } },
	]);
	const before = await owed();
	const [unmatched] = expectOk(await call(listUnmatchedPayments, { ...staff, query: { organization_id: organizationId } })).data;
	expect(unmatched?.mobile_money_transaction_id).toBe(LOST);
	const match = { path: { id: unmatched?.id ?? "" }, body: { account_id: path.accountId } };
	expect((await call(matchPayment, { ...staff, ...match })).status).toBe(201);
	expect(before - (await owed())).toBe(5_000);
	const found = expectOk(await call(getRepayment, { ...staff, path: { id: unmatched?.id ?? "" } }));
	expect(found.installments.reduce((sum, { allocated_amount }) => sum + allocated_amount, 0)).toBe(5_000);
	expect(expectOk(await call(listAccountTransactions, { ...staff, path, query: {} })).data).toHaveLength(1);
	const [installment] = expectOk(await call(listInstallments, { ...staff, path, query: {} })).data;
	return { path, owed, installmentId: installment?.id ?? "" };
}

describe("from the number of a borrower who calls to what they owe, without them", () => {
	it("works for an operator", async () => {
		const staff = { as: await operatorToken() };
		expect(expectOk(await call(getMe, staff))).toMatchObject({ kind: "OPERATOR", subject: "root" });
		const { path, owed, installmentId } = await help(staff);
		const before = await owed();
		expectOk(await call(waive, { ...staff, path, body: { installment_id: installmentId, amount: 1_000, reason: "goodwill" } }));
		expect(before - (await owed())).toBe(1_000);
	});

	it("works for an organization's lending admin, whose waiver another member decides", async () => {
		const admin = await givenMember(organizationId, "organization-lending-admin");
		const staff = { as: admin.token, headers: { "x-organization-id": organizationId } };
		const { path, owed, installmentId } = await help(staff);
		expect(expectOk(await call(listRepayments, { ...staff, query: { status: "POSTED" } })).data).toHaveLength(1);
		expect(expectOk(await call(getRepayment, { ...staff, path: { id: LOST } })).transaction.status).toBe("POSTED");
		const before = await owed();
		const payload = { installment_id: installmentId, amount: 1_000 };
		const body = { approval_type: "WAIVER" as const, entity_type: "ACCOUNT" as const, entity_id: path.accountId, payload };
		const { id } = expectOk(await call(requestApproval, { ...staff, body }));
		const second = await givenMember(organizationId, "organization-lending-admin");
		expectOk(await call(decideApproval, { as: second.token, path: { id }, body: { decision: "APPROVED" } }));
		expect(before - (await owed())).toBe(1_000);
	});

	it("says to a key who it is, and reads for it what its scopes name", async () => {
		const as = await givenApiKey(organizationId, ["accounts:read", "users:read"]);
		expect(expectOk(await call(getMe, { as }))).toMatchObject({
			kind: "API_KEY",
			scopes: ["accounts:read", "users:read"],
			organization: { id: organizationId },
		});
		const [borrower] = expectOk(await call(listUsers, { as, query: { q: NUMBER } })).data;
		const [account] = expectOk(await call(listAccounts, { as, query: { user_id: borrower?.id } })).data;
		expect(expectOk(await call(getAccount, { as, path: { accountId: account?.id ?? "" } })).id).toBe(account?.id);
		const [row] = await db
			.select()
			.from(users)
			.where(eq(users.id, borrower?.id ?? ""));
		expect(row?.mobileNumber).toBe(NUMBER);
	});
});
