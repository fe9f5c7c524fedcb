// Journals over HTTP: by the numbers of the lender's own ledger, in the file that Xero imports, across a change of the mapping.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { listLedgerJournals } from "../../../src/domains/ledger/journals.operations";
import { listLedgerMappings } from "../../../src/domains/ledger/mapping.operations";
import { CHART_ACCOUNTS } from "../../../src/domains/ledger/model/chart.policy";
import { isByProduct } from "../../../src/domains/ledger/model/mapping.policy";
import { ledgerMappings } from "../../../src/domains/ledger/model/mapping.table";
import { loanProducts } from "../../../src/domains/loan-products/model/table";
import { addDays } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { db, givenApiKey, givenMember, givenOrganization } from "../../support/factories";
import { entriesOf } from "../../support/journal";
import { DAY_ONE, givenLoans, numbersFrom, passUntil } from "../../support/own-ledger";
import { clock, type Loan, payIn } from "../../support/portfolios";

beforeEach(() => {
	clock.offsetMs = 0;
});

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

	it("has the numbers of the first mapping that is made on the days before it, and the chart's without any", async () => {
		const { adopt, journals } = await givenLoans();
		await passUntil("2030-01-02");
		const prefixes = async () =>
			(await journals({})).map(({ lines }) => [...new Set(lines.map(({ number, account }) => number.slice(0, -account.length)))].join());
		expect(await prefixes()).toEqual(["", ""]);
		await adopt({ effective_from: "2030-01-05", accounts: numbersFrom("6") });
		expect(await prefixes()).toEqual(["6", "6"]);
		// What the closed days have stays, also when a mapping from an earlier day is made.
		await adopt({ effective_from: "2030-01-04", accounts: numbersFrom("7") });
		await passUntil("2030-01-05");
		expect(await prefixes()).toEqual(["6", "6", "6", "7", "6"]);
	});

	it("is refused as long as no mapping names an account that the chart has got since, with the account and the day", async () => {
		const { id, as, adopt, csv, journals } = await givenLoans();
		// As it was made when the chart had no 1210.
		const accounts = numbersFrom("6").flatMap((mapped) => (mapped.account === "1210" ? [] : { ...mapped, name: null }));
		const by = { approvalId: crypto.randomUUID(), requestedBy: "a", approvedBy: "b", reason: null, createdAt: clock.now() };
		const older = { organizationId: id, loanProductId: "", effectiveFrom: DAY_ONE, id: crypto.randomUUID(), accounts, ...by };
		await db.insert(ledgerMappings).values(older);
		await passUntil(DAY_ONE);
		expect(await call(listLedgerJournals, { as, query: {} })).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE", description: expect.stringContaining(`1210 Loan principal has no number on ${DAY_ONE}`) },
		});
		expect(await csv(`to=${DAY_ONE}`)).toMatchObject({ status: 409 });
		await adopt({ effective_from: "2030-01-03", accounts: numbersFrom("7") });
		const [first] = await journals({});
		const others = first?.lines.filter(({ account }) => account !== "1210") ?? [];
		expect(first?.lines.find(({ account }) => account === "1210")?.number).toBe("71210");
		expect(others.map(({ number }) => number)).toEqual(others.map(({ account }) => `6${account}`));
	});
});

describe("the file", () => {
	it("leaves out no day if a month ends between two of its pages", async () => {
		const { as } = await givenLoans();
		await passUntil("2030-01-31");
		const page = async (query: object) => {
			const { data, links } = expectOk(await call(listLedgerJournals, { as, query: { size: "20", ...query } as never }));
			return { days: data.map(({ day }) => day), links };
		};
		const first = await page({});
		expect(first.days.at(-1)).toBe("2030-01-20");
		await passUntil("2030-02-01");
		const second = await page({ after: first.links.next });
		expect(second.days).toEqual(Array.from({ length: 12 }, (_, index) => addDays("2030-01-21", index)));
		expect((await page({ before: second.links.prev })).days).toEqual(first.days);
	});

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
