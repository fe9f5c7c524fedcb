// Lists of organizations among crowds of rows of others: what a page reads, and where the last row is found.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditRows } from "../../src/db/audit.table";
import { listAccounts } from "../../src/domains/accounts/operations";
import { listApprovals, requestApproval } from "../../src/domains/approvals/operations";
import { listAudit } from "../../src/domains/audit/operations";
import { disbursements } from "../../src/domains/disbursements/model/table";
import { listDisbursements } from "../../src/domains/disbursements/operations";
import { listInvoices } from "../../src/domains/invoices/operations";
import { listRepayments } from "../../src/domains/repayments/operations";
import { listUnmatchedPayments } from "../../src/domains/repayments/unmatched/operations";
import { listDeliveries } from "../../src/domains/webhooks/deliveries/operations";
import { listEvents } from "../../src/domains/webhooks/feed/operations";
import { webhookEvents } from "../../src/events/table";
import type { Caller } from "../../src/http/callers/access";
import { combinations, expectCheap, OTHERS, operator, PATIENCE_MS, type Row, SIZE } from "../support/cheap-lists";
import { call, expectOk } from "../support/client";
import { givenLoan, pay } from "../support/credit";
import { db, givenUser } from "../support/factories";
import { handle } from "../support/handle";
import { givenBuyer, givenInvoice } from "../support/invoices";
import { givenCopies, metered } from "../support/metering";
import { expectRows } from "../support/rows";
import { deliveriesOf, fakeWorld, givenWebhookOwner, raiseQuietly } from "../support/webhooks";

