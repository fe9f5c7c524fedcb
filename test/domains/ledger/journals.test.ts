// Journals over HTTP: by the numbers of the lender's own ledger, in the file that Xero imports, across a change of the mapping.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { requestLedgerMapping } from "../../../src/domains/approvals/mapping.operations";
import { listLedgerJournals } from "../../../src/domains/ledger/journals.operations";
import { listLedgerMappings } from "../../../src/domains/ledger/mapping.operations";
import { CHART_ACCOUNTS } from "../../../src/domains/ledger/model/chart.policy";
import { isByProduct } from "../../../src/domains/ledger/model/mapping.policy";
import { getTrialBalance } from "../../../src/domains/ledger/operations";
import { loanProducts } from "../../../src/domains/loan-products/model/table";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { addDays, daysBetween, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { closeDays, givenBooks } from "../../support/closings";
import { THREE_INSTALLMENTS } from "../../support/credit";
import { db, givenApiKey, givenMember, givenOrganization, givenUser } from "../../support/factories";
import { entriesOf } from "../../support/journal";
import { givenLoanProduct, givenOffer } from "../../support/loans";
import { clock, type Loan, payIn, waitDays } from "../../support/portfolios";
import { servePath } from "../../support/serve";

beforeEach(() => {
	clock.offsetMs = 0;
});

const DAY_ONE = "2030-01-01";
const numbersFrom = (prefix: string) => CHART_ACCOUNTS.map(({ number: account }) => ({ account, number: `${prefix}${account}` }));

async function passUntil(day: string): Promise<void> {
	await waitDays(daysBetween(localDate(clock.now()), day) + 1);
	await closeDays();
}

/** Two loans of one product and one of another, since 2030-01-01. */
async function givenLoans() {
	await waitDays(daysBetween(localDate(clock.now()), DAY_ONE));
	const books = await givenBooks();
	const { id, headers, asker, decide, as } = books;
	const { id: otherId } = await givenLoanProduct({ ...THREE_INSTALLMENTS, organization_id: id });
	const borrower = await givenUser({ organizationId: id });
	const offer = await givenOffer(borrower.token, otherId);
	const path = { application_id: offer.id };
	expectOk(await call(applyForLoan, { as: borrower.token, path, body: { loan_amount: 20_000 } }));
	const propose = (body: object, who = asker.token) => call(requestLedgerMapping, { as: who, headers, body: body as never });
	const adopt = async (body: object) => expectOk(await decide(expectOk(await propose(body)).id));
	const csv = async (query: string) => {
		const answer = await servePath(`/v1/ledger/journals?${query}`, { headers: { "x-api-key": as, accept: "text/csv" } });
		return { text: await answer.text(), status: answer.status };
	};
	const balances = async (on: string, loan_product_id?: string) => {
		const query = { size: "500", on, ...(loan_product_id && { loan_product_id }) };
		return new Map(expectOk(await call(getTrialBalance, { as, query })).data.map((row) => [row.account, row.debit - row.credit]));
	};
	const journals = async (query: { [name: string]: string }) => expectOk(await call(listLedgerJournals, { as, query })).data;
	return { ...books, otherId, propose, adopt, csv, balances, journals };
}

/** The rows of a file as a spreadsheet reads them. */
const read = (text: string): string[][] =>
	text
		.trimEnd()
		.split("\r\n")
		.map((line) =>
			Array.from(
				line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g),
				([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
			),
		);

const minor = (amount = ""): number => Math.round(Number(amount) * 100);

type Sums = Map<string, number>;
const add = (sums: Sums, key: string, amount: number): Sums => sums.set(key, (sums.get(key) ?? 0) + amount);
const nonZero = (sums: Sums) => Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).sort());

