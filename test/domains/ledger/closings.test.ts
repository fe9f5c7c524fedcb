// Months of the ledger: a member asks for a closing, another approves it, and what becomes known later is booked in an open month.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { requestLedgerClosing } from "../../../src/domains/approvals/closing.operations";
import { decideApproval, getApproval, listApprovals, requestApproval } from "../../../src/domains/approvals/operations";
import { getLedgerClosing, listLedgerClosings } from "../../../src/domains/ledger/closings.operations";
import { lastDayOf, monthAfter, monthOf } from "../../../src/domains/ledger/model/closing.policy";
import { getTrialBalance, listLedgerEntries } from "../../../src/domains/ledger/operations";
import { organizationMembers } from "../../../src/domains/organizations/table";
import { addDays, daysBetween, localDate } from "../../../src/shared/time";
import { call, expectOk, untilDecided } from "../../support/client";
import { closeDays, givenBooks, passMonths } from "../../support/closings";
import { dyingAt } from "../../support/crashes";
import { db, givenApiKey, givenMember, givenOrganization, operatorToken } from "../../support/factories";
import { entriesOf, expectJournal } from "../../support/journal";
import { beforeCommit, eventsOf } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { clock, type Loan, payIn, waitDays } from "../../support/portfolios";
import { servePath } from "../../support/serve";

beforeEach(() => {
	clock.offsetMs = 0;
});

