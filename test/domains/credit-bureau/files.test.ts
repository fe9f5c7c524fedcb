// The monthly files for a credit bureau: what stands in them, the notice before a negative mark, and what ends it.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { openCreditBureauDispute, resolveCreditBureauDispute } from "../../../src/domains/credit-bureau/disputes.operations";
import { makeCreditBureauFiles } from "../../../src/domains/credit-bureau/job";
import { getCreditBureauSettings, listCreditBureauRows } from "../../../src/domains/credit-bureau/operations";
import { creditBureauRows } from "../../../src/domains/credit-bureau/table";
import { inbox } from "../../../src/domains/messages/inbox.table";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { call, expectOk } from "../../support/client";
import { dyingAt } from "../../support/crashes";
import { db, operatorToken } from "../../support/factories";
import { runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { clock, type Loan, owedOn, payIn } from "../../support/portfolios";
import { servePath } from "../../support/serve";
import { closeUntil, givenBureau, makeFiles, passUntil, type Row, SETTINGS, writeOff } from "./bureau";

beforeEach(() => {
	clock.offsetMs = 0;
});

const marks = (row: Row | undefined) => row && [row.status, row.days_past_due, row.negative, row.disputed];
const toldTo = async ({ borrower }: Loan) => (await db.select().from(inbox).where(eq(inbox.userId, borrower.id))).length;

describe("a loan in default", () => {
	it("is announced to its borrower thirty days before it is negative, is so in no file of a month that ends earlier, and not once it is paid", async () => {
		const { loan, rowOf, notices, files } = await givenBureau();
		const [late, paid, small] = [await loan(), await loan(), await loan({ amount: 50_000 })];
		// 89 days past due: not in default yet.
		await passUntil("2030-04-30");
		expect(marks(await rowOf("2030-04", late))).toEqual(["PERFORMING", 89, false, false]);
		expect(await notices()).toEqual([]);
		const before = await toldTo(late);
		await passUntil("2030-05-31");
		expect(marks(await rowOf("2030-05", late))).toEqual(["NON_PERFORMING", 120, false, false]);
		// Up to 1,000 shillings nothing is negative, and nobody gets a notice.
		expect(marks(await rowOf("2030-05", small))).toEqual(["NON_PERFORMING", 120, false, false]);
		const told = await notices();
		expect(told.map(({ account_id }) => account_id).sort()).toEqual([late.accountId, paid.accountId].sort());
		expect(told.find(({ account_id }) => account_id === late.accountId)).toMatchObject({
			...{ noticed_on: "2030-06-01", listable_from: "2030-07-01", status: "NOTIFIED", listed_in: null, ended_in: null },
			owed: { value: (await rowOf("2030-05", late))?.outstanding, currency: "KES" },
		});
		expect(await toldTo(late)).toBe(before + 1);
		await payIn(paid, await owedOn(paid));
		// The month ends a day before the notice is thirty days old.
		await passUntil("2030-06-30");
		expect(marks(await rowOf("2030-06", late))).toEqual(["NON_PERFORMING", 150, false, false]);
		expect(marks(await rowOf("2030-06", paid))).toEqual(["SETTLED", 0, false, false]);
		await passUntil("2030-07-31");
		expect(marks(await rowOf("2030-07", late))).toEqual(["NON_PERFORMING", 181, true, false]);
		expect(marks(await rowOf("2030-07", small))?.[2]).toBe(false);
		// What is settled is reported once.
		expect(await rowOf("2030-07", paid)).toBe(undefined);
		expect(await toldTo(late)).toBe(before + 1);
		await payIn(late, await owedOn(late));
		await passUntil("2030-08-31");
		expect(marks(await rowOf("2030-08", late))).toEqual(["SETTLED", 0, false, false]);
		expect(
			(await notices()).map(({ account_id, status, listed_in, ended_in }) => [account_id, status, listed_in, ended_in]).sort(),
		).toEqual(
			[
				[late.accountId, "ENDED", "2030-07", "2030-08"],
				[paid.accountId, "ENDED", null, "2030-06"],
			].sort(),
		);
		expect((await files()).map(({ month, negative }) => [month, negative]).slice(0, 4)).toEqual([
			["2030-08", 0],
			["2030-07", 1],
			["2030-06", 0],
			["2030-05", 0],
		]);
	});

	it("is negative once it is written off and announced, at any number of days, until it is paid after all", async () => {
		const { loan, rowOf, notices } = await givenBureau();
		const lost = await loan();
		await passUntil("2030-01-31");
		await writeOff(lost.accountId);
		await passUntil("2030-02-28");
		expect(marks(await rowOf("2030-02", lost))).toEqual(["WRITTEN_OFF", 28, false, false]);
		await passUntil("2030-03-31");
		const march = await rowOf("2030-03", lost);
		expect(marks(march)?.slice(2)).toEqual([true, false]);
		expect([march?.overdue, march?.status]).toEqual([march?.outstanding, "WRITTEN_OFF"]);
		await payIn(lost, march?.outstanding ?? 0);
		await passUntil("2030-04-30");
		expect(marks(await rowOf("2030-04", lost))).toEqual(["SETTLED", 0, false, false]);
		expect(await notices()).toMatchObject([{ noticed_on: "2030-03-01", status: "ENDED", listed_in: "2030-03", ended_in: "2030-04" }]);
	});

	it("needs another notice after it was cured while no files were made", async () => {
		const { loan, rowOf, notices, put } = await givenBureau();
		const late = await loan({ amount: 500_000 });
		await passUntil("2030-05-31");
		expectOk(await put({ ...SETTINGS, enabled: false }));
		await closeUntil("2030-06-09");
		// A part of the last installment is left, which was due on April 1.
		await payIn(late, (await owedOn(late)) - 150_000);
		await closeUntil("2030-07-31");
		expectOk(await put(SETTINGS));
		await passUntil("2030-08-31");
		expect(marks(await rowOf("2030-08", late))?.slice(1)).toEqual([152, false, false]);
		const told = (await notices()).map(({ noticed_on, status, listed_in, ended_in }) => [noticed_on, status, listed_in, ended_in]);
		expect(told).toEqual([
			["2030-09-01", "NOTIFIED", null, null],
			["2030-06-01", "ENDED", null, "2030-08"],
		]);
		await passUntil("2030-10-31");
		expect(marks(await rowOf("2030-09", late))?.[2]).toBe(false);
		expect(marks(await rowOf("2030-10", late))?.[2]).toBe(true);
	});

	it("needs another notice where a payment that arrived late shows that it was not in default when it was announced", async () => {
		const { loan, rowOf, rows, notices } = await givenBureau();
		const late = await loan({ amount: 500_000 });
		await passUntil("2030-05-31");
		await passUntil("2030-06-30");
		expect(await notices()).toMatchObject([{ noticed_on: "2030-06-01", status: "NOTIFIED" }]);
		// Of May 20: the installment of January is paid, and that of March 2 is 90 days past due at the end of May.
		await closeUntil("2030-07-03");
		await payIn(late, 300_000, 45);
		await passUntil("2030-07-31");
		expect((await rows("2030-07")).map(({ as_of, days_past_due, negative }) => [as_of, days_past_due, negative])).toEqual([
			["2030-07-31", 151, false],
			["2030-05-31", 90, false],
			["2030-06-30", 120, false],
		]);
		expect((await notices()).map(({ noticed_on, status }) => [noticed_on, status])).toEqual([
			["2030-08-01", "NOTIFIED"],
			["2030-06-01", "ENDED"],
		]);
		await passUntil("2030-08-31");
		expect(marks(await rowOf("2030-08", late))?.[2]).toBe(true);
	});

	it("has the mark of a dispute while that is open, and no negative mark begins meanwhile", async () => {
		const { loan, rowOf, by, colleague } = await givenBureau();
		const late = await loan();
		await passUntil("2030-05-31");
		const body = { account_id: late.accountId, reason: "Says that it was paid in March." };
		const { id } = expectOk(await call(openCreditBureauDispute, { ...by, body }));
		await passUntil("2030-07-31");
		expect(marks(await rowOf("2030-07", late))).toEqual(["NON_PERFORMING", 181, false, true]);
		const resolution = { resolution: "No such payment was found." };
		expectOk(await call(resolveCreditBureauDispute, { ...colleague, path: { disputeId: id }, body: resolution }));
		await passUntil("2030-08-31");
		expect(marks(await rowOf("2030-08", late))).toEqual(["NON_PERFORMING", 212, true, false]);
		// A mark that has begun stays while another dispute is open.
		expectOk(await call(openCreditBureauDispute, { ...by, body }));
		await passUntil("2030-09-30");
		expect(marks(await rowOf("2030-09", late))).toEqual(["NON_PERFORMING", 242, true, true]);
	});
});

describe("a file", () => {
	it("never changes: what turns out otherwise is a row of the next one, which names the row that it corrects", async () => {
		const { loan, rows } = await givenBureau();
		const [one, other] = [await loan(), await loan()];
		const paid = await payIn(other, 20_000);
		await passUntil("2030-01-31");
		const january = await rows("2030-01");
		expect(january.find(({ account_id }) => account_id === other.accountId)).toMatchObject({
			...{ last_payment_on: "2030-01-01", last_payment_amount: 20_000, opened_on: "2030-01-01", as_of: "2030-01-31" },
		});
		// In the middle of February a payment of January arrives, and the other bounces.
		await closeUntil("2030-02-14");
		await payIn(one, 30_000, 20);
		expectOk(await call(reverseRepayment, { as: await operatorToken(), path: { id: paid }, body: { reason: "bounced" } }));
		await passUntil("2030-02-28");
		expect(await rows("2030-01")).toEqual(january);
		const corrections = (await rows("2030-02")).filter(({ corrects_file }) => corrects_file !== null);
		expect(
			corrections.map(({ account_id, corrects_file, corrects_row, as_of }) => [account_id, corrects_file, corrects_row, as_of]),
		).toEqual(january.map(({ account_id, row }) => [account_id, "2030-01", row, "2030-01-31"]));
		const about = (loanOf: Loan) => corrections.find(({ account_id }) => account_id === loanOf.accountId);
		const [owed, less] = [january.find(({ account_id }) => account_id === one.accountId)?.outstanding ?? 0, about(one)?.outstanding ?? 0];
		expect(owed - less).toBeGreaterThanOrEqual(30_000);
		expect(about(one)).toMatchObject({ last_payment_on: "2030-01-26", last_payment_amount: 30_000, days_past_due: 0 });
		expect(about(other)).toMatchObject({ last_payment_on: null, last_payment_amount: null });
		await passUntil("2030-03-31");
		expect((await rows("2030-03")).filter(({ corrects_file }) => corrects_file !== null)).toEqual([]);
	});

	it("lists apart, with the reason, who lacks what the layout requires, and sends them no notice", async () => {
		const { loan, identify, rows, notices, put, files } = await givenBureau();
		const [nameless, silent, known] = [await loan({ name: null }), await loan({ number: null }), await loan({ name: null })];
		expectOk(await identify(known.borrower.id));
		await passUntil("2030-05-31");
		expect((await rows("2030-05", "LEFT_OUT")).map(({ account_id, left_out_reason }) => [account_id, left_out_reason]).sort()).toEqual(
			[
				[nameless.accountId, "NO_NAME"],
				[silent.accountId, "NO_MOBILE_NUMBER"],
			].sort(),
		);
		expect(await rows("2030-05")).toMatchObject([
			{
				...{ account_id: known.accountId, customer_id: known.borrower.id, name: "Wanjiru Kamau", row: 1 },
				...{ document_type: "NATIONAL_ID", document_number: "12345678", document_country: "KE" },
			},
		]);
		expect((await notices()).map(({ account_id }) => account_id)).toEqual([known.accountId]);
		expect((await files())[0]).toMatchObject({ month: "2030-05", accounts: 1, left_out: 2, corrections: 0 });
		expectOk(await put({ ...SETTINGS, currency: "UGX", threshold: 0 }));
		await passUntil("2030-06-30");
		expect(new Set((await rows("2030-06", "LEFT_OUT")).map(({ left_out_reason }) => left_out_reason))).toEqual(new Set(["OTHER_CURRENCY"]));
		expect(await rows("2030-06")).toEqual([]);
	});

	it("is made once, in portions, after a death at any trip", { timeout: 60_000 }, async () => {
		const { loan, rows, files, notices } = await givenBureau();
		for (let index = 0; index < 5; index++) await loan();
		await closeUntil("2030-05-31");
		expectErrors("a file for the credit bureau could not be made");
		for (const when of ["before", "after"] as const)
			for (let trip = 1; trip <= 9; trip++) await makeFiles(2, dyingAt(trip, when).vars).catch(() => {});
		await Promise.all([makeFiles(2), makeFiles(2)]);
		await makeFiles(2);
		expect((await rows("2030-05")).map(({ row }) => row)).toEqual([1, 2, 3, 4, 5]);
		expect(new Set((await rows("2030-05")).map(({ account_id }) => account_id)).size).toBe(5);
		expect((await files())[0]).toMatchObject({ month: "2030-05", accounts: 5 });
		expect(await notices()).toHaveLength(5);
		await expect(db.update(creditBureauRows).set({ owed: 1 })).rejects.toThrow();
		await expect(db.delete(creditBureauRows)).rejects.toThrow();
	});

	it("is not lost where files were switched off and on within a month, and cannot be switched off while it is made", async () => {
		const { loan, files, put } = await givenBureau();
		await loan();
		await loan();
		await closeUntil("2030-01-31");
		const off = { ...SETTINGS, enabled: false };
		expectOk(await put(off));
		expect(expectOk(await put(SETTINGS)).next_month).toBe("2030-01");
		await runDueWork((services) => makeCreditBureauFiles(services, 1));
		expect(await put(off)).toMatchObject({ status: 409 });
		await makeFiles();
		expectOk(await put(off));
		await closeUntil("2030-04-09");
		// While they are off, a change of the settings is none of whether they are wanted.
		expectOk(await put({ ...off, notice_days: 40 }));
		await closeUntil("2030-04-11");
		expect(expectOk(await put(SETTINGS)).next_month).toBe("2030-04");
		await passUntil("2030-04-30");
		expect((await files()).map(({ month }) => month)).toEqual(["2030-04", "2030-01"]);
	});

	it("waits for the portfolios, is none while it is switched off, and is read page by page and as CSV", async () => {
		const { loan, files, put, by, headers, admin } = await givenBureau(null);
		const { as } = { as: by.as };
		expect(expectOk(await call(getCreditBureauSettings, by))).toMatchObject({ enabled: false, currency: null });
		await loan();
		await loan();
		await passUntil("2030-01-31");
		expect(await files()).toEqual([]);
		expectOk(await put(SETTINGS));
		await closeUntil("2030-02-27");
		await makeFiles();
		expect(await files()).toEqual([]);
		await passUntil("2030-02-28");
		expect((await files()).map(({ month }) => month)).toEqual(["2030-02"]);
		expectOk(await put({ ...SETTINGS, enabled: false }));
		await passUntil("2030-03-31");
		expect(await files()).toHaveLength(1);
		const path = { month: "2030-02" };
		const first = expectOk(await call(listCreditBureauRows, { as, headers, path, query: { size: "1" } }));
		const second = expectOk(await call(listCreditBureauRows, { as, headers, path, query: { size: "1", after: first.links.next ?? "" } }));
		expect([first.data[0]?.row, second.data[0]?.row, second.links.next]).toEqual([1, 2, null]);
		const csv = await servePath("/v1/credit-bureau/files/2030-02/rows", {
			headers: { ...headers, authorization: `Bearer ${admin.token}`, accept: "text/csv" },
		});
		expect(
			(await csv.text())
				.split("\r\n")
				.slice(0, 2)
				.map((line) => line.split(",").length),
		).toEqual([24, 24]);
		expect((await call(listCreditBureauRows, { as, headers, path: { month: "2030-03" }, query: {} })).status).toBe(404);
	});
});