describe("a month across a change of the mapping", () => {
	it("is a journal a day whose lines sum to zero, and moves each number by what the trial balance has moved", async () => {
		const { id, loans, productId, otherId, as, adopt, csv, balances, journals } = await givenLoans();
		await adopt({ effective_from: DAY_ONE, accounts: numbersFrom("6") });
		await adopt({ effective_from: DAY_ONE, loan_product_id: otherId, accounts: [{ account: "1210", number: "610-B", name: "Loans B" }] });
		await passUntil("2030-01-09");
		await payIn(loans[0] as Loan, 3_000, 2);
		await passUntil("2030-01-14");
		const before = await csv("to=2030-01-14&size=31");
		await adopt({ effective_from: "2030-01-16", accounts: numbersFrom("7") });
		await passUntil("2030-01-20");
		await payIn(loans[1] as Loan, 12_345);
		await passUntil("2030-01-31");

		const { text } = await csv("from=2030-01-01&to=2030-01-31&size=31");
		const [head, ...rows] = read(text);
		expect(head?.join()).toBe(
			"*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2",
		);
		const byJournal: Sums = new Map();
		const byNumber: Sums = new Map();
		for (const [narration = "", date = "", , number = "", rate, amount, ...tracking] of rows) {
			const day = date.split("/").reverse().join("-");
			expect(narration).toBe(`Lending ${day} KES`);
			expect([rate, ...tracking]).toEqual(["Tax Exempt", "", "", "", ""]);
			add(byJournal, `${narration} ${date}`, minor(amount));
			add(byNumber, number, minor(amount));
		}
		// Interest is earned on each day but the first.
		expect(byJournal.size).toBe(31);
		expect([...new Set(byJournal.values())]).toEqual([0]);

		const wanted: Sums = new Map();
		const parts = [
			[undefined, "2030-01-15", "6"],
			["2030-01-15", "2030-01-31", "7"],
		] as const;
		for (const [since, until, prefix] of parts) {
			const moved = async (product?: string) => {
				const [now, then] = [await balances(until, product), since ? await balances(since, product) : new Map()];
				return new Map(CHART_ACCOUNTS.map(({ number }) => [number, (now.get(number) ?? 0) - (then.get(number) ?? 0)]));
			};
			const other = await moved(otherId);
			for (const [account, amount] of await moved()) {
				const own = account === "1210" ? (other.get(account) ?? 0) : 0;
				add(wanted, `${prefix}${account}`, amount - own);
				if (own !== 0) add(wanted, "610-B", own);
			}
		}
		expect(nonZero(byNumber)).toEqual(nonZero(wanted));
		expect(byNumber.get("610-B")).toBe(20_000);

		// To the entry: each line is the sum of the entries' lines of its day, account and product.
		const summed: Sums = new Map();
		for (const { day, loanProductId, lines } of await entriesOf(id)) {
			if (day <= "2030-01-31")
				for (const [account, amount] of lines) add(summed, `${day} ${isByProduct(account) ? loanProductId : ""} ${account}`, amount);
		}
		const listed: Sums = new Map();
		for (const { day, lines } of await journals({ size: "31" })) {
			for (const { account, loan_product_id, debit, credit } of lines)
				add(listed, `${day} ${loan_product_id ?? ""} ${account}`, debit - credit);
		}
		expect(nonZero(listed)).toEqual(nonZero(summed));
		expect([...listed.keys()].some((key) => key.includes(productId))).toBe(true);

		// Its days were closed: neither the new mapping nor anything else changes what was read before.
		expect((await csv("to=2030-01-14&size=31")).text).toBe(before.text);
		// Page by page it is the same, there and back.
		const pages: string[] = [];
		for (let after: string | null | undefined; after !== null; ) {
			const query: { [name: string]: string } = { from: DAY_ONE, to: "2030-01-31", size: "4", ...(after && { after }) };
			const { data, links } = expectOk(await call(listLedgerJournals, { as, query }));
			pages.push(...data.map(({ day }) => day));
			if (pages.length === 12) {
				const back = expectOk(
					await call(listLedgerJournals, { as, query: { ...query, after: undefined, before: links.prev ?? "" } as never }),
				);
				expect(back.data.map(({ day }) => day)).toEqual(pages.slice(4, 8));
			}
			after = links.next;
		}
		expect(pages).toEqual(Array.from({ length: 31 }, (_, index) => addDays(DAY_ONE, index)));
	});

	it("has the chart's own numbers on days before the first mapping", async () => {
		const { adopt, journals } = await givenLoans();
		await passUntil("2030-01-02");
		await adopt({ effective_from: "2030-01-04", accounts: numbersFrom("6") });
		await passUntil("2030-01-04");
		const numbers = (await journals({})).map(({ day, lines }) => [day, lines.some(({ number, account }) => number === account)]);
		expect(numbers).toEqual([
			[DAY_ONE, true],
			["2030-01-02", true],
			["2030-01-03", true],
			["2030-01-04", false],
		]);
	});
});

