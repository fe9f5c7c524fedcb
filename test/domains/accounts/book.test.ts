// An organization's loans in the order that its people choose, and those that they choose: among others' and among many.

import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { listAccounts } from "../../../src/domains/accounts/operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { addDays, localDate } from "../../../src/shared/time";
import { OTHERS, PATIENCE_MS } from "../../support/cheap-lists";
import { call, expectOk } from "../../support/client";
import { givenLoan } from "../../support/credit";
import { db, givenMember } from "../../support/factories";
import { handle } from "../../support/handle";
import { copiesIn, givenCopies, metered, uuid } from "../../support/metering";
import { expectRows } from "../../support/rows";

type Query = object;
type Row = { account_number: string };

const today = localDate(Date.now());
let mine: Awaited<ReturnType<typeof givenLoan>>;
let other: Awaited<ReturnType<typeof givenLoan>>;
let staff: { as: string; headers: Record<string, string> };

beforeEach(async () => {
	[mine, other] = [await givenLoan(), await givenLoan()];
	const headers = { "x-organization-id": mine.organization.id };
	staff = { as: (await givenMember(mine.organization.id, "organization-lending-viewer")).token, headers };
	const copied = { user_id: uuid("n", 1), next_work_at: "null", account_number: "'mine-' || n" };
	await db.update(creditAccounts).set({ accountNumber: "mine-0" }).where(eq(creditAccounts.id, mine.accountId));
	// Those of every fourth day are of another product, in another state, and were made in the opposite order.
	await givenCopies("credit_accounts", mine.accountId, 12, {
		...copied,
		created_at: "created_at - n",
		earliest_due: `date('${today}', (1 - n) || ' days')`,
		principal_outstanding: "case n when 12 then 0 else n * 100 end",
		loan_product_id: "case n % 4 when 0 then '01a20279-b100-4026-9005-000000000001' else loan_product_id end",
		status: "case n when 1 then 'ACTIVE' when 5 then 'PENDING' when 6 then 'CLOSED' when 12 then 'WRITTEN_OFF' else 'IN_ARREARS' end",
	});
	await givenCopies("credit_accounts", other.accountId, 3, {
		...copied,
		user_id: uuid("n", 2),
		account_number: "'other-' || n",
		earliest_due: "'2020-01-01'",
	});
});

const numbers = (rows: readonly Row[]) => rows.map(({ account_number }) => account_number.replace("mine-", "")).join(" ");

/** All of them in pages of three, forwards and then backwards. */
async function listed(query: Query): Promise<string> {
	const page = async (more: Query) => expectOk(await call(listAccounts, { ...staff, query: { size: "3", ...query, ...more } }));
	const pages = [await page({})];
	for (let next = pages[0]?.links.next; next; next = pages.at(-1)?.links.next) pages.push(await page({ after: next }));
	const back = [];
	for (let prev = pages.at(-1)?.links.prev; prev; prev = back[0]?.links.prev) back.unshift(await page({ before: prev }));
	const all = pages.map(({ data }) => numbers(data as Row[]));
	expect(back.map(({ data }) => numbers(data as Row[]))).toEqual(all.slice(0, -1));
	return all.join(" ").trim();
}

it.each([
	[{ sort: "NEWEST" }, "0 1 2 3 4 7 8 9 10 11 12"],
	[{ sort: "DAYS_PAST_DUE" }, "12 11 10 9 8 7 4 3 2 1 0"],
	[{ sort: "OUTSTANDING" }, "0 11 10 9 8 7 4 3 2 1"],
	[{ past_due_over: 8 }, "12 11 10"],
	[{ past_due_over: 8, sort: "NEWEST" }, "10 11 12"],
	[{ past_due_over: 0, sort: "OUTSTANDING" }, "11 10 9 8 7 4 3 2"],
	[{ loan_product_id: "01a20279-b100-4026-9005-000000000001" }, "4 8 12"],
	[{ loan_product_id: "01a20279-b100-4026-9005-000000000001", status: "IN_ARREARS", sort: "OUTSTANDING" }, "8 4"],
	[{ status: "IN_ARREARS" }, "2 3 4 7 8 9 10 11"],
	[{ status: "WRITTEN_OFF" }, "12"],
	[{ status: "ACTIVE", sort: "DAYS_PAST_DUE" }, "1 0"],
	[{ due_on: today }, "1"],
	[{ due_on: addDays(today, -10), status: "ACTIVE" }, ""],
] satisfies [Query, string][])("%j lists %s", async (query, expected) => {
	expect(await listed(query)).toBe(expected);
});

it("neither a borrower nor a search by number chooses among a lender's book", async () => {
	const { headers } = staff;
	expect(await call(listAccounts, { as: mine.borrower.token, query: { sort: "OUTSTANDING" } })).toMatchObject({ status: 400 });
	const refused: readonly Query[] = [
		{ sort: "OUTSTANDING", account_number: "mine-1" },
		{ past_due_over: 1, due_on: today },
	];
	for (const query of refused) expect(await call(listAccounts, { ...staff, query })).toMatchObject({ status: 400 });
	const { token } = await givenMember(mine.organization.id, "organization-developer");
	expect(await call(listAccounts, { as: token, headers, query: { sort: "NEWEST" } })).toMatchObject({ status: 403 });
});

it("a page looks at a thousand accounts at most, and what is asked for often is found at once", { timeout: PATIENCE_MS }, async () => {
	const { organization, accountId } = await givenLoan();
	// The one loan that is late is behind all others by date, and its product is that of all.
	const later = { id: "substr(id, 1, 24) || printf('%012x', n)", account_number: "'crowd-' || n", user_id: uuid("n", 3) };
	await copiesIn("credit_accounts", organization.id, OTHERS, { ...later, next_work_at: "null", created_at: "created_at + n" });
	await db
		.update(creditAccounts)
		.set({ status: "IN_ARREARS", earliestDue: addDays(today, -40) })
		.where(eq(creditAccounts.id, accountId));
	const page = async (query: Query) => {
		const { services, meter } = await metered(organization.id);
		const caller = { kind: "key", keyId: "k", organizationId: organization.id } as const;
		const answer = await handle(listAccounts, { query: { size: 20, ...query }, caller, path: {} }, services);
		const { data, links } = (answer.body ?? answer) as { data: Row[]; links: { next: string | null } };
		return { data, next: links.next, read: meter.rowsRead, trips: meter.trips };
	};
	for (const query of [{ status: "IN_ARREARS" }, { past_due_over: 30 }, { past_due_over: 30, status: "IN_ARREARS" }] as Query[]) {
		const { data, next, read, trips } = await page(query);
		expect([data.length, next, trips]).toEqual([1, null, 2]);
		expectRows(read, JSON.stringify(query)).atMost(40);
	}
	for (const query of [{ sort: "OUTSTANDING" }, { sort: "NEWEST", status: "ACTIVE" }] as Query[]) {
		const { data, read } = await page(query);
		expect(data).toHaveLength(20);
		expectRows(read, JSON.stringify(query)).atMost(30 * 20);
	}
	// Found by no index: pages without it lead on to it.
	let found: Row[] = [];
	let pages = 0;
	for (let next: string | null = ""; next !== null && pages < 10; pages++) {
		const { data, next: further, read } = await page({ sort: "OUTSTANDING", past_due_over: 30, ...(next && { after: next }) });
		expectRows(read).atMost(4_100);
		found = [...found, ...data];
		next = further;
	}
	expect([found.length, pages]).toEqual([1, Math.ceil((OTHERS + 1) / 1_000)]);
});
