// What each type of approval does when it is executed.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { decideApproval, getApproval, requestApproval } from "../../../src/domains/approvals/operations";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { previewReschedule, rescheduleAccount } from "../../../src/domains/credit-accounts/changes/operations";
import { getPayoff, listInstallments } from "../../../src/domains/credit-accounts/operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { creditProfiles, loanProducts } from "../../../src/domains/loan-products/model/table";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { createIssuer, listIssuers } from "../../../src/domains/tokens/issuers/operations";
import { addDays } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenLoan, pay, paymentTo } from "../../support/credit";
import { bookOf, givenAccountHolder } from "../../support/current-accounts";
import { CONNECTED } from "../../support/daraja";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { eventsOf } from "../../support/loans";
import { givenPair } from "../../support/pair";
import { AMOUNT, givenReturning, SHILLINGS } from "../../support/returns";

let operator: string;
let second: string;
beforeEach(async () => {
	operator = await operatorToken("first");
	second = await operatorToken("second");
});

type Body = Parameters<typeof call<never, (typeof requestApproval)["request"], (typeof requestApproval)["response"]>>[1]["body"];
const request = (as: string, body: object) => call(requestApproval, { as, body: body as Body });
const decide = (as: string, id: string) => call(decideApproval, { as, path: { id }, body: { decision: "APPROVED" } });
async function approved(body: object, asker = operator, decider = second) {
	const { id } = expectOk(await request(asker, body));
	return expectOk(await decide(decider, id));
}
const types = async (organizationId: string) => (await eventsOf(organizationId)).map(({ type }) => type);