describe("a page reads hardly more rows than it shows", () => {
	it("of accounts, repayments and payouts of an organization among those of another", {
		tags: ["thorough"],
		timeout: PATIENCE_MS,
	}, async () => {
		const [mine, others] = [await givenLoan(), await givenLoan()];
		const now = Date.now();
		for (const [loan, count] of [
			[mine, 96],
			[others, OTHERS],
		] as const) {
			const created_at = `${now} + n % 96`;
			const account = { created_at, account_number: `'${count}-' || n`, user_id: "lower(hex(randomblob(16)))", next_work_at: "null" };
			await givenCopies("credit_accounts", loan.accountId, count, account);
			const { transaction } = expectOk(await pay(loan, 100));
			await givenCopies("payments", transaction.id, count * 2, {
				created_at,
				status: `case n % 4 when 0 then 'POSTED' when 1 then 'CONFIRMED' when 2 then 'UNMATCHED' else 'FAILED' end`,
				posted_at: "case n % 4 when 0 then 1 end",
				mobile_money_transaction_id: "hex(randomblob(8))",
			});
			const [payout] = await db.select().from(disbursements).where(eq(disbursements.accountId, loan.accountId));
			await givenCopies("disbursements", payout?.id ?? "", count * 2, {
				created_at,
				status: `case n % 2 when 0 then 'PENDING' else 'ACCEPTED' end`,
				account_id: "case n / 2 % 2 when 0 then account_id else n end",
			});
		}
		const organizationId = mine.organization.id;
		const key: Caller = { kind: "key", keyId: "k", organizationId };
		const acting: Caller = { kind: "operator", operatorId: "root", organizationId };
		for (const caller of [key, acting]) {
			// The page is found once for each table that the accounts' books are read from.
			await expectCheap(listAccounts, organizationId, caller, {}, () => true, { beside: 22 * SIZE });
			for (const query of combinations({ status: ["POSTED", "UNMATCHED", "FAILED", "CONFIRMED"] })) {
				const isIt = ({ status }: Row) => (query.status ?? status) === status;
				// The states are merged, and of each a row is read ahead.
				await expectCheap(listRepayments, organizationId, caller, query, isIt, { beside: 10 });
			}
			for (const status of ["PENDING", "ACCEPTED"]) {
				await expectCheap(listDisbursements, organizationId, caller, { status }, (row) => row.status === status);
			}
			const account_id = mine.accountId;
			await expectCheap(listDisbursements, organizationId, caller, { account_id }, (row) => row.account_id === account_id);
		}
		await expectCheap(listDisbursements, organizationId, operator, { status: "PENDING" }, ({ status }) => status === "PENDING");
		await expectCheap(listUnmatchedPayments, organizationId, operator, { organization_id: organizationId }, () => true);
	});

	it("of invoices by state and due date", { timeout: PATIENCE_MS }, async () => {
		const buyer = await givenBuyer();
		const { id } = await givenInvoice(buyer);
		const organizationId = buyer.organization.id;
		const copies = { document_id: "lower(hex(randomblob(16)))", number_key: "hex(randomblob(8))", created_at: `${Date.now()} + n` };
		await givenCopies("invoices", id, OTHERS, {
			...copies,
			due_date: "date('2030-01-01', '+' || (n % 900) || ' days')",
			status: "'FINANCED'",
		});
		const due_date = "date('2027-01-01', '+' || (n % 30) || ' days')";
		for (const status of ["PENDING", "FINANCED", "OVERDUE"]) {
			await givenCopies("invoices", id, 50, { ...copies, due_date, created_at: "n", status: `'${status}'` });
		}
		const caller: Caller = { kind: "key", keyId: "k", organizationId };
		await expectCheap(listInvoices, organizationId, caller, {}, () => true);
		for (const status of ["PENDING", "FINANCED", "OVERDUE"]) {
			await expectCheap(listInvoices, organizationId, caller, { status }, (row) => row.status === status);
		}
		for (const status of ["FINANCED", "OVERDUE"]) {
			const query = { status, due_before: "2027-01-28" };
			await expectCheap(
				listInvoices,
				organizationId,
				caller,
				query,
				(row) => row.status === status && String(row.due_date) < query.due_before,
			);
		}
	});

	it("of what concerns one thing or is late: approvals, deliveries, audit rows, events", {
		tags: ["thorough"],
		timeout: PATIENCE_MS,
	}, async () => {
		fakeWorld();
		const { organization, as, register } = await givenWebhookOwner();
		const { id } = organization;
		const caller: Caller = { kind: "operator", operatorId: "root", organizationId: id };
		const webhook = await register();
		await raiseQuietly(id);
		const now = Date.now();

		const { id: entity_id } = await givenUser({ organizationId: id });
		const body = { approval_type: "BLOCK_CHANGE" as const, entity_type: "USER" as const, entity_id, payload: { blocked: true } };
		const asked = expectOk(await call(requestApproval, { as, body }));
		const decided = { created_at: `${now} + n`, status: "'REJECTED'" };
		await givenCopies("approvals", asked.id, OTHERS, { ...decided, entity_id: "hex(randomblob(16))" });
		await givenCopies("approvals", asked.id, 50, { ...decided, created_at: "n" });
		// Each row with the name of who asked.
		const beside = SIZE + 5;
		for (const who of [caller, operator]) {
			await expectCheap(listApprovals, id, who, { entity_id }, (row) => row.entity_id === entity_id, { beside });
		}

		const [delivery] = await deliveriesOf(webhook.id);
		const { id: deliveryId = "", eventId: event_id = "" } = delivery ?? {};
		const finished = { status: "'DELIVERED'", next_attempt_at: "null", created_at: `${now} + n` };
		await givenCopies("webhook_deliveries", deliveryId, OTHERS, { ...finished, event_id: "hex(randomblob(16))" });
		await givenCopies("webhook_deliveries", deliveryId, 50, { ...finished, webhook_id: "hex(randomblob(16))" });
		// An event has one for each endpoint at most, and all are read.
		for (const query of [{ event_id }, { event_id, status: "DELIVERED" }]) {
			await expectCheap(listDeliveries, id, caller, query, (row) => row.event_id === event_id, { beside: 100 });
		}

		const [row] = await db.select().from(auditRows).where(eq(auditRows.entityId, asked.id));
		const later = { sequence: "sequence + n", created_at: `${now} + n * 1000`, entity_id: "n % 1000" };
		await givenCopies("audit_rows", row?.id ?? "", OTHERS, later);
		const created_from = new Date(now + (OTHERS - 60) * 1_000).toISOString();
		const isLate = (late: Row) => String(late.created_at) >= created_from;
		// The first row is found by halving, each step of which reads two.
		const halving = 2 * Math.ceil(Math.log2(OTHERS)) + 20;
		await expectCheap(listAudit, id, caller, { created_from }, isLate, { beside: beside + halving });
		const { services, meter } = await metered(id);
		const none = { created_from: now + 2 * OTHERS * 1_000, size: SIZE, entity_id: "7" };
		expect(await handle(listAudit, { query: none, caller }, services)).toMatchObject({ body: { data: [] } });
		expectRows(meter.rowsRead).atMost(16 + halving);

		const [event] = await db.select().from(webhookEvents);
		const events = { sequence: "n + 100", created_at: `${now} + n`, event_key: "'a' || n" };
		await givenCopies("webhook_events", event?.id ?? "", OTHERS, events);
		await expectCheap(listEvents, id, caller, { order: "desc" }, ({ sequence }) => Number(sequence) > OTHERS);
	});
});