describe("the file", () => {
	it("has closed days alone", async () => {
		const { csv, journals } = await givenLoans();
		expect(await journals({})).toEqual([]);
		expect(await csv("to=2030-01-02")).toMatchObject({ status: 400, text: expect.stringContaining("no day is closed") });
		await passUntil("2030-01-03");
		for (const query of ["to=2030-01-04", "from=2030-01-04", "from=2030-01-03&to=2030-01-02"]) expect((await csv(query)).status).toBe(400);
		expect(await journals({ from: "2000-01-01", to: "2029-12-31" })).toEqual([]);
		expect(await journals({ currency: "UGX" })).toEqual([]);
		expect((await journals({ from: "2000-01-01", currency: "KES" })).map(({ day }) => day)).toEqual([DAY_ONE, "2030-01-02", "2030-01-03"]);
	});

	it("cannot run as a formula, and keeps its cells together", async () => {
		const { csv, otherId } = await givenLoans();
		await db.update(loanProducts).set({ name: '=HYPERLINK("x"), "B"' }).where(eq(loanProducts.id, otherId));
		await passUntil(DAY_ONE);
		const { text } = await csv(`to=${DAY_ONE}&tax_rate=${encodeURIComponent("=1+1")}`);
		const rows = read(text).slice(1);
		expect(rows.map(({ length }) => length)).toEqual(rows.map(() => 10));
		expect(rows.map((row) => row[2])).toContain('1210 Loan principal, =HYPERLINK("x"), "B"');
		expect(new Set(rows.map((row) => row[4]))).toEqual(new Set(["'=1+1"]));
		// Amounts are numbers: a credit begins with a minus and stays so.
		expect(rows.map((row) => row[5])).toContain("-410.00");
	});

	it("is of the organization alone, for readers of the ledger", async () => {
		const { id, headers } = await givenLoans();
		await passUntil(DAY_ONE);
		const stranger = await givenOrganization();
		const as = await givenApiKey(stranger.id, ["ledger:read"]);
		expect(expectOk(await call(listLedgerJournals, { as, query: {} })).data).toEqual([]);
		expect(await call(listLedgerJournals, { as: await givenApiKey(id, ["portfolio:read"]), query: {} })).toMatchObject({ status: 403 });
		for (const [role, status] of [["organization-lending-viewer", 200] as const, ["organization-developer", 403] as const]) {
			const { token } = await givenMember(id, role);
			expect(await call(listLedgerJournals, { as: token, headers, query: {} })).toMatchObject({ status });
			expect(await call(listLedgerMappings, { as: token, headers, query: {} })).toMatchObject({ status });
		}
	});
});