describe("WAIVER", () => {
	it("is asked for by a lending admin, and what another decides is waived once", async () => {
		const loan = await givenLoan(30_000);
		const admin = await givenMember(loan.organization.id, "organization-lending-admin");
		const owner = await givenMember(loan.organization.id, "organization-owner");
		const headers = { "x-organization-id": loan.organization.id };
		const path = { accountId: loan.accountId };
		const owed = async () => expectOk(await call(getPayoff, { as: admin.token, headers, path, query: {} })).payoff_amount;
		const [installment] = expectOk(await call(listInstallments, { as: admin.token, headers, path, query: {} })).data;
		const before = await owed();
		const ask = (amount: number) => {
			const payload = { installment_id: installment?.id, amount };
			return request(admin.token, { approval_type: "WAIVER", entity_type: "ACCOUNT", entity_id: loan.accountId, payload });
		};
		expect(await ask(30_000_000)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const { id } = expectOk(await ask(1_000));
		const shown = expectOk(await call(getApproval, { as: owner.token, headers, path: { id } }));
		expect(shown.subject).toMatchObject({ account_id: loan.accountId, currency: "KES", transaction_amount: null });
		expect(shown.subject).toMatchObject({ user_id: expect.any(String), account_number: expect.stringMatching(/^\d{13}$/) });
		expect(await decide(admin.token, id)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(expectOk(await decide(owner.token, id))).toMatchObject({ status: "APPROVED" });
		expect(before - (await owed())).toBe(1_000);
		expect(await decide(owner.token, id)).toMatchObject({ status: 409 });
	});
});

describe("REPAYMENT_REVERSAL", () => {
	it("reverses the payment and everything that it had paid", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 10_000, "TX1"));
		const body = { approval_type: "REPAYMENT_REVERSAL", entity_type: "TRANSACTION", entity_id: transaction.id };
		expect(await approved(body)).toMatchObject({ status: "APPROVED", organization_id: loan.organization.id });
		expect(await types(loan.organization.id)).toEqual(expect.arrayContaining(["repayment.reversed", "approval.outcome"]));
		expect(await request(operator, body)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await call(reverseRepayment, { as: operator, path: { id: transaction.id }, body: { reason: "again" } })).toMatchObject({
			status: 409,
		});
	});

	it("gives the payer the money back where members ask for that, and reverses nothing that cannot be returned", async () => {
		const { standIn, lender, accountId, pay: payIn, read, paid } = await givenReturning();
		const { id: organizationId } = lender.organization;
		const admin = await givenMember(organizationId, "organization-lending-admin");
		const headers = { "x-organization-id": organizationId };
		const ask = (entity_id: string) => {
			const body = { approval_type: "REPAYMENT_REVERSAL", entity_type: "TRANSACTION", entity_id, payload: { return_money: true } } as const;
			return call(requestApproval, { as: admin.token, headers, body });
		};
		const approve = (id: string) =>
			call(decideApproval, { as: lender.owner.token, headers, path: { id }, body: { decision: "APPROVED" }, vars: CONNECTED });
		const reported = expectOk(await call(recordRepayment, { as: operator, body: paymentTo(accountId, 5_000) })).transaction;
		expect(await ask(reported.id)).toMatchObject({ status: 409, body: { description: expect.stringContaining("NOT_VERIFIED") } });
		const [first, second] = [await payIn(), await payIn()];
		const [returned, stuck] = [expectOk(await ask(first.id)), expectOk(await ask(second.id))];
		expect(returned).toMatchObject({ status: "PENDING", payload: { return_money: true } });
		expect(standIn.reversals.asked).toEqual([]);
		expect(expectOk(await approve(returned.id))).toMatchObject({ status: "APPROVED" });
		expect(standIn.reversals.asked).toMatchObject([{ TransactionID: first.receipt, Amount: String(SHILLINGS) }]);
		await standIn.deliver();
		expect(await read(first.id)).toMatchObject({ status: "RETURNED" });
		expect(await paid()).toBe(5_000 + AMOUNT);
		await db.update(paymentConnections).set({ hasInitiator: false });
		expect(expectOk(await approve(stuck.id))).toMatchObject({ status: "FAILED", failure_reason: "NO_INITIATOR" });
		expect([await paid(), await read(second.id)]).toEqual([5_000 + AMOUNT, null]);
	});

	it("fails when an operator has reversed the payment meanwhile", async () => {
		const loan = await givenLoan(30_000);
		const { transaction } = expectOk(await pay(loan, 10_000, "TX1"));
		const body = { approval_type: "REPAYMENT_REVERSAL", entity_type: "TRANSACTION", entity_id: transaction.id, reason: "double" };
		const { id } = expectOk(await request(operator, body));
		expect(expectOk(await call(getApproval, { as: second, path: { id } })).subject).toMatchObject({
			account_id: loan.accountId,
			transaction_amount: 10_000,
		});
		expectOk(await call(reverseRepayment, { as: operator, path: { id: transaction.id }, body: { reason: "at once" } }));
		expect(expectOk(await decide(second, id))).toMatchObject({ status: "FAILED", failure_reason: "TARGET_CHANGED" });
	});

	it("is decided by the organization that owns the product, or by operators only if no organization does", async () => {
		const reversal = async (loan: Awaited<ReturnType<typeof givenLoan>>) => {
			const { transaction } = expectOk(await pay(loan, 10_000, "TX1"));
			const body = { approval_type: "REPAYMENT_REVERSAL", entity_type: "TRANSACTION", entity_id: transaction.id };
			const { id } = expectOk(await request(operator, body));
			return { id, owner: await givenMember(loan.organization.id, "organization-owner") };
		};
		const own = await reversal(await givenLoan(30_000));
		expect(await decide(own.owner.token, own.id)).toMatchObject({ status: 200 });
		const loan = await givenLoan(30_000);
		await db.update(loanProducts).set({ organizationId: null }).where(eq(loanProducts.id, loan.productId));
		const platforms = await reversal(loan);
		expect(await decide(platforms.owner.token, platforms.id)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expect(await decide(second, platforms.id)).toMatchObject({ status: 200 });
	});
});

describe("WRITE_OFF", () => {
	it("writes the account off", async () => {
		const loan = await givenLoan(30_000);
		const body = { approval_type: "WRITE_OFF", entity_type: "ACCOUNT", entity_id: loan.accountId };
		expect(await approved(body)).toMatchObject({ status: "APPROVED" });
		const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.id, loan.accountId));
		expect(account?.status).toBe("WRITTEN_OFF");
		expect(await types(loan.organization.id)).toEqual(expect.arrayContaining(["credit_account.written_off", "approval.outcome"]));
		expect(await request(operator, body)).toMatchObject({ status: 409 });
	});
});

