// What one member who works on loans can take at most: nothing that no provider has verified is paid out by them alone.

import { beforeEach, describe, expect, it } from "vitest";
import { decideApproval, requestApproval } from "../../../src/domains/approvals/operations";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { SCOPES } from "../../../src/shared/permissions";
import { call, expectOk } from "../../support/client";
import { givenLoan, pay, paymentTo, verify } from "../../support/credit";
import { db, givenApiKey, givenMember } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { fakeWorld } from "../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

/** A loan of 300 that is repaid, and a member of its lender who records what they like. */
async function givenThief(role: "organization-lending-admin" | "organization-owner") {
	const loan = await givenLoan(30_000);
	const { organization, accountId } = loan;
	const { id, token } = await givenMember(organization.id, role);
	const headers = { "x-organization-id": organization.id };
	const record = (as: string, body: ReturnType<typeof paymentTo>) => call(recordRepayment, { as, body, ...(as === token && { headers }) });
	const makeUp = async (value: number, as = token) => expectOk(await record(as, paymentTo(accountId, value)));
	const refund = () => call(refundOverpayment, { as: token, headers, path: { accountId } });
	const paidOut = async () =>
		(await db.select().from(disbursements)).reduce((sum, { kind, amount }) => sum + (kind === "REFUND" ? amount : 0), 0);
	const ask = (amount: number, as = token) => {
		const body = {
			approval_type: "OVERPAYMENT_REFUND" as const,
			entity_type: "ACCOUNT" as const,
			entity_id: accountId,
			payload: { amount },
		};
		return call(requestApproval, { as, body, ...(as === token && { headers }) });
	};
	return { ...loan, id, token, headers, makeUp, refund, paidOut, ask };
}

const decide = (as: string, id: string) => call(decideApproval, { as, path: { id }, body: { decision: "APPROVED" } });

describe("a lending admin", () => {
	it("pays out nothing of payments that they made up, and what a provider has verified only once", async () => {
		const { makeUp, refund, paidOut, ...loan } = await givenThief("organization-lending-admin");
		expectOk(await pay(loan, 30_000));
		await makeUp(20_000);
		expect(await refund()).toMatchObject({ status: 409, body: { description: expect.stringContaining("OVERPAYMENT_REFUND") } });
		const transaction = crypto.randomUUID();
		expectOk(await pay(loan, 50_000, transaction));
		expect(await refund()).toMatchObject({ status: 409 });
		await verify(transaction);
		// 700 are overpaid. Without the 500 that people have reported, 200 would be.
		expect(expectOk(await refund())).toMatchObject({ kind: "REFUND", amount: { value: 20_000 } });
		await makeUp(40_000);
		expect(await refund()).toMatchObject({ status: 409 });
		expect(await paidOut()).toBe(20_000);
		await expectStoredEqualsReplay();
	});

	it("pays the rest out only once another person has approved it, of this amount and account", async () => {
		const { makeUp, refund, paidOut, ask, token, organization, ...loan } = await givenThief("organization-lending-admin");
		expectOk(await pay(loan, 30_000));
		await makeUp(20_000);
		expect(await ask(20_001)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const stale = expectOk(await ask(20_000));
		expect(await decide(token, stale.id)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		await makeUp(100);
		const second = await givenMember(organization.id, "organization-owner");
		expect(expectOk(await decide(second.token, stale.id))).toMatchObject({ status: "FAILED", failure_reason: "TARGET_CHANGED" });
		expect(await paidOut()).toBe(0);
		const { id } = expectOk(await ask(20_000));
		expect(expectOk(await decide(second.token, id))).toMatchObject({ status: "APPROVED" });
		expect(await decide(second.token, id)).toMatchObject({ status: 409 });
		expect(await paidOut()).toBe(20_000);
		expect(await refund()).toMatchObject({ status: 409 });
		await expectStoredEqualsReplay();
	});
});

describe("an owner with a key of their own", () => {
	it("pays out nothing of what the key reported, and does not approve what the key asks for", async () => {
		const { id, token, makeUp, refund, paidOut, ask, organization } = await givenThief("organization-owner");
		const key = await givenApiKey(organization.id, SCOPES, { createdBy: id });
		await makeUp(50_000, key);
		expect(await refund()).toMatchObject({ status: 409 });
		const asked = expectOk(await ask(1_000, key));
		expect(await decide(token, asked.id)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(await paidOut()).toBe(0);
	});
});