describe("a mapping", () => {
	const MAPPING = { effective_from: "2030-01-02", accounts: numbersFrom("6") };

	it("is asked for by one member, approved by another, and kept in versions", async () => {
		const { as, asker, decider, propose, decide, adopt } = await givenLoans();
		const asked = expectOk(await propose({ ...MAPPING, reason: "the auditor's chart" }));
		expect(asked).toMatchObject({ approval_type: "LEDGER_MAPPING", status: "PENDING", entity_type: "ORGANIZATION" });
		expect(await propose(MAPPING, decider.token)).toMatchObject({ status: 409, body: { code: "APPROVAL_PENDING" } });
		expect(await decide(asked.id, "APPROVED", undefined, asker.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(expectOk(await call(listLedgerMappings, { as, query: {} })).data).toEqual([]);
		expect(expectOk(await decide(asked.id)).status).toBe("APPROVED");
		await adopt({ ...MAPPING, effective_from: "2030-02-01" });
		const versions = expectOk(await call(listLedgerMappings, { as, query: {} })).data;
		expect(versions.map(({ effective_from }) => effective_from)).toEqual(["2030-02-01", "2030-01-02"]);
		expect(versions[1]).toMatchObject({
			approval_request_id: asked.id,
			requested_by: asker.id,
			approved_by: decider.id,
			loan_product_id: null,
		});
		expect(versions[1]?.accounts).toEqual(MAPPING.accounts.map((account) => ({ ...account, name: null })));
		const stranger = await givenApiKey((await givenOrganization()).id, ["ledger:read"]);
		expect(expectOk(await call(listLedgerMappings, { as: stranger, query: {} })).data).toEqual([]);
	});

	it("leaves no account without a number, of any product", async () => {
		const { productId, propose } = await givenLoans();
		const refused = async (body: object, why: string) =>
			expect(await propose({ ...MAPPING, ...body })).toMatchObject({ status: 400, text: expect.stringContaining(why) });
		const [first = { account: "1110", number: "1" }, ...rest] = MAPPING.accounts;
		await refused({ accounts: rest }, "must have a number for every account of the chart, and lacks: 1110");
		await refused({ accounts: [] }, "lacks: 1110, 1120");
		await refused({ accounts: [first, ...MAPPING.accounts] }, "has accounts more than once: 1110");
		await refused({ accounts: [...MAPPING.accounts, { account: "9999", number: "1" }] }, "not in the chart: 9999");
		await refused({ accounts: [{ ...first, number: "=1+1" }, ...rest] }, "must be 1 to 20 letters");
		// Receipts are of no product yet, so their accounts have one number for all.
		await refused({ loan_product_id: productId, accounts: [{ account: "2110", number: "1" }] }, "do not all belong to a product: 2110");
		expect(await propose({ ...MAPPING, loan_product_id: crypto.randomUUID(), accounts: [] })).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE", description: expect.stringContaining("no such loan product") },
		});
	});

	it("counts from a day that is not closed, one version from each day, in any order of making", async () => {
		const { id, as, propose, adopt, decide, journals } = await givenLoans();
		await passUntil("2030-01-03");
		const refused = async (effective_from: string, why: string) =>
			expect(await propose({ ...MAPPING, effective_from })).toMatchObject({
				status: 409,
				body: { code: "INVALID_STATE", description: expect.stringContaining(why) },
			});
		await refused("2030-01-03", "a later day than 2030-01-03, the last closed one");
		await adopt({ ...MAPPING, effective_from: "2030-01-05" });
		await refused("2030-01-05", "a mapping from 2030-01-05 on already");
		await adopt({ accounts: numbersFrom("7"), effective_from: "2030-01-04" });
		const late = expectOk(await propose({ ...MAPPING, effective_from: "2030-01-06" }));
		await passUntil("2030-01-06");
		expect(expectOk(await decide(late.id))).toMatchObject({ status: "FAILED", failure_reason: "CLOSED" });
		expect(expectOk(await call(listLedgerMappings, { as, query: {} })).data).toHaveLength(2);
		const numbers = (await journals({ from: "2030-01-04" })).map(({ lines }) => new Set(lines.map(({ number }) => number[0])));
		expect(numbers).toEqual(["7", "6", "6"].map((prefix) => new Set([prefix])));
		const { token } = await givenMember(id, "organization-lending-viewer");
		expect(await propose({ ...MAPPING, effective_from: "2031-01-01" }, token)).toMatchObject({ status: 403 });
	});

	it("counts from at most 366 days ahead, so that a mistyped year does not stay", async () => {
		const { propose, adopt, decide } = await givenLoans();
		const from = (days: number) => ({ ...MAPPING, effective_from: addDays(localDate(clock.now()), days) });
		expect(await propose(from(367))).toMatchObject({ status: 400, text: expect.stringContaining("body.effective_from") });
		const asked = expectOk(await propose(from(366)));
		await waitDays(-1);
		expect(expectOk(await decide(asked.id))).toMatchObject({ status: "FAILED", failure_reason: "TOO_FAR_AHEAD" });
		await adopt(from(366));
		await adopt(from(1));
	});
});
