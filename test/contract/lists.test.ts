// Lists among thousands of rows that a page must not show: each combination of filters reads hardly more rows than the page has.

import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { listLoanProducts } from "../../src/domains/loan-products/administration.operations";
import { listOfferedProducts } from "../../src/domains/loan-products/operations";
import { listLoanApplications } from "../../src/domains/loans/operations";
import { listMessages } from "../../src/domains/messages/operations";
import { messages } from "../../src/domains/messages/table";
import { createApiKey, listApiKeys } from "../../src/domains/organizations/api-keys/operations";
import { listOrganizations } from "../../src/domains/organizations/operations";
import { startPhoneVerification } from "../../src/domains/otp/operations";
import { recordRepayment } from "../../src/domains/repayments/recording/operations";
import { listUnmatchedPayments } from "../../src/domains/repayments/unmatched/operations";
import { createIssuer, listIssuers } from "../../src/domains/tokens/issuers/operations";
import { listCurrentAccountTransactions } from "../../src/domains/transfers/transaction.operations";
import { listUsers } from "../../src/domains/users/lender.operations";
import { listEvents } from "../../src/domains/webhooks/feed/operations";
import { WORK_KINDS, type WorkKind } from "../../src/domains/work/kinds.policy";
import { getAttention, listWork } from "../../src/domains/work/operations";
import { SOURCES } from "../../src/domains/work/store";
import { webhookEvents } from "../../src/events/table";
import type { Caller } from "../../src/http/callers/access";
import { DAY_MS, HOUR_MS, toTimestamp } from "../../src/shared/time";
import { combinations, expectCheap, OTHERS, operator, PATIENCE_MS, type Query, type Row, SIZE } from "../support/cheap-lists";
import { call, expectOk } from "../support/client";
import { paymentTo } from "../support/credit";
import { givenAccountHolder, move } from "../support/current-accounts";
import { databaseOf, databases } from "../support/databases";
import { db, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { handle } from "../support/handle";
import { givenLoanProduct, givenOffer } from "../support/loans";
import { givenCopies, metered } from "../support/metering";
import { expectRows } from "../support/rows";
import { raiseQuietly } from "../support/webhooks";
import { givenWork } from "../support/work";

const RANDOM = "hex(randomblob(16))";
/** For a copy: an id that begins with the instant. */
const idAt = (instant: string) =>
	`substr(printf('%012x', ${instant}), 1, 8) || '-' || substr(printf('%012x', ${instant}), 9) || substr(id, 14, 11) || lower(hex(randomblob(6)))`;

describe("a page reads at most five rows more than it shows", () => {
	it("of loan applications, for users, API keys and operators", { tags: ["thorough"], timeout: PATIENCE_MS }, async () => {
		await givenLoanProduct();
		const [organization, elsewhere] = [await givenOrganization(), await givenOrganization()];
		const borrower = await givenUser({ organizationId: organization.id });
		const others = [await givenUser({ organizationId: organization.id }), await givenUser({ organizationId: elsewhere.id })];
		const statuses = ["PENDING", "APPROVED", "REJECTED", "SUBMITTED", "DISBURSED", "CANCELLED", "EXPIRED", "FAILED"] as const;
		const now = Date.now();
		const copies = async (token: string, count: number, from: number) => {
			const { id } = await givenOffer(token);
			await givenCopies("loan_applications", id, count, {
				// One open application for each product.
				loan_product_id: "lower(hex(randomblob(16)))",
				status: `case n % 8 ${statuses.map((status, index) => `when ${index} then '${status}'`).join(" ")} end`,
				created_at: `${from} + n`,
				expires_at: `${from} + n + ${DAY_MS}`,
			});
		};
		await copies(borrower.token, 8 * 45, now - 3 * DAY_MS);
		await copies(borrower.token, 8 * 45, now - 3 * HOUR_MS);
		for (const { token } of others) await copies(token, OTHERS, now - 2 * HOUR_MS);
		const expected = (query: Query) => (row: Row) =>
			(query.status === undefined || row.status === query.status) && (query.user_id === undefined || row.user_id === query.user_id);
		const list = (caller: Caller, query: Query, shown = query) =>
			expectCheap(listLoanApplications, organization.id, caller, query, expected(shown));

		for (const query of combinations({ status: statuses, user_id: [borrower.id], organization_id: [organization.id] })) {
			await list(operator, query);
			await list({ kind: "key", keyId: "k", organizationId: organization.id }, query);
			await list({ kind: "user", userId: borrower.id, sessionId: null }, query, { ...query, user_id: borrower.id });
		}
	});

	it("of users", { timeout: PATIENCE_MS }, async () => {
		const [organization, elsewhere] = [await givenOrganization(), await givenOrganization()];
		const now = Date.now();
		for (const [home, from, count] of [
			[organization.id, now, 90],
			[elsewhere.id, now + 10_000, OTHERS],
		] as const) {
			const { id } = await givenUser({ organizationId: home });
			const status = "case when n % 8 = 0 then 'WAITING_LIST' else 'ACTIVE' end";
			await givenCopies("users", id, count * 4, { tag: "'@' || n", created_at: `${from} + n`, status });
		}
		for (const query of combinations({ status: ["ACTIVE", "WAITING_LIST"], organization_id: [organization.id] })) {
			await expectCheap(listUsers, organization.id, operator, query, ({ status, home_organization_id }) =>
				Boolean((query.status ?? status) === status && (query.organization_id ?? home_organization_id) === home_organization_id),
			);
		}
	});

	it("of loan products, for operators and for those who are offered them", { timeout: PATIENCE_MS }, async () => {
		const [organization, elsewhere] = [await givenOrganization(), await givenOrganization()];
		const { id: userId } = await givenUser({ organizationId: organization.id });
		const now = Date.now();
		for (const [organization_id, count, from] of [
			[organization.id, 60, now],
			[null, 60, now + 30],
			[elsewhere.id, OTHERS, now + 1_000],
		] as const) {
			const { id } = await givenLoanProduct({ organization_id });
			await givenCopies("loan_products", id, count, { created_at: `${from} + n` });
		}
		const isOwn = (row: Row) => row.organization_id === organization.id;
		const isOffered = (row: Row) => isOwn(row) || row.organization_id === null;
		await expectCheap(listLoanProducts, organization.id, operator, {}, () => true);
		await expectCheap(listLoanProducts, organization.id, operator, { organization_id: organization.id }, isOwn);
		await expectCheap(listOfferedProducts, organization.id, operator, {}, () => true);
		await expectCheap(listOfferedProducts, organization.id, { kind: "key", keyId: "k", organizationId: organization.id }, {}, isOffered);
		await expectCheap(listOfferedProducts, organization.id, { kind: "user", userId, sessionId: null }, {}, isOffered);
	});

	it("of organizations, API keys, issuers, messages and unmatched payments", { tags: ["thorough"], timeout: PATIENCE_MS }, async () => {
		const { id, slug } = await givenOrganization();
		const now = Date.now();
		await givenCopies("organizations", id, OTHERS, { created_at: `${now} + n`, slug: "'s' || n" });
		await expectCheap(listOrganizations, id, operator, {}, () => true);
		const { services, meter } = await metered(id);
		await handle(listOrganizations, { query: { size: SIZE, slug }, caller: { kind: "operator", operatorId: "root" } }, services);
		expectRows(meter.rowsRead).atMost(5);

		const as = await operatorToken();
		const key = expectOk(await call(createApiKey, { as, path: { organizationId: id }, body: { name: "till", scopes: ["loans:write"] } }));
		await givenCopies("api_keys", key.id, 60, { created_at: `${now} + n`, hash: "'h' || n" });
		await givenCopies("api_keys", key.id, OTHERS, { created_at: `${now} + n`, hash: "'r' || n", revoked_at: "1" });
		await expectCheap(listApiKeys, id, { kind: "operator", operatorId: "root", organizationId: id }, {}, () => true);

		const issuer = {
			issuer: "https://issuer.example",
			kind: "identity" as const,
			audience: "service",
			jwks_uri: "https://issuer.example/keys",
		};
		const registered = expectOk(await call(createIssuer, { as, body: { ...issuer, algorithms: ["RS256"] } as never }));
		await givenCopies("trusted_issuers", registered.id, OTHERS, { created_at: `${now} + n`, issuer: "'i' || n" }, env.DB);
		await expectCheap(listIssuers, registered.id, operator, {}, () => true);

		expectOk(await call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: "712345678" } }));
		const [{ id: messageId = "" } = {}] = await db.select().from(messages);
		const at = (instant: string) => ({ created_at: instant, id: idAt(instant) });
		await givenCopies("messages", messageId, 60, at(`${now} + n`));
		await givenCopies("messages", messageId, OTHERS, { ...at(`${now + 1_000} + n`), recipient: "'+254712345679'" });
		await expectCheap(listMessages, id, operator, {}, () => true);
		await expectCheap(listMessages, id, operator, { recipient: "+254712345678" }, (row) => row.recipient === "+254712345678");

		const { account_id: _, ...payment } = paymentTo("", 1_000);
		const { transaction } = expectOk(await call(recordRepayment, { as, body: { ...payment, account_number: "unknown" } }));
		const copies = { created_at: "n", mobile_money_transaction_id: "hex(randomblob(8))" };
		await givenCopies("payments", transaction.id, OTHERS, { ...copies, status: "'FAILED'", account_id: "'a'" });
		await givenCopies("payments", transaction.id, 60, { ...copies, created_at: `${now} + n` });
		await expectCheap(listUnmatchedPayments, id, operator, {}, () => true);
	});

	it("of a current account's transactions, among holds and releases", { timeout: PATIENCE_MS }, async () => {
		const { id: userId, accountId } = await givenAccountHolder();
		expectOk(await move(accountId, 1));
		// In turn 30 holds with their releases, and a movement.
		const rows = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${OTHERS}),
			steps as (select n, n / 61 as moved, case when n % 61 = 0 then 'MOVEMENT' when n % 61 % 2 = 1 then 'HOLD' else 'RELEASE' end as type from numbers)`;
		await databaseOf(userId)
			.prepare(`insert into current_account_entries (account_id, position, id, type, phase, amount, hold, counted, balance_after, held_after,
					day, rate_index, source_id, contra, created_at)
				${rows} select a.id, n + 1, lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6))), type, iif(type = 'HOLD', 'HOLD', 'END'), iif(type = 'MOVEMENT', 1, 0),
					case type when 'HOLD' then 1 when 'RELEASE' then -1 else 0 end, 0, moved + 1, iif(type = 'HOLD', 1, 0),
					a.day, 0, iif(type = 'RELEASE', n - 1, n), iif(type = 'MOVEMENT', 'CUSTODY', 'TRANSFER'), 1
				from steps join current_accounts a on a.id = ?`)
			.bind(accountId)
			.run();
		await expectCheap(listCurrentAccountTransactions, userId, { kind: "user", userId, sessionId: null }, {}, () => true);
	});

	/** Of each kind the column by which it is listed, what its copies must not share, and what is done. */
	const WORK: { readonly [kind in WorkKind]: readonly [since: string, own: Record<string, string>, done: Record<string, string>] } = {
		WAITING_USER: ["created_at", {}, { status: "'ACTIVE'" }],
		PAYMENT: ["created_at", { mobile_money_transaction_id: RANDOM }, { status: "'FAILED'" }],
		DISBURSEMENT: ["created_at", {}, { status: "'SUCCEEDED'" }],
		CONFIRMATION: ["created_at", { transaction_id: RANDOM }, { status: "'VERIFIED'" }],
		CONTRADICTION: ["contradicted_at", {}, { contradicted_at: "null", book_at: "null" }],
		SECOND_RECEIPT: ["second_receipt_at", {}, { second_receipt_at: "null" }],
		STATEMENT_BREAK: ["created_at", { fact_key: RANDOM }, { status: "'RESOLVED'" }],
		TRANSFER: ["created_at", {}, { status: "'COMPLETED'", completed_at: "1", next_attempt_at: "null" }],
		RETURN: ["created_at", {}, { status: "'RETURNED'", next_attempt_at: "null" }],
		ONBOARDING: ["updated_at", { account_number: RANDOM, user_id: RANDOM }, { wallet_onboarding_status: "'ACCOUNT_OPENED'" }],
		ACTIVATION: ["otp_confirmed_at", { account_id: RANDOM }, { completed_at: "1" }],
		CLOSURE: ["otp_confirmed_at", { account_id: RANDOM }, { status: "'COMPLETED'" }],
		CUSTODIAN: ["created_at", { subject_id: RANDOM }, { status: "'TAKEN'" }],
		APPROVAL: ["created_at", { entity_id: RANDOM }, { status: "'REJECTED'" }],
		ENDPOINT: ["troubled_since", { name: RANDOM }, { troubled_since: "null" }],
		PORTFOLIO: ["faulted_at", { loan_product_id: RANDOM }, { faulted_at: "null", fault: "null" }],
		DEAD_LETTER: ["created_at", {}, {}],
		AUTHORIZATION_SYNC: ["created_at", { user_id: RANDOM }, { reached_at: "1" }],
		QUOTA: ["since", {}, {}],
	};

	it("of work of every kind, and a thousand are counted", { tags: ["thorough"], timeout: PATIENCE_MS }, async () => {
		const { id: organizationId } = await givenOrganization();
		// Longer ago than any kind waits before it is work.
		const hoursAgo = Date.now() - 2 * HOUR_MS;
		for (const kind of WORK_KINDS) {
			const id = await givenWork(kind, { organizationId, since: hoursAgo });
			const [since, own, done] = WORK[kind];
			const table = getTableName(SOURCES[kind].table);
			await givenCopies(table, id, 1_100, { ...own, [since]: `${hoursAgo} + n` });
			if (Object.keys(done).length > 0) await givenCopies(table, id, OTHERS, { ...own, [since]: `${hoursAgo} - n`, ...done });
			await expectCheap(listWork, organizationId, operator, { kind }, (row) => row.kind === kind);
		}
		const { services, meter } = await metered(organizationId);
		const { data } = (await handle(getAttention, { caller: operator }, services)) as { data: Row[] };
		const oldest = toTimestamp(hoursAgo);
		expect(data).toEqual(WORK_KINDS.map((kind) => ({ kind, count: 1_000, more: true, oldest })));
		// In each further database a kind of which there is nothing costs a row.
		expectRows(meter.rowsRead).atMost((1_000 + databases.length) * WORK_KINDS.length);
	});

	it("of the feed, by type and time", { tags: ["thorough"], timeout: PATIENCE_MS }, async () => {
		const { id } = await givenOrganization();
		const caller: Caller = { kind: "operator", operatorId: "root", organizationId: id };
		await raiseQuietly(id);
		const [{ id: admitted = "" } = {}] = await db.select().from(webhookEvents);
		await givenLoanProduct();
		await givenOffer((await givenUser({ organizationId: id })).token);
		const created = (await db.select().from(webhookEvents)).find(({ eventType }) => eventType === "loan_application.created");
		await givenCopies("webhook_events", admitted, OTHERS, { sequence: "n + 100", created_at: "n", event_key: "'a' || n" });
		const after = `n + ${3 * OTHERS}`;
		const later = { sequence: after, created_at: after, event_key: "'b' || n" };
		await givenCopies("webhook_events", created?.id ?? "", 60, later);
		const times = { created_from: ["1970-01-01T00:00:00.001Z"], created_until: [toTimestamp(4 * OTHERS)] };
		for (const query of combinations({ type: ["loan_application.created", "user.admitted"], ...times })) {
			await expectCheap(listEvents, id, caller, query, (row) => (query.type ?? row.event_type) === row.event_type);
		}
	});
});
