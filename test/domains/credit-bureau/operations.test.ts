// Settings, disputes and identities for a credit bureau over HTTP.

import { beforeEach, expect, it } from "vitest";
import { listAudit } from "../../../src/domains/audit/operations";
import { closeAccount } from "../../../src/domains/credit-accounts/closing.operations";
import {
	listCreditBureauDisputes,
	openCreditBureauDispute,
	resolveCreditBureauDispute,
} from "../../../src/domains/credit-bureau/disputes.operations";
import { getCreditBureauIdentity, putCreditBureauIdentity } from "../../../src/domains/credit-bureau/identities.operations";
import { listCreditBureauRows, putCreditBureauSettings } from "../../../src/domains/credit-bureau/operations";
import { creditBureauDisputes, creditBureauIdentities, creditBureauRows } from "../../../src/domains/credit-bureau/table";
import { eraseUser } from "../../../src/domains/people/erasure.operations";
import { workOnErasures } from "../../../src/domains/people/job";
import { MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { db, givenMember, givenOrganization, operatorToken } from "../../support/factories";
import { runDueWork } from "../../support/loans";
import { clock, owedOn, payIn } from "../../support/portfolios";
import { closeUntil, givenBureau, makeFiles, passUntil, SETTINGS, writeOff } from "./bureau";

beforeEach(() => {
	clock.offsetMs = 0;
});

it("no settings allow a negative mark below the amount and the days of the law", async () => {
	const { put } = await givenBureau();
	expect(await put({ ...SETTINGS, threshold: 99_999 })).toMatchObject({ status: 400 });
	expect(await put({ ...SETTINGS, notice_days: 29 })).toMatchObject({ status: 400 });
	expect(expectOk(await put({ ...SETTINGS, currency: "UGX", threshold: 0, notice_days: 45 }))).toMatchObject({ notice_days: 45 });
});

it("a loan has one open dispute, which is resolved once, and both are in the audit trail", async () => {
	const { loan, by, colleague, organization } = await givenBureau();
	const { accountId: account_id } = await loan();
	const dispute = (body = { account_id, reason: "Says that it was paid." }) => call(openCreditBureauDispute, { ...by, body });
	const { id } = expectOk(await dispute());
	expect(await dispute()).toMatchObject({ status: 409 });
	const resolve = (as = colleague) => call(resolveCreditBureauDispute, { ...as, path: { disputeId: id }, body: { resolution: "It was." } });
	// Who has opened it does not resolve it.
	expect(await resolve(by)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
	expect(expectOk(await resolve())).toMatchObject({ id, account_id, resolution: "It was." });
	expect(await resolve()).toMatchObject({ status: 409 });
	const { id: second } = expectOk(await dispute());
	const listed = async (query: { status?: "OPEN" | "RESOLVED" }) =>
		expectOk(await call(listCreditBureauDisputes, { ...by, query })).data.map((row) => row.id);
	expect([await listed({}), await listed({ status: "OPEN" }), await listed({ status: "RESOLVED" })]).toEqual([
		[second, id],
		[second],
		[id],
	]);
	const owner = await givenMember(organization.id);
	const trail = expectOk(await call(listAudit, { as: owner.token, headers: by.headers, query: {} })).data;
	expect(trail.map(({ operation }) => operation)).toEqual(
		expect.arrayContaining(["openCreditBureauDispute", "resolveCreditBureauDispute"]),
	);
	expect(JSON.stringify(trail)).not.toContain("Says that");
	expect(await dispute({ account_id: crypto.randomUUID(), reason: "x" })).toMatchObject({ status: 404 });
});

it("the number of a document is shown in the files alone, to those who may change loans, and another lender sees none of it", async () => {
	const { loan, identify, by, headers, organization } = await givenBureau();
	const { borrower } = await loan();
	const path = { userId: borrower.id };
	expect(await call(getCreditBureauIdentity, { ...by, path })).toMatchObject({ status: 404 });
	const stated = await identify(borrower.id, { document_number: "ab 12" });
	expect(stated).toMatchObject({ status: 400 });
	expect(expectOk(await identify(borrower.id))).toMatchObject({ masked_number: "***678", name: "Wanjiru Kamau" });
	const viewer = await givenMember(organization.id, "organization-lending-viewer");
	const read = await call(getCreditBureauIdentity, { as: viewer.token, headers, path });
	expect(expectOk(read).masked_number).toBe("***678");
	expect(read.text).not.toContain("12345678");
	await passUntil("2030-01-31");
	const rows = { headers, path: { month: "2030-01" }, query: {} };
	expect(await call(listCreditBureauRows, { as: viewer.token, ...rows })).toMatchObject({ status: 403 });
	expect(expectOk(await call(listCreditBureauRows, { as: by.as, ...rows })).data[0]?.document_number).toBe("12345678");
	const other = await givenOrganization();
	const elsewhere = { as: (await givenMember(other.id)).token, headers: { "x-organization-id": other.id } };
	expect(await call(getCreditBureauIdentity, { ...elsewhere, path })).toMatchObject({ status: 404 });
	const body = { name: "X", document_type: "PASSPORT" as const, document_number: "AK12345", document_country: "KE" };
	expect(await call(putCreditBureauIdentity, { ...elsewhere, path, body })).toMatchObject({ status: 404 });
	expect(await call(listCreditBureauRows, { ...elsewhere, ...rows, headers: elsewhere.headers })).toMatchObject({ status: 404 });
	expect(await call(putCreditBureauSettings, { as: viewer.token, headers, body: SETTINGS })).toMatchObject({ status: 403 });
});

it("an erasure takes name, number and document out of files, and the words out of disputes", async () => {
	const { loan, identify, by } = await givenBureau();
	const lent = await loan();
	expectOk(await identify(lent.borrower.id));
	expectOk(await call(openCreditBureauDispute, { ...by, body: { account_id: lent.accountId, reason: "Wanjiru says so." } }));
	await payIn(lent, await owedOn(lent));
	expectOk(await call(closeAccount, { as: await operatorToken(), path: { accountId: lent.accountId } }));
	await passUntil("2030-01-31");
	const vars = { RETENTION_PERIODS: JSON.stringify({ loans: { days: 10, law: "a law of ten days" } }) };
	expectOk(await call(eraseUser, { as: await operatorToken(), path: { userId: lent.borrower.id }, vars }));
	await moveClock(MINUTE_MS);
	for (let times = 0; times < 2; times++)
		await runDueWork(async (services) => {
			while (await workOnErasures(services));
		});
	expect(await db.select().from(creditBureauIdentities)).toEqual([]);
	expect(await db.select().from(creditBureauRows)).toMatchObject([
		{ name: null, mobileNumber: null, documentNumber: null, status: "SETTLED" },
	]);
	expect(await db.select().from(creditBureauDisputes)).toMatchObject([{ reason: null }]);
});

it("what is erased comes back neither into a file that is made during the erasure nor as words of a dispute", async () => {
	const { loan, identify, by, colleague, rows } = await givenBureau();
	const lost = await loan();
	expectOk(await identify(lost.borrower.id));
	await passUntil("2030-01-31");
	await writeOff(lost.accountId);
	const dispute = () => call(openCreditBureauDispute, { ...by, body: { account_id: lost.accountId, reason: "Wanjiru says so." } });
	const { id } = expectOk(await dispute());
	await closeUntil("2030-02-28");
	const vars = { RETENTION_PERIODS: JSON.stringify({ loans: { days: 10, law: "a law of ten days" } }) };
	expectOk(await call(eraseUser, { as: await operatorToken(), path: { userId: lost.borrower.id }, vars }));
	// No portion of the erasure is worked off.
	expect(await db.select().from(creditBureauIdentities)).toHaveLength(1);
	await makeFiles();
	expect(await rows("2030-02")).toEqual([]);
	expect(await rows("2030-02", "LEFT_OUT")).toMatchObject([
		{ account_id: lost.accountId, name: null, mobile_number: null, document_type: null, document_number: null },
	]);
	const resolved = await call(resolveCreditBureauDispute, {
		...colleague,
		path: { disputeId: id },
		body: { resolution: "Wanjiru was right." },
	});
	expect(expectOk(resolved)).toMatchObject({ resolution: null });
	expect(await db.select({ words: creditBureauDisputes.resolution }).from(creditBureauDisputes)).toEqual([{ words: null }]);
	expect(await dispute()).toMatchObject({ status: 404 });
});
