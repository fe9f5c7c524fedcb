// Statements that are issued: their numbers, what they say for ever, who issues and reads them, and what they look like.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getIssuedStatement, issueStatement, listIssuedStatements } from "../../../src/domains/accounts/statements/operations";
import { issuedStatements } from "../../../src/domains/accounts/statements/table";
import { MOST_ENTRIES } from "../../../src/domains/accounts/statements/wire";
import { putBrand } from "../../../src/domains/branding/operations";
import { credit } from "../../../src/domains/current-accounts/ledger/plan";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { users } from "../../../src/domains/users/model/table";
import { sha256Hex } from "../../../src/shared/bytes";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk, ORIGIN } from "../../support/client";
import { givenLoan, pay } from "../../support/credit";
import { givenCurrentAccount, postAt } from "../../support/current-accounts";
import { db, givenApiKey, givenMember, givenUser, operatorToken } from "../../support/factories";
import { beforeCommit } from "../../support/loans";
import { readPdf } from "../../support/pdf";
import { serve } from "../../support/serve";

const today = localDate(Date.now());
const SPAN = { from: addDays(today, -30), to: today };

async function givenStatements() {
	const loan = await givenLoan();
	const path = { accountId: loan.accountId };
	const issue = (as = loan.borrower.token, body = SPAN, more: object = {}) => call(issueStatement, { as, path, body, ...more });
	const read = (statementId: string, as = loan.borrower.token) => call(getIssuedStatement, { as, path: { ...path, statementId } });
	const list = async (query: object = {}) => expectOk(await call(listIssuedStatements, { as: loan.borrower.token, path, query })).data;
	return { ...loan, path, issue, read, list };
}

/** The file as another type than JSON. */
async function asFile(accountId: string, statementId: string, as: string, accept: string) {
	const headers = { authorization: `Bearer ${as}`, accept };
	const answer = await serve(new Request(`${ORIGIN}/v1/accounts/${accountId}/statements/${statementId}`, { headers }));
	return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}

it("what a statement says stays, and a correction is another statement, which names the statement that it replaces", async () => {
	const { issue, read, list, key, accountId } = await givenStatements();
	const first = expectOk(await issue());
	expect(first).toMatchObject({ number: 1, account_id: accountId, ...SPAN, replaces: null, replaced_by: null });
	const same = await issue();
	expect([same.status, expectOk(same)]).toEqual([200, first]);

	const said = expectOk(await read(first.id));
	expect(said).toMatchObject({ account_type: "CREDIT", currency: "KES", opening_balance: 0, closing_balance: 30_000 });
	const paid = expectOk(await pay({ key, accountId }, 5_000)).transaction;
	expect(expectOk(await read(first.id))).toEqual(said);
	const second = expectOk(await issue());
	expect(second).toMatchObject({ number: 2, replaces: { id: first.id, number: 1 } });
	expect(expectOk(await read(first.id)).replaced_by).toEqual({ id: second.id, number: 2 });
	expect(expectOk(await read(second.id)).closing_balance).toBe(25_000);

	expectOk(
		await call(reverseRepayment, {
			as: await operatorToken(),
			path: { id: paid.id },
			body: { reason: "Not theirs" },
		}),
	);
	const third = expectOk(await issue());
	expect(third).toMatchObject({ number: 3, replaces: { id: second.id, number: 2 } });
	const { entries } = expectOk(await read(third.id));
	expect(entries.map(({ rule }) => rule)).toContain("REVERSED");

	const other = expectOk(await issue(undefined, { ...SPAN, from: addDays(today, -60) }));
	expect(other).toMatchObject({ number: 4, replaces: null });
	expect((await list()).map(({ number }) => number)).toEqual([4, 3, 2, 1]);
	expect((await list({ size: "2" })).map(({ number }) => number)).toEqual([4, 3]);
	const [row] = await db.select().from(issuedStatements).where(eq(issuedStatements.id, first.id));
	expect(await sha256Hex(row?.content ?? "")).toBe(first.sha256);
});

it("of two statements that are issued at once each has a number of its own, without a gap", async () => {
	const { issue, accountId, path, borrower } = await givenStatements();
	const earlier = { from: addDays(today, -9), to: today };
	const vars = beforeCommit(async () => {
		expect(expectOk(await call(issueStatement, { as: borrower.token, path, body: SPAN })).number).toBe(1);
	});
	expect(expectOk(await issue(undefined, earlier, { vars })).number).toBe(2);
	const numbers = await db.select().from(issuedStatements).where(eq(issuedStatements.accountId, accountId));
	expect(numbers.map(({ number }) => number).sort()).toEqual([1, 2]);
});

it("the same request is issued once, and each organization counts for itself", async () => {
	const [one, other] = [await givenStatements(), await givenStatements()];
	const headers = { "idempotency-key": crypto.randomUUID() };
	const answers = [await one.issue(undefined, SPAN, { headers }), await one.issue(undefined, SPAN, { headers })];
	expect(answers.map(({ status }) => status)).toEqual([201, 201]);
	expect(answers.map((answer) => expectOk(answer).number)).toEqual([1, 1]);
	expect(expectOk(await other.issue()).number).toBe(1);
});