describe("RESCHEDULE", () => {
	it("is shown to members beforehand, and gives the dates that were asked for, or none", async () => {
		const loan = await givenLoan(30_000);
		const { headers, asker, ask, approve } = await givenPair(loan);
		const path = { accountId: loan.accountId };
		const preview = (query: object) => call(previewReschedule, { as: asker, headers, path, query: query as never });
		const dates = async () => {
			const rows = expectOk(await call(listInstallments, { as: asker, headers, path, query: {} })).data;
			return rows.map(({ due_date }) => due_date);
		};
		const before = await dates();
		const shown = expectOk(await preview({ kind: "EXTEND", installments: "2" }));
		expect(shown).toMatchObject({ transaction_id: null, before: expect.any(Array) });
		expect(await dates()).toEqual(before);
		expect(await preview({ kind: "HOLIDAY" })).toMatchObject({ status: 400 });
		expect(await ask("RESCHEDULE", { kind: "HOLIDAY", installments: 1, due_dates: ["2099-01-01"] })).toMatchObject({ status: 400 });
		expect(await ask("RESCHEDULE", { kind: "EXTEND", installments: 1_200 })).toMatchObject({ status: 409 });
		const { id } = expectOk(await ask("RESCHEDULE", { kind: "EXTEND", installments: 2 }));
		expect(await dates()).toEqual(before);
		expect(expectOk(await approve(id))).toMatchObject({ status: "APPROVED" });
		expect(await dates()).toEqual(shown.after.map(({ due_date }) => due_date));
		expect(await types(loan.organization.id)).toContain("credit_account.rescheduled");

		const late = expectOk(await ask("RESCHEDULE", { kind: "EXTEND", installments: 1 }));
		const body = { kind: "EXTEND", installments: 3, reason: "An operator was faster" } as const;
		expectOk(await call(rescheduleAccount, { as: operator, path, body }));
		expect(expectOk(await approve(late.id))).toMatchObject({ status: "FAILED", failure_reason: "TARGET_CHANGED" });
		// Dates of their own are asked for instead of those that there are, and not instead of any.
		const own = (await dates()).map((_, index) => addDays("2031-01-01", 30 * index));
		const stale = expectOk(await ask("RESCHEDULE", { kind: "NEW_DATES", due_dates: own }));
		const newer = { kind: "NEW_DATES", due_dates: own.map((day) => addDays(day, 1)), reason: "An operator was faster" } as const;
		expectOk(await call(rescheduleAccount, { as: operator, path, body: newer }));
		expect(expectOk(await approve(stale.id))).toMatchObject({ status: "FAILED", failure_reason: "TARGET_CHANGED" });
		expect(await dates()).toEqual(newer.due_dates);
		const stranger = await givenOrganization();
		const other = await givenMember(stranger.id, "organization-owner");
		const theirs = { as: other.token, headers: { "x-organization-id": stranger.id }, path, query: { kind: "EXTEND", installments: "1" } };
		expect((await call(previewReschedule, theirs as never)).status).toBe(404);
	});
});

describe("ACCOUNT_CLOSURE", () => {
	it("closes an account on which nothing is owed", async () => {
		const loan = await givenLoan(30_000);
		const { ask, approve } = await givenPair(loan);
		expect(await ask("ACCOUNT_CLOSURE")).toMatchObject({ status: 409, body: { description: "The account still owes something" } });
		expectOk(await pay(loan, 30_000));
		const { id } = expectOk(await ask("ACCOUNT_CLOSURE"));
		expect(expectOk(await approve(id))).toMatchObject({ status: "APPROVED" });
		const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.id, loan.accountId));
		expect(account?.status).toBe("CLOSED");
	});
});

describe("FREEZE_CHANGE", () => {
	it("freezes a current account of the lender's customer and releases it, but none that a recovery has frozen", async () => {
		const holder = await givenAccountHolder();
		const { ask, approve } = await givenPair(holder);
		const status = async () => (await bookOf(holder.accountId)).account.status;
		expect(await ask("FREEZE_CHANGE", { frozen: false })).toMatchObject({ status: 409 });
		const freezing = expectOk(await ask("FREEZE_CHANGE", { frozen: true }));
		expect(await status()).toBe("ACTIVE");
		expect(expectOk(await approve(freezing.id))).toMatchObject({ status: "APPROVED" });
		expect(await status()).toBe("FROZEN");
		const release = expectOk(await ask("FREEZE_CHANGE", { frozen: false }));
		// Operators may have frozen it.
		expect(await approve(release.id)).toMatchObject({ status: 403 });
		await db.update(currentAccounts).set({ frozenFor: "a recovery" }).where(eq(currentAccounts.id, holder.accountId));
		expect(expectOk(await decide(operator, release.id))).toMatchObject({ status: "FAILED", failure_reason: "FROZEN_FOR_RECOVERY" });
		await db.update(currentAccounts).set({ frozenFor: null }).where(eq(currentAccounts.id, holder.accountId));
		const again = async () => expectOk(await ask("FREEZE_CHANGE", { frozen: false })).id;
		expect(expectOk(await decide(operator, await again()))).toMatchObject({ status: "APPROVED" });
		expect(await status()).toBe("ACTIVE");
	});

	it("does not lift a later freeze than that which it was asked about", async () => {
		const holder = await givenAccountHolder();
		const { ask, approve } = await givenPair(holder);
		expectOk(await approve(expectOk(await ask("FREEZE_CHANGE", { frozen: true })).id));
		const release = expectOk(await ask("FREEZE_CHANGE", { frozen: false }));
		const isTheirs = eq(currentAccounts.id, holder.accountId);
		// Released and frozen once more.
		await db
			.update(currentAccounts)
			.set({ updatedAt: Date.now() + 1_000 })
			.where(isTheirs);
		expect(expectOk(await decide(operator, release.id))).toMatchObject({ status: "FAILED", failure_reason: "TARGET_CHANGED" });
		expect((await bookOf(holder.accountId)).account.status).toBe("FROZEN");
	});
});