describe("a month", () => {
	it("is closed by one member and another, with the balances of its last day", async () => {
		const { id, as, asker, decider, headers, ask, decide, closings, figures, loans } = await givenBooks();
		await payIn(loans[0] as Loan, 500);
		const [month = ""] = await passMonths(1);
		await db.update(organizationMembers).set({ displayName: "Amina" }).where(eq(organizationMembers.userId, asker.id));
		const asked = expectOk(await ask(month));
		expect(asked).toMatchObject({ status: "PENDING", approval_type: "LEDGER_CLOSING", entity_id: id, payload: { month } });
		expect(await ask(month, decider.token)).toMatchObject({ status: 409, body: { code: "APPROVAL_PENDING" } });
		expect(await decide(asked.id, "APPROVED", undefined, asker.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(await closings()).toEqual([]);
		expect(await call(getLedgerClosing, { as, path: { month } })).toMatchObject({ status: 404 });
		expect(expectOk(await decide(asked.id))).toMatchObject({ status: "APPROVED", failure_reason: null });
		const [closing, ...others] = await closings();
		expect(others).toEqual([]);
		expect(closing).toMatchObject({ month, last_day: lastDayOf(month), approval_request_id: asked.id, reason: "end of month" });
		expect(closing).toMatchObject({ requested_by: asker.id, approved_by: decider.id });
		expect(closing).toMatchObject({ requested_by_display: "Amina", approved_by_display: null });
		const { balances, ...rest } = await figures(month);
		expect(rest).toEqual(closing);
		expect(balances).toEqual(expectOk(await call(getTrialBalance, { as, query: { size: "100", on: lastDayOf(month) } })).data);
		expect(balances.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(0);
		expect(balances.length).toBeGreaterThan(2);
		expect((await eventsOf(id)).map(({ type }) => type).filter((type) => type.startsWith("approval."))).toEqual([
			"approval.requested",
			"approval.outcome",
		]);
		expect(expectOk(await call(getApproval, { as: decider.token, headers, path: { id: asked.id } })).status).toBe("APPROVED");
	});

	it("stays open if the other rejects, and can be asked for again", async () => {
		const { ask, decide, closed, closings } = await givenBooks();
		const [month = ""] = await passMonths(1);
		expect(expectOk(await decide(expectOk(await ask(month)).id, "REJECTED")).status).toBe("REJECTED");
		expect(await closings()).toEqual([]);
		expect((await closed(month)).status).toBe("APPROVED");
	});

	it("is closed after the month before it, once its days are closed, and once", async () => {
		const { ask, closed } = await givenBooks();
		const now = monthOf(localDate(clock.now()));
		const refused = async (month: string, why: string) =>
			expect(await ask(month)).toMatchObject({ status: 409, body: { code: "INVALID_STATE", description: expect.stringContaining(why) } });
		await refused(now, `${now} has open days`);
		const [first = "", second = ""] = await passMonths(2);
		await refused(second, `the next one is ${first}`);
		await refused("2001-01", `the next one is ${first}`);
		await closed(first);
		await refused(first, `${first} is closed already`);
		await closed(second);
		await refused(monthAfter(second), `${monthAfter(second)} has open days`);
		for (const month of ["2026-13", "2026-1", "2026-01-01", "soon"]) expect(await ask(month)).toMatchObject({ status: 400 });
	});

	it("of an organization without entries cannot be closed", async () => {
		const { id } = await givenOrganization();
		const { token } = await givenMember(id, "organization-owner");
		expect(await call(requestLedgerClosing, { as: token, body: { month: "2026-01" } })).toMatchObject({
			status: 409,
			body: { description: "The ledger has no entries yet" },
		});
	});

	it("is closed by those whose role has the permission, and seen by readers of the ledger of its organization", async () => {
		const { id, headers, ask, decide, closed } = await givenBooks();
		const [month = ""] = await passMonths(1);
		for (const role of ["organization-lending-viewer", "organization-developer", "organization-financing-admin"] as const) {
			const { token } = await givenMember(id, role);
			expect(await ask(month, token)).toMatchObject({ status: 403 });
			expect(await call(listLedgerClosings, { as: token, headers, query: {} })).toMatchObject({
				status: role === "organization-lending-viewer" ? 200 : 403,
			});
		}
		const body = { approval_type: "LEDGER_CLOSING", entity_type: "ORGANIZATION", entity_id: id, payload: { month } };
		expect(await call(requestApproval, { as: await operatorToken(), body: body as never })).toMatchObject({ status: 400 });
		const { id: request } = expectOk(await ask(month));
		const stranger = await givenOrganization();
		const { token } = await givenMember(stranger.id, "organization-owner");
		expect(await call(decideApproval, { as: token, path: { id: request }, body: { decision: "APPROVED" } })).toMatchObject({ status: 404 });
		expect(expectOk(await decide(request, "REJECTED")).status).toBe("REJECTED");
		await closed(month);
		const as = await givenApiKey(stranger.id, ["ledger:read"]);
		expect(expectOk(await call(listLedgerClosings, { as, query: {} })).data).toEqual([]);
		expect(await call(getLedgerClosing, { as, path: { month } })).toMatchObject({ status: 404 });
		expect(await call(listLedgerClosings, { as: await givenApiKey(id, ["portfolio:read"]), query: {} })).toMatchObject({ status: 403 });
	});

	it("is a row of a list in pages, and of a table for a spreadsheet", async () => {
		const { as, closed, closings } = await givenBooks();
		const months = await passMonths(3);
		for (const month of months) await closed(month);
		const all = await closings();
		expect(all.map(({ month }) => month)).toEqual(months.toReversed());
		const first = expectOk(await call(listLedgerClosings, { as, query: { size: "2" } }));
		const second = expectOk(await call(listLedgerClosings, { as, query: { size: "2", after: first.links.next ?? "" } }));
		expect([...first.data, ...second.data]).toEqual(all);
		expect(second.links.next).toBeNull();
		const back = expectOk(await call(listLedgerClosings, { as, query: { size: "2", before: second.links.prev ?? "" } }));
		expect(back.data).toEqual(first.data);
		const answer = await servePath("/v1/ledger/closings", { headers: { "x-api-key": as, accept: "text/csv" } });
		const [head, ...rows] = (await answer.text()).trim().split("\r\n");
		expect(head).toMatch(/^month,last_day,approval_request_id,/);
		expect(rows.map((row) => row.slice(0, 7))).toEqual(months.toReversed());
	});
});

describe("what becomes known after a month is closed", () => {
	it("is booked in the open month, with its value date in the closed one, whose figures stay", async () => {
		const { id, as, loans, closed, figures } = await givenBooks();
		const [month = ""] = await passMonths(1);
		await closed(month);
		const before = await figures(month);
		const last = lastDayOf(month);
		const paid = await payIn(loans[0] as Loan, 700, daysBetween(last, localDate(clock.now())));
		const lines = expectOk(await call(listLedgerEntries, { as, query: { size: "100", from: addDays(last, 1) } })).data;
		const ofPayment = lines.filter(({ source_id }) => source_id === paid);
		expect([...new Set(ofPayment.map(({ source }) => source))].sort()).toEqual(["LOAN", "RECEIPT"]);
		for (const line of ofPayment) expect(line).toMatchObject({ value_date: last, day: localDate(clock.now()) });
		await waitDays(3);
		await closeDays();
		await expectJournal(id);
		expect(await figures(month)).toEqual(before);
		expect((await entriesOf(id)).filter(({ day, sourceId }) => day <= last && sourceId === paid)).toEqual([]);
	});
});

describe("the closing of a month", () => {
	it("happens once, while others decide, post and close days", async () => {
		const { id, loans, ask, decide, closings, figures } = await givenBooks();
		const [month = ""] = await passMonths(1);
		const asks = await Promise.all(Array.from({ length: 8 }, () => untilDecided(() => ask(month))));
		const [request, ...more] = asks.filter(({ ok }) => ok);
		expect(more).toEqual([]);
		const { id: asked } = expectOk(request as (typeof asks)[number]);
		const owner = await givenMember(id, "organization-owner");
		await waitDays(1);
		const [decisions] = await Promise.all([
			Promise.all([
				...Array.from({ length: 8 }, () => untilDecided(() => decide(asked))),
				...Array.from({ length: 8 }, () => untilDecided(() => decide(asked, "REJECTED", undefined, owner.token))),
			]),
			payIn(loans[0] as Loan, 300, 3),
			payIn(loans[1] as Loan, 400),
			closeDays(),
		]);
		const won = decisions.filter(({ ok }) => ok);
		expect(won).toHaveLength(1);
		const { status } = expectOk(won[0] as (typeof decisions)[number]);
		expect((await closings()).map((closing) => closing.month)).toEqual(status === "APPROVED" ? [month] : []);
		if (status === "REJECTED") expectOk(await decide(expectOk(await ask(month)).id));
		await waitDays(2);
		await closeDays();
		await expectJournal(id);
		const kept = await figures(month);
		const posted = (await entriesOf(id)).filter(({ day }) => day <= kept.last_day).flatMap(({ lines }) => lines);
		for (const { account, debit, credit } of kept.balances) {
			expect(posted.filter(([number]) => number === account).reduce((sum, [, amount]) => sum + amount, 0)).toBe(debit - credit);
		}
	});

	it("is refused where another decision comes between its reads and its commit", async () => {
		const { ask, decide, closings } = await givenBooks();
		const [month = ""] = await passMonths(1);
		const { id } = expectOk(await ask(month));
		let isFirst = true;
		const vars = beforeCommit(async () => {
			if (!isFirst) return;
			isFirst = false;
			expectOk(await decide(id));
		});
		expect(await decide(id, "APPROVED", vars)).toMatchObject({ status: 409 });
		expect((await closings()).map((closing) => closing.month)).toEqual([month]);
	});

	it.each(["before", "after"] as const)(
		"happens whole or not at all if the process dies %s a round trip of the request or the approval",
		{
			timeout: 120_000,
		},
		async (when) => {
			expectErrors("request failed");
			for (let trip = 1; ; trip++) {
				const { headers, decider, asker, decide, closings, figures } = await givenBooks();
				const [month = ""] = await passMonths(1);
				const asking = dyingAt(trip, when);
				const ask = (vars: Partial<Env> = {}) => call(requestLedgerClosing, { as: asker.token, headers, body: { month }, vars });
				await ask(asking.vars);
				expect([202, 409]).toContain((await ask()).status);
				const requests = expectOk(await call(listApprovals, { as: decider.token, headers, query: {} })).data;
				expect(requests.map(({ status }) => status)).toEqual(["PENDING"]);
				const { id } = requests[0] as (typeof requests)[number];
				const deciding = dyingAt(trip, when);
				await decide(id, "APPROVED", deciding.vars);
				const before = await closings();
				expect((await decide(id)).status).toBe(before.length === 1 ? 409 : 200);
				expect(await closings()).toHaveLength(1);
				expect((await figures(month)).approval_request_id).toBe(id);
				if (!asking.died() && !deciding.died()) break;
			}
		},
	);
});
