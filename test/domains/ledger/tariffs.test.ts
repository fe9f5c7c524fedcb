// Tariffs of providers over HTTP: two people approve each version, and a payout or receipt is charged by it once, in its own commit.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { requestProviderTariff } from "../../../src/domains/approvals/tariff.operations";
import { listDisbursements } from "../../../src/domains/disbursements/operations";
import { listProviderTariffs } from "../../../src/domains/ledger/tariffs.operations";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { recordPayoutReturned } from "../../../src/domains/repayments/corrections/returned.operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { payments } from "../../../src/domains/repayments/table";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenLoan, paymentTo } from "../../support/credit";
import { darajaStandsIn, givenLender, givenOfferOf } from "../../support/daraja";
import { db, givenApiKey, givenMember, givenOrganization, newId, operatorToken } from "../../support/factories";
import { entriesOf } from "../../support/journal";
import { givenOther, move } from "../../support/put-right";
import { expectRows } from "../../support/rows";
import { givenTariff } from "../../support/tariffs";

const PAY_BILL = { type: "PAY_BILL", paybill_number: "600100", account_reference: "X" } as const;

const chargesOf = async (organizationId: string) =>
	(await entriesOf(organizationId)).filter(({ source }) => source === "CHARGE").map(({ lines }) => lines.map((line) => line.join(" ")));

describe("a payout by the lender's own shortcode", () => {
	async function givenPaidOut(bands = [{ upTo: 20_000, fee: 500 } as const, { upTo: null, fee: 900 } as const]) {
		const standIn = darajaStandsIn();
		const lender = await givenLender();
		const { id: organizationId } = lender.organization;
		if (bands.length > 0) await givenTariff(organizationId, { channel: "MPESA", direction: "PAYOUT", bands });
		const offer = await givenOfferOf(lender);
		expectOk(await offer.apply());
		const waiting = await chargesOf(organizationId);
		const deliver = async () => {
			while (standIn.reports.length > 0) await standIn.deliver();
		};
		const [report] = standIn.reports;
		await deliver();
		const again = async () => {
			if (report) standIn.report(report.url, report.body as object);
			await deliver();
		};
		const payouts = async () =>
			expectOk(await call(listDisbursements, { as: lender.owner.token, query: { account_id: offer.accountId } })).data;
		return { organizationId, waiting, again, payouts };
	}

	it("is charged by its tariff once it is paid, however often that is reported, and keeps the charge when the money comes back", async () => {
		const { organizationId, waiting, again, payouts } = await givenPaidOut();
		expect(waiting).toEqual([]);
		const [payout] = await payouts();
		const fee = (payout?.amount.value ?? 0) <= 20_000 ? 500 : 900;
		expect(payout).toMatchObject({ status: "SUCCEEDED", fee_amount: { value: fee, currency: "KES" } });
		expect(await chargesOf(organizationId)).toEqual([[`5230 ${fee}`, `1110 ${-fee}`]]);
		const entries = await entriesOf(organizationId);
		const [charge, paid] = ["CHARGE", "PAYOUT"].map((source) => entries.find((entry) => entry.source === source));
		expect(charge).toMatchObject({ sourceId: payout?.id, bookedAt: paid?.bookedAt, valueDate: localDate(Date.now()) });
		await again();
		const back = { mobile_money_transaction_id: "SGBACK1", occurred_at: new Date().toISOString() };
		const returned = await call(recordPayoutReturned, { as: await operatorToken(), path: { id: payout?.id ?? "" }, body: back });
		expect(expectOk(returned)).toMatchObject({ status: "RETURNED", fee_amount: { value: fee } });
		expect(await chargesOf(organizationId)).toHaveLength(1);
	});

	it("has no charge without a tariff", async () => {
		const { organizationId, payouts } = await givenPaidOut([]);
		expect(await payouts()).toMatchObject([{ status: "SUCCEEDED", fee_amount: null }]);
		expect(await chargesOf(organizationId)).toEqual([]);
	});
});

