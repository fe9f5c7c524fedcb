// In workerd, because only its SQLite counts the rows that a statement reads. A named thing is looked up, with any number of rows that
// share a state, a home or an organization with it.

import { eq, getTableName, type Table } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { listApprovals, requestApproval } from "../../src/domains/approvals/operations";
import { agentEvents, agentSupervisions } from "../../src/domains/commissions/table";
import { creditAccounts } from "../../src/domains/credit-accounts/table";
import { findNamed } from "../../src/domains/payees/linked-user.store";
import { createPayee } from "../../src/domains/payees/operations";
import { listUsers } from "../../src/domains/users/lender.operations";
import { listDeliveries } from "../../src/domains/webhooks/deliveries/operations";
import { LOOKED_AT } from "../../src/domains/webhooks/log.policy";
import { recoverWebhook } from "../../src/domains/webhooks/recovery/operations";
import { webhookReceipts, webhookRecoveries } from "../../src/domains/webhooks/table";
import { webhookEvents } from "../../src/events/table";
import type { Caller } from "../../src/http/callers/access";
import { expectCheap, OTHERS, operator, PATIENCE_MS, type Row, SIZE } from "../support/cheap-lists";
import { call, expectOk } from "../support/client";
import { eventOf, givenAgency, record, report, supervise } from "../support/commissions";
import { givenLoan, rowsRead } from "../support/credit";
import { freshNumber } from "../support/current-accounts";
import { databaseOf } from "../support/databases";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { handle } from "../support/handle";
import { copiesIn, givenCopies, metered, uuid } from "../support/metering";
import { givenTag, sendMoney } from "../support/payees";
import { fakeWorld, givenWebhookOwner, raiseQuietly } from "../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

/** Rows that a request may read here: a few of each table that it asks, and far fewer than there are others. */
const FEW = 120;

/** Inserts rows of the organization, each value an SQL expression over `n`. */
const insertInto = (table: Table, organizationId: string, values: Record<string, string>) =>
	databaseOf(organizationId)
		.prepare(`insert into ${getTableName(table)} (${Object.keys(values).join()})
			with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${OTHERS})
			select ${Object.values(values).join()} from numbers`)
		.run();

const othersLike = (userId: string) =>
	givenCopies("users", userId, OTHERS, { tag: "'@crowd' || n", mobile_number: "'+2541' || (10000000 + n)" });

describe("among thousands of active users", { timeout: PATIENCE_MS }, () => {
	it("a payee's numbers and tags are looked up, and so are the users whom the directory has named", async () => {
		const { id: organizationId } = await givenOrganization();
		const mobileNumber = freshNumber();
		const [payer, linked] = [await givenUser({ organizationId }), await givenUser({ organizationId, mobileNumber })];
		await othersLike(payer.id);
		const { services, meter } = await metered(payer.id);
		const found = await services.db.read(findNamed(services.db.orm, [{ kind: "PHONE", handle: mobileNumber, id: linked.id }]));
		expect(found.map(({ userId }) => userId)).toEqual([linked.id]);
		expect(meter.rowsRead).toBeLessThanOrEqual(5);
		const accounts = [
			sendMoney(mobileNumber),
			sendMoney(freshNumber()),
			{ type: "INTERNAL" as const, user_tag: await givenTag(linked.id) },
		];
		const created = await call(createPayee, { as: payer.token, body: { accounts } });
		expect(expectOk(created)).toMatchObject({ accounts: [{ linked_user_id: linked.id }, { linked_user_id: null }, {}] });
		expect(rowsRead(created)).toBeLessThanOrEqual(FEW);
	});

	it("the owner of an account is found by its number, with a state and a home too", async () => {
		const { organization, accountId, borrower: user } = await givenLoan();
		await othersLike(user.id);
		const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.id, accountId));
		const q = account?.accountNumber ?? "";
		const { token } = await givenMember(organization.id);
		const ofOperator = await operatorToken();
		for (const [as, query] of [
			[token, { q }],
			[token, { q, status: "ACTIVE" as const }],
			[ofOperator, { q, status: "ACTIVE" as const }],
			[ofOperator, { q, organization_id: organization.id }],
		] as const) {
			const answer = await call(listUsers, { as, query });
			expect(expectOk(answer).data.map(({ id }) => id)).toEqual([user.id]);
			expect(rowsRead(answer), JSON.stringify(query)).toBeLessThanOrEqual(20);
		}
	});
});

