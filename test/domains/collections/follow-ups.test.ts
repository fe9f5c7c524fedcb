// Notes, promises to pay, reminders and owners of late loans, and the call list that they make.

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { listCalls } from "../../../src/domains/collections/calls.operations";
import { settleEndedPromises } from "../../../src/domains/collections/job";
import { listFollowUps, recordFollowUp, withdrawPromise } from "../../../src/domains/collections/operations";
import { followUps } from "../../../src/domains/collections/table";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { messages } from "../../../src/domains/messages/table";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { assignWork } from "../../../src/domains/work/owners.operations";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk, untilDecided } from "../../support/client";
import { givenLoan, pay } from "../../support/credit";
import { db, givenMember, operatorToken } from "../../support/factories";
import { runDueWork } from "../../support/loans";

const today = localDate(Date.now());
const body = (more: object) => more as never;

async function givenLate(daysLate = 10) {
	const loan = await givenLoan();
	const member = await givenMember(loan.organization.id, "organization-lending-admin");
	const staff = { as: member.token, headers: { "x-organization-id": loan.organization.id } };
	const due = (day: string) =>
		db.update(creditAccounts).set({ earliestDue: day, status: "IN_ARREARS" }).where(eq(creditAccounts.id, loan.accountId));
	await due(addDays(today, -daysLate));
	const record = (more: object) => call(recordFollowUp, { ...staff, body: body(more) });
	const promise = async (amount: number, day: string) =>
		expectOk(await record({ type: "PROMISE", account_id: loan.accountId, amount, day }));
	const listed = async (query: object) => expectOk(await call(listFollowUps, { ...staff, query }));
	const calls = async (query: object = {}) => expectOk(await call(listCalls, { ...staff, query })).data;
	return { ...loan, member, staff, due, record, promise, listed, calls };
}

/** The days of all promises end. */
const endDays = () => db.update(followUps).set({ checkAt: 0 }).where(eq(followUps.status, "OPEN"));

it("notes on a borrower and on a loan are listed where they belong, and nowhere at another lender", async () => {
	const { accountId, borrower, record, listed, member } = await givenLate();
	const onLoan = expectOk(await record({ type: "NOTE", account_id: accountId, body: "Asked to be called on Friday." }));
	const onUser = expectOk(await record({ type: "NOTE", user_id: borrower.id, body: "Has moved to Kisumu." }));
	expect(onLoan).toMatchObject({ user_id: borrower.id, account_id: accountId, author_id: member.id, amount: null, status: null });
	expect((await listed({ account_id: accountId })).data).toEqual([onLoan]);
	expect((await listed({ user_id: borrower.id })).data).toEqual([onUser, onLoan]);

	const other = await givenLate();
	expect((await other.listed({ account_id: accountId })).data).toEqual([]);
	expect((await other.listed({ user_id: borrower.id })).data).toEqual([]);
	expect(await other.record({ type: "NOTE", account_id: accountId, body: "Whose?" })).toMatchObject({ status: 404 });
	expect(await other.record({ type: "NOTE", user_id: borrower.id, body: "Whose?" })).toMatchObject({ status: 404 });
	const { token } = await givenMember(other.organization.id, "organization-lending-viewer");
	const viewer = { as: token, headers: other.staff.headers };
	const note = { type: "NOTE", account_id: other.accountId, body: "May I?" };
	expect(await call(recordFollowUp, { ...viewer, body: body(note) })).toMatchObject({ status: 403 });
});

it.each([
	[{ type: "NOTE" }, "body.body"],
	[{ type: "NOTE", body: "x", amount: 1 }, "body.amount"],
	[{ type: "NOTE", body: "x", account_id: undefined }, "body.account_id"],
	[{ type: "PROMISE", amount: 1 }, "body.day"],
	[{ type: "PROMISE", amount: 1, day: addDays(today, -1) }, "body.day"],
	[{ type: "PROMISE", amount: 1, day: addDays(today, 91) }, "body.day"],
	[{ type: "REMINDER", body: "Pay!" }, "body.body"],
])("%j is refused for its %s", async (sent, path) => {
	const { accountId, record } = await givenLate();
	expect(await record({ account_id: accountId, ...sent })).toMatchObject({ status: 400, body: { invalid_params: [{ path }] } });
});