describe("a payment", () => {
	async function givenPaid() {
		const loan = await givenLoan(30_000);
		const { id } = loan.organization;
		await givenTariff(id, {
			channel: "MPESA",
			direction: "RECEIPT",
			bands: [
				{ upTo: 1_000, fee: 0 },
				{ upTo: 2_000, fee: 30 },
				{ upTo: null, fee: 50 },
			],
		});
		const as = await operatorToken();
		const pay = async (receipt: string, value: number, more: object = {}) =>
			expectOk(
				await call(recordRepayment, {
					as,
					body: { ...paymentTo(loan.accountId, value), mobile_money_transaction_id: receipt, details: PAY_BILL, ...more },
				}),
			).transaction.id;
		const balance = async () =>
			(await entriesOf(id)).filter(({ source }) => source === "CHARGE").reduce((sum, { lines }) => sum + (lines[0]?.[1] ?? 0), 0);
		return { ...loan, id, as, pay, balance };
	}

	it("is charged by its amount, or as it is recorded with its fee; small ones and other channels are free", async () => {
		const { id, pay } = await givenPaid();
		await pay("TT1", 1_000);
		await pay("TT2", 1_001);
		await pay("TT3", 2_001);
		await pay("TT4", 1_500, { fee_amount: { value: 7, currency: "KES" } });
		await pay("TT5", 1_500, { details: { type: "BANK_TRANSFER", bank_code: "01", reference: "X" } });
		await pay("TT6", 1_500, { status: "FAILED", failure_reason: "none" });
		expect((await chargesOf(id)).map(([debit]) => debit)).toEqual(["5230 30", "5230 50", "5230 7"]);
	});

	it("costs two rows more with a tariff than without", async () => {
		const rows = async (organizationId: string) => {
			const id = newId(organizationId);
			const row = {
				...{ id, organizationId, mobileMoneyTransactionId: `R${id}`, fingerprint: "x", status: "CONFIRMED" as const },
				...{ amount: 1_500, currency: "KES", feeAmount: 0, details: PAY_BILL, transactedAt: Date.now(), createdAt: Date.now() },
			};
			return (await db.insert(payments).values(row).run()).meta.rows_written;
		};
		const [kept, none] = [(await givenOrganization()).id, (await givenOrganization()).id];
		await givenTariff(kept, { channel: "MPESA", direction: "RECEIPT", bands: [{ upTo: null, fee: 30 }] });
		const [charged, free] = [await rows(kept), await rows(none)];
		expectRows(charged - free).toBe(2);
		expect([(await chargesOf(kept)).length, (await chargesOf(none)).length]).toEqual([1, 0]);
	});

	it("takes its charge back when it is reversed, and keeps one when it is moved", async () => {
		const { pay, balance, as, ...loan } = await givenPaid();
		const wrong = await pay("TU1", 1_500);
		const moved = await pay("TU2", 1_500);
		expect(await balance()).toBe(60);
		expectOk(await call(reverseRepayment, { as, path: { id: wrong }, body: { reason: "it was never made" } }));
		expect(await balance()).toBe(30);
		const again = expectOk(await move(moved, (await givenOther(loan)).accountId)).transaction;
		expect([again.id === moved, await balance()]).toEqual([false, 30]);
	});

	it("that was imported stays free when it is moved, and when it is moved again with another amount", async () => {
		const { id, pay, as: _, ...loan } = await givenPaid();
		const payment = await pay("TV1", 900);
		await db.update(payments).set({ fingerprint: "imported" }).where(eq(payments.id, payment));
		const other = await givenOther(loan);
		const first = expectOk(await move(payment, other.accountId, 1_500)).transaction;
		expectOk(await move(first.id, loan.accountId));
		const rows = (await db.select().from(payments)).filter(({ organizationId }) => organizationId === id);
		expect([rows.length, await chargesOf(id)]).toEqual([3, []]);
	});
});

describe("a tariff", () => {
	const BODY = {
		...{ channel: "MPESA", direction: "PAYOUT", currency: "KES" },
		effective_from: addDays(localDate(Date.now()), 1),
		bands: [
			{ up_to: 100_000, fee: 500 },
			{ up_to: null, fee: 900 },
		],
	} as const;

	async function givenPair() {
		const { id } = await givenOrganization();
		const [asker, decider] = [await givenMember(id, "organization-lending-admin"), await givenMember(id, "organization-owner")];
		const headers = { "x-organization-id": id };
		const as = await givenApiKey(id, ["ledger:read"]);
		const ask = (changes: object = {}, by = asker.token) =>
			call(requestProviderTariff, { as: by, headers, body: { ...BODY, ...changes } as never });
		const decide = (request: string, by = decider.token) =>
			call(decideApproval, { as: by, headers, path: { id: request }, body: { decision: "APPROVED" } });
		const versions = async () => expectOk(await call(listProviderTariffs, { as, query: {} })).data;
		return { id, asker, decider, headers, ask, decide, versions };
	}

	it("is asked for by one member, approved by another, and kept in versions of later days", async () => {
		const { id, asker, decider, headers, ask, decide, versions } = await givenPair();
		const asked = expectOk(await ask({ reason: "of 2026" }));
		expect(asked).toMatchObject({ approval_type: "PROVIDER_TARIFF", status: "PENDING", payload: BODY });
		expect(await decide(asked.id, asker.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(await versions()).toEqual([]);
		expect(expectOk(await decide(asked.id)).status).toBe("APPROVED");
		expect(await versions()).toMatchObject([{ ...BODY, requested_by: asker.id, approved_by: decider.id, reason: "of 2026" }]);
		expect(await ask()).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expectOk(await decide(expectOk(await ask({ effective_from: addDays(BODY.effective_from, 1) })).id));
		expectOk(await decide(expectOk(await ask({ direction: "RECEIPT" })).id));
		expect((await versions()).map(({ direction }) => direction)).toEqual(["RECEIPT", "PAYOUT", "PAYOUT"]);
		const { token } = await givenMember(id, "organization-lending-viewer");
		expect(await ask({ effective_from: addDays(BODY.effective_from, 2) }, token)).toMatchObject({ status: 403 });
		expect(
			await call(listProviderTariffs, { as: (await givenMember(id, "organization-developer")).token, headers, query: {} }),
		).toMatchObject({ status: 403 });
		const stranger = await givenApiKey((await givenOrganization()).id, ["ledger:read"]);
		expect(expectOk(await call(listProviderTariffs, { as: stranger, query: {} })).data).toEqual([]);
	});

	it.each([
		["a day that has begun", { effective_from: localDate(Date.now()) }],
		["a day more than a year ahead, such as by a wrong year", { effective_from: addDays(localDate(Date.now()), 367) }],
		["no band", { bands: [] }],
		["no last band", { bands: [{ up_to: 5, fee: 1 }] }],
		[
			"bands that do not ascend",
			{
				bands: [
					{ up_to: 5, fee: 1 },
					{ up_to: 5, fee: 2 },
					{ up_to: null, fee: 3 },
				],
			},
		],
		["a negative fee", { bands: [{ up_to: null, fee: -1 }] }],
	])("with %s is refused", async (_, changes) => {
		const { ask } = await givenPair();
		expect(await ask(changes)).toMatchObject({ status: 400 });
	});
});