describe("LIMIT_CHANGE", () => {
	it("sets the limit, and only operators decide it", async () => {
		const organization = await givenOrganization();
		const user = await givenUser({ organizationId: organization.id });
		const key = await givenApiKey(organization.id, ["approvals:write"]);
		const owner = await givenMember(organization.id, "organization-owner");
		const body = { approval_type: "LIMIT_CHANGE", entity_type: "USER", entity_id: user.id, payload: { limit: 7_000 } };
		const { id } = expectOk(await request(key, body));
		expect(await decide(owner.token, id)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expectOk(await decide(operator, id));
		expect(await db.select().from(creditProfiles)).toMatchObject([{ userId: user.id, limitOverride: 7_000 }]);
		expect(await request(key, body)).toMatchObject({ status: 409 });
		expect(await approved({ ...body, payload: { limit: null } }, key)).toMatchObject({ status: "APPROVED" });
		expect(await db.select().from(creditProfiles)).toMatchObject([{ limitOverride: null }]);
	});
});

describe("ISSUER_REGISTRATION", () => {
	const issuer = (more: object = {}) => ({
		issuer: "https://issuer.example",
		kind: "partner",
		jwks_uri: "https://issuer.example/keys",
		...more,
	});

	it("registers the issuer for the organization that asked for it", async () => {
		const organization = await givenOrganization();
		const owner = await givenMember(organization.id, "organization-owner");
		const body = { approval_type: "ISSUER_REGISTRATION", entity_type: "ORGANIZATION", entity_id: organization.id, payload: issuer() };
		expect(await approved(body, owner.token, operator)).toMatchObject({ status: "APPROVED", payload: { algorithms: ["RS256"] } });
		const registered = expectOk(await call(listIssuers, { as: operator, query: {} })).data;
		expect(registered).toMatchObject([{ issuer: "https://issuer.example", organization_id: organization.id }]);
		expect(await types(organization.id)).toEqual(["approval.requested", "approval.outcome"]);
		expect(await request(owner.token, body)).toMatchObject({ status: 409 });
	});

	it("fails when the issuer was registered meanwhile", async () => {
		const organization = await givenOrganization();
		const body = { approval_type: "ISSUER_REGISTRATION", entity_type: "ORGANIZATION", entity_id: organization.id, payload: issuer() };
		const { id } = expectOk(await request(operator, body));
		expectOk(await call(createIssuer, { as: operator, body: issuer() as never }));
		expect(expectOk(await decide(second, id))).toMatchObject({ status: "FAILED", failure_reason: "TARGET_CHANGED" });
	});

	it("is refused for other organizations, reserved names and private addresses", async () => {
		const organization = await givenOrganization();
		const other = await givenOrganization();
		const owner = await givenMember(organization.id, "organization-owner");
		const body = (payload: object, entity_id = organization.id) => ({
			approval_type: "ISSUER_REGISTRATION",
			entity_type: "ORGANIZATION",
			entity_id,
			payload,
		});
		expect(await request(owner.token, body(issuer(), other.id))).toMatchObject({ status: 404 });
		expect(await request(owner.token, body(issuer({ organization_id: other.id })))).toMatchObject({ status: 400 });
		expect(await request(owner.token, body(issuer({ jwks_uri: "https://10.0.0.1/keys" })))).toMatchObject({ status: 400 });
		expect(await request(owner.token, body(issuer({ issuer: "https://sandbox.issuer.local" })))).toMatchObject({ status: 409 });
	});
});