it("borrowers, members who lend and operators issue; others read, or know of none", async () => {
	const { organization, issue, read, path } = await givenStatements();
	const headers = { "x-organization-id": organization.id };
	const as = async (role: Parameters<typeof givenMember>[1]) => (await givenMember(organization.id, role)).token;
	expect(await issue(await as("organization-lending-admin"), SPAN, { headers })).toMatchObject({ status: 201 });
	const { id } = expectOk(await issue(await operatorToken()));
	const viewer = await as("organization-lending-viewer");
	expect(await issue(viewer, SPAN, { headers })).toMatchObject({ status: 403 });
	expect(await call(getIssuedStatement, { as: viewer, headers, path: { ...path, statementId: id } })).toMatchObject({ status: 200 });
	const key = await givenApiKey(organization.id, ["accounts:read"]);
	expect(await read(id, key)).toMatchObject({ status: 200 });
	expect(await issue(key)).toMatchObject({ status: 401 });

	const other = await givenStatements();
	expect(await issue(other.borrower.token)).toMatchObject({ status: 404 });
	expect(await read(id, other.borrower.token)).toMatchObject({ status: 404 });
	expect(await other.read(id)).toMatchObject({ status: 404 });
	expect(await call(listIssuedStatements, { as: other.borrower.token, path, query: {} })).toMatchObject({ status: 404 });
	expect(await issue(undefined, { from: today, to: addDays(today, -1) })).toMatchObject({ status: 400 });
	expect(await issue(undefined, { from: today, to: addDays(today, 2) })).toMatchObject({ status: 400 });
});

it("a holder's name can be taken out of a statement, which is otherwise as it was issued", async () => {
	const user = await givenUser();
	const { id: accountId } = await givenCurrentAccount({ user });
	await db.update(users).set({ displayName: "Wanjikũ wa Ngũgĩ" }).where(eq(users.id, user.id));
	const path = { accountId };
	const { id } = expectOk(await call(issueStatement, { as: user.token, path, body: SPAN }));
	const read = async () => expectOk(await call(getIssuedStatement, { as: await operatorToken(), path: { ...path, statementId: id } }));
	const before = await read();
	expect(before.holder).toBe("Wanjikũ wa Ngũgĩ");
	await db.update(users).set({ displayName: null }).where(eq(users.id, user.id));
	await db.update(issuedStatements).set({ holder: null }).where(eq(issuedStatements.id, id));
	expect(await read()).toEqual({ ...before, holder: null });
});

describe("the file of a statement", () => {
	it("is CSV of its entries, or a PDF file in the holder's language, with names of any letters", async () => {
		const { organization, borrower, accountId, issue, key } = await givenStatements();
		const owner = await givenMember(organization.id, "organization-owner");
		expectOk(
			await call(putBrand, {
				as: owner.token,
				path: { organizationId: organization.id },
				body: { name: "Benki ya Mwananchi – ቁጠባ", primary_color: "#0a7" },
			}),
		);
		await db.update(users).set({ displayName: "Wanjikũ wa Ngũgĩ", locale: "sw" }).where(eq(users.id, borrower.id));
		expectOk(await pay({ key, accountId }, 5_000));
		const { id, number, sha256 } = expectOk(await issue());

		const csv = await asFile(accountId, id, borrower.token, "text/csv");
		expect([csv.status, csv.type]).toEqual([200, "text/csv; charset=utf-8"]);
		const [head, ...lines] = csv.text.trim().split("\r\n");
		expect(head).toBe("date,component,amount,rule,transaction_id,installment_id,running_balance");
		expect(lines.map((line) => line.split(",")[3])).toEqual(["DRAWN", "PAID"]);

		const pdf = await asFile(accountId, id, borrower.token, "application/pdf, application/problem+json");
		expect([pdf.status, pdf.type]).toEqual([200, "application/pdf"]);
		const { texts, title, author, language } = readPdf(pdf.text);
		expect([title, author, language]).toEqual([`Taarifa ya akaunti – Taarifa nambari ${number}`, "Benki ya Mwananchi – ቁጠባ", "sw"]);
		expect(texts).toHaveLength(1);
		expect(texts[0]).toEqual(
			expect.arrayContaining(["Benki ya Mwananchi – ቁጠባ", "Wanjikũ wa Ngũgĩ", "Mkopo umechukuliwa, mkopo halisi", "-50.00", "250.00"]),
		);
		expect(texts[0]).toContain(`SHA-256 ${sha256}`);
		expect(await asFile(accountId, crypto.randomUUID(), borrower.token, "application/pdf")).toMatchObject({ status: 404 });
	});

	it("has every entry on as many pages as they need; more entries than a statement has are refused", { tags: ["thorough"] }, async () => {
		const user = await givenUser();
		const { id: accountId } = await givenCurrentAccount({ user });
		const at = Date.now();
		const changes = Array.from({ length: MOST_ENTRIES }, (_, index) => credit("MOVEMENT", `in ${index}`, 1_000 + index));
		for (let from = 0; from < changes.length; from += 100) await postAt(accountId, at, {}, ...changes.slice(from, from + 100));
		const path = { accountId };
		const { id } = expectOk(await call(issueStatement, { as: user.token, path, body: SPAN }));
		const { texts } = readPdf((await asFile(accountId, id, user.token, "application/pdf")).text);
		const shown = texts.flat().filter((text) => text === "Deposit or withdrawal");
		expect([shown.length, texts.length > 20, texts.at(-1)?.at(-2)]).toEqual([
			MOST_ENTRIES,
			true,
			`Page ${texts.length} of ${texts.length}`,
		]);
		await postAt(accountId, at, {}, credit("MOVEMENT", "one more", 1));
		expect(await call(issueStatement, { as: user.token, path, body: SPAN })).toMatchObject({ status: 400 });
	});
});