it("a promise is kept by what was paid after it, without what was reversed, and broken else", async () => {
	const kept = await givenLate();
	expectOk(await pay(kept, 5_000));
	await kept.promise(1_000, today);
	expectOk(await pay(kept, 400));
	expectOk(await pay(kept, 600));
	const broken = await givenLate();
	await broken.promise(1_000, addDays(today, 3));
	const { transaction } = expectOk(await pay(broken, 1_000));
	expectOk(
		await call(reverseRepayment, { as: await operatorToken(), path: { id: transaction.id }, body: { reason: "Paid by somebody else" } }),
	);
	// Before its day has ended nothing is said.
	await runDueWork(settleEndedPromises);
	expect((await kept.listed({ status: "OPEN" })).data).toHaveLength(1);
	await endDays();
	await Promise.all([runDueWork(settleEndedPromises), runDueWork(settleEndedPromises)]);
	expect((await kept.listed({ account_id: kept.accountId })).data).toMatchObject([{ status: "KEPT" }]);
	expect((await broken.listed({ status: "BROKEN" })).data).toMatchObject([
		{ account_id: broken.accountId, amount: { value: 1_000, currency: "KES" }, day: addDays(today, 3) },
	]);
});

it("a later promise replaces the open one, of two at once one stays, and a withdrawn one is neither kept nor broken", async () => {
	const { accountId, record, listed, staff, promise } = await givenLate();
	await promise(500, today);
	const twice = [1_000, 2_000].map((amount) => () => record({ type: "PROMISE", account_id: accountId, amount, day: today }));
	await Promise.all(twice.map(untilDecided));
	const open = (await listed({ status: "OPEN" })).data;
	expect(open).toHaveLength(1);
	const path = { followUpId: open[0]?.id ?? "" };
	expect(expectOk(await call(withdrawPromise, { ...staff, path }))).toMatchObject({ status: "WITHDRAWN" });
	expect(await call(withdrawPromise, { ...staff, path })).toMatchObject({ status: 409 });
	expect(await call(withdrawPromise, { ...(await givenLate()).staff, path })).toMatchObject({ status: 404 });
	await runDueWork(settleEndedPromises);
	expect((await listed({ account_id: accountId })).data.map(({ status }) => status)).toEqual(Array(3).fill("WITHDRAWN"));
});

it("a borrower is reminded of what is owed once a day, and not before something is due", async () => {
	const { accountId, record, due } = await givenLate();
	const remind = () => record({ type: "REMINDER", account_id: accountId });
	const before = (await db.select().from(messages)).length;
	const answers = await Promise.all([untilDecided(remind), untilDecided(remind)]);
	expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
	expect(answers.find(({ ok }) => ok)?.body).toMatchObject({ type: "REMINDER", day: today });
	expect((await db.select().from(messages)).length).toBe(before + 1);
	await due(addDays(today, 5));
	await db.delete(followUps);
	expect(await remind()).toMatchObject({ status: 409, body: { reason: "NOTHING_DUE" } });
});

it("the call list names overdue loans with their latest promise, their owner and the last contact, and chooses by these", async () => {
	const { accountId, member, staff, calls, promise, record, due } = await givenLate(31);
	expect(await calls()).toMatchObject([
		{ account_id: accountId, days_past_due: 31, due_date: addDays(today, -31), promise: null, owner_id: null, last_contact_at: null },
	]);
	const by = async (query: object) => (await calls(query)).length;
	const found = async () => [await by({ promise: "NONE" }), await by({ promise: "OPEN" }), await by({ promise: "BROKEN" })];
	expect(await found()).toEqual([1, 0, 0]);
	const { created_at } = await promise(1_000, addDays(today, 2));
	expect(await calls()).toMatchObject([
		{ promise: { amount: 1_000, day: addDays(today, 2), status: "OPEN" }, last_contact_at: created_at },
	]);
	expect(await found()).toEqual([0, 1, 0]);
	await endDays();
	await runDueWork(settleEndedPromises);
	expect(await found()).toEqual([1, 0, 1]);

	const assign = (owner_id: string | null, subjectId = accountId) =>
		call(assignWork, { ...staff, path: { subjectId }, body: { kind: "ACCOUNT", owner_id } });
	expect(expectOk(await assign(member.id))).toEqual({ subject_id: accountId, kind: "ACCOUNT", owner_id: member.id });
	expect([await by({ owner: member.id }), await by({ owner: "NONE" })]).toEqual([1, 0]);
	const other = await givenLate();
	expect(await assign(other.member.id)).toMatchObject({ status: 400 });
	expect(await assign(member.id, other.accountId)).toMatchObject({ status: 404 });
	expectOk(await assign(null));
	expect([await by({ owner: member.id }), await by({ owner: "NONE" })]).toEqual([0, 1]);
	expectOk(await record({ type: "NOTE", account_id: accountId, body: "No answer." }));
	expect(await by({ owner: member.id })).toBe(0);
	// What is paid is called about no more.
	await due(addDays(today, 20));
	expect(await calls()).toEqual([]);
});