describe("among thousands of an organization's agents and their events", { timeout: PATIENCE_MS }, () => {
	it("the penalties that reversals take back are looked up", async () => {
		const { organization, key, agent } = await givenAgency();
		const penalty = eventOf(agent.id, { event_type: "PENALTY", reference_id: "late", amount: 500 });
		const other = eventOf(agent.id, { reference_id: "other" });
		expectOk(await record(key, [penalty, other]));
		await copiesIn(getTableName(agentEvents), organization.id, OTHERS, { event_id: "'e' || n" }, `event_id = '${other.event_id}'`);
		const reversals = [10, 20].map((amount) => eventOf(agent.id, { event_type: "PENALTY_REVERSAL", reference_id: "late", amount }));
		const answer = await record(key, reversals);
		expect(expectOk(answer)).toMatchObject({ accepted: 2 });
		expect(rowsRead(answer)).toBeLessThanOrEqual(FEW);
		expect((await db.select().from(agentEvents)).find(({ eventId }) => eventId === penalty.event_id)?.reversed).toBe(30);
	});

	it("an agent's supervisors are looked up, for a report and for a change", async () => {
		const { organization, key, agent, supervisor } = await givenAgency();
		expectOk(await record(key, [eventOf(agent.id)]));
		expectOk(await supervise(agent.id, supervisor.id));
		await insertInto(agentSupervisions, organization.id, {
			organization_id: `'${organization.id}'`,
			agent_user_id: uuid("n"),
			effective_from: "0",
			supervisor_user_id: uuid(`n % 100 + ${OTHERS}`),
			created_at: "0",
		});
		const told = await report(supervisor.token, agent.id);
		expect(told.status).toBe(200);
		expect(rowsRead(told)).toBeLessThanOrEqual(FEW);
		const changed = await supervise(agent.id, null, "2026-06-01T00:00:00Z");
		expectOk(changed);
		expect(rowsRead(changed)).toBeLessThanOrEqual(FEW);
	});
});

describe("among thousands of decided requests for approval", { timeout: PATIENCE_MS }, () => {
	it("those of a type and a state are listed by both", async () => {
		const { organization, as } = await givenWebhookOwner();
		const { id } = organization;
		const { id: entity_id } = await givenUser({ organizationId: id });
		const body = { approval_type: "BLOCK_CHANGE" as const, entity_type: "USER" as const, entity_id, payload: { blocked: true } };
		const asked = expectOk(await call(requestApproval, { as, body }));
		const copies = (count: number, columns: Record<string, string>) =>
			givenCopies("approvals", asked.id, count, { entity_id: "hex(randomblob(16))", ...columns });
		await copies(60, { created_at: "n" });
		await copies(60, { created_at: "n", status: "'FAILED'" });
		await copies(OTHERS, { created_at: "created_at + n", approval_type: "'OPERATION'" });
		await copies(OTHERS, { created_at: "created_at + n", status: "'REJECTED'" });
		const acting: Caller = { kind: "operator", operatorId: "root", organizationId: id };
		for (const caller of [acting, operator])
			for (const status of [undefined, "PENDING", "FAILED"]) {
				const query = { approval_type: "BLOCK_CHANGE", status };
				const meets = (row: Row) => row.approval_type === query.approval_type && (status ?? row.status) === row.status;
				// Each row with the name of who asked.
				await expectCheap(listApprovals, id, caller, query, meets, { beside: SIZE + 10 });
			}
	});
});

describe("among thousands of an organization's deliveries and events", { timeout: PATIENCE_MS }, () => {
	const short = (id: string) => `unhex(replace(${id}, '-', ''))`;

	it("short forms of one type are found by pages that each look at a bounded number", async () => {
		const { organization } = await givenWebhookOwner();
		await insertInto(webhookReceipts, organization.id, {
			organization_id: short(`'${organization.id}'`),
			id: short(uuid("n")),
			webhook_id: short(uuid("n % 3", 1)),
			event_id: short(uuid("n", 2)),
			event_type: `iif(n <= ${2 * SIZE}, 'user.admitted', 'user.blocked')`,
			// The instant in the ids.
			created_at: "1795337859328",
			delivered_at: "1795337859328",
			started_at: "1795337859328",
		});
		const caller: Caller = { kind: "operator", operatorId: "root", organizationId: organization.id };
		for (const status of [undefined, "DELIVERED"]) {
			const found: unknown[] = [];
			for (let after: string | undefined; found.length < SIZE; ) {
				const { services, meter } = await metered(organization.id);
				const query = { event_type: "user.admitted", status, size: SIZE, after };
				const { data, next } = await handle(listDeliveries, { query, caller }, services);
				// Of each that is looked at its row, its copy in the page's order, and its place there.
				expect(meter.rowsRead).toBeLessThanOrEqual(3 * (LOOKED_AT + SIZE));
				found.push(...data);
				if (found.length < SIZE) expect(next).not.toBeNull();
				after = next ?? undefined;
			}
			expect(found).toHaveLength(SIZE);
		}
	});

	it("a second recovery of an endpoint looks at none while one goes on", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const { id: webhookId } = await register();
		await raiseQuietly(organization.id);
		const copies = { id: uuid("n"), sequence: "n + 10", created_at: "created_at + n", event_key: "'c' || n" };
		await copiesIn(getTableName(webhookEvents), organization.id, OTHERS, copies);
		const progress = { created: 2_000, retried: 1, remaining: 7 };
		const open = { id: "r", organizationId: organization.id, webhookId, since: 0, until: Date.now(), position: 1, ...progress };
		await db.insert(webhookRecoveries).values(open);
		const answer = await call(recoverWebhook, { as, path: { webhook_id: webhookId }, body: { since: "2026-01-01T00:00:00Z" } });
		expect(expectOk(answer)).toEqual(progress);
		expect(rowsRead(answer)).toBeLessThanOrEqual(60);
	});
});
