// Imports over HTTP: what is refused and listed, what a repeated portion changes, and what neither a race nor a crash can tear apart.

import { beforeEach, describe, expect, it } from "vitest";
import example from "../../../docs/import-example.ndjson?raw";
import { names } from "../../../src/db/names.table";
import { purge } from "../../../src/db/purge";
import { getAccount } from "../../../src/domains/accounts/operations";
import { decideApproval, getApproval } from "../../../src/domains/approvals/operations";
import { accountTransactions, allocations, creditAccounts, creditCycles } from "../../../src/domains/credit-accounts/table";
import { workOnImports } from "../../../src/domains/imports/job";
import { addImportLines, createImport, getImport, listImportAccounts, runImport } from "../../../src/domains/imports/operations";
import { expiredLines } from "../../../src/domains/imports/store";
import { importAccounts, importLines, imports } from "../../../src/domains/imports/table";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { users } from "../../../src/domains/users/model/table";
import { addDays, DAY_MS, localDate } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { expectCredit, paymentTo } from "../../support/credit";
import { accessToken, db, givenApiKey, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { beforeCommit, eventsOf, givenLoanProduct, givenOffer, runDueWork } from "../../support/loans";
import { linesOf, NUMBER, type OldAccount } from "./old-account";

const today = localDate(Date.now());
let as: string;
let organizationId: string;
let productId: string;
let path: { importId: string };

beforeEach(async () => {
	as = await operatorToken();
	organizationId = (await givenOrganization()).id;
	productId = (await givenLoanProduct({ organization_id: organizationId })).id;
	path = { importId: expectOk(await begin()).id };
});

const begin = () => call(createImport, { as, body: { organization_id: organizationId, name: "core banking" } });
const work = (vars: Partial<Env> = {}) =>
	runDueWork(async (services) => {
		while (await workOnImports(services));
	}, vars);
const read = async () => expectOk(await call(getImport, { as, path }));
const check = async () => {
	expectOk(await call(runImport, { as, path, body: { dry_run: true } }));
	await work();
	return read();
};
const start = async () => call(runImport, { as, path, body: { dry_run: false, revision: (await read()).revision } });
const failed = async () => expectOk(await call(listImportAccounts, { as, path, query: {} })).data;
const add = (lines: readonly object[], vars: Partial<Env> = {}) => call(addImportLines, { as, path, body: lines as never, vars });

const oldAccount = (account: string, about: Omit<OldAccount, "product"> & { product?: string } = {}) =>
	linesOf(account, { product: productId, ...about });

describe("the lines of an import", () => {
	it("change nothing when they are sent again, by 32 callers at once or after the import is done", { tags: ["thorough"] }, async () => {
		const lines = oldAccount("L-1");
		const answers = await Promise.all(Array.from({ length: 32 }, () => add(lines)));
		expect(answers.map(({ status }) => status)).toEqual(Array(32).fill(200));
		expect(await read()).toMatchObject({ status: "OPEN", revision: 1, accounts: { staged: 1 } });
		expect(await db.select().from(importLines)).toHaveLength(lines.length);
		expect(await check()).toMatchObject({ status: "CHECKED", revision: 1, accounts: { equal: 1 } });
		expectOk(await add(lines));
		expect(await read()).toMatchObject({ status: "CHECKED", revision: 1, accounts: { equal: 1 } });
		expectOk(await start());
		await work();
		expect(expectOk(await add(lines))).toMatchObject({ lines: lines.length, skipped: lines.length });
		expect(await read()).toMatchObject({ status: "DONE", revision: 1, accounts: { imported: 1 } });
		expect(await db.select().from(importLines)).toEqual([]);
		const again = await begin();
		expect([again.status, expectOk(again).id]).toEqual([200, path.importId]);
	});

	it("of other accounts leave alone those that are equal or imported, and all while they are checked", async () => {
		const linesOf = (account: string, mobileNumber = NUMBER) => oldAccount(account, { mobileNumber });
		const first = linesOf("L-1");
		expectOk(await add(first));
		await check();
		expectOk(await add([...first, ...linesOf("L-2", "+254712345679")]));
		expect(await read()).toMatchObject({ status: "OPEN", revision: 2, accounts: { equal: 1, staged: 1 } });
		const checked = beforeCommit(async () => expectOk(await call(runImport, { as, path, body: { dry_run: true } })));
		expect(await add(linesOf("L-3"), checked)).toMatchObject({ status: 409 });
		await work();
		expectOk(await start());
		await Promise.all([work(), work()]);
		expect(expectOk(await add([...first, ...linesOf("L-3")]))).toMatchObject({ skipped: first.length });
		expect(await read()).toMatchObject({ accounts: { imported: 2, staged: 1 } });
	});

	it("are refused with the number of the line that is wrong, and none is stored", async () => {
		const [account, fact] = oldAccount("L-1");
		const wrong = (lines: object[] | string) => send(addImportLines as never, { as, path, body: lines as object });
		const faultOf = async (lines: object[] | string) => {
			const answer = await wrong(lines);
			return [answer.status, (answer.body as { invalid_params?: { path: string }[] }).invalid_params?.[0]?.path];
		};
		expect(await faultOf([account ?? {}, { ...fact, amount: -1 }])).toEqual([400, "[1].amount"]);
		expect(await faultOf([account ?? {}, { ...fact, kind: "PENALTY" }])).toEqual([400, "[1].kind"]);
		expect(await faultOf([account ?? {}, { ...fact, ammount: 1 }])).toEqual([400, "[1].ammount"]);
		expect(await faultOf([fact ?? {}, { ...fact }])).toEqual([400, "[1]"]);
		expect(await faultOf(`${JSON.stringify(account)}\n{"type":`)).toEqual([400, "[1]"]);
		expect((await wrong(Array.from({ length: 501 }, (_, index) => ({ ...fact, id: `T-${index}` })))).status).toBe(400);
		expect((await send(addImportLines as never, { as, path, body: [fact ?? {}], headers: { "content-type": "text/csv" } })).status).toBe(
			400,
		);
		expect(await db.select().from(importLines)).toEqual([]);
		expect(await read()).toMatchObject({ revision: 0 });
	});
});

describe("a check", () => {
	it("lists each account that cannot be imported with the first thing that is wrong, by pages", async () => {
		const known = await givenUser({ organizationId, mobileNumber: "+254712345001" });
		await givenOffer(known.token, productId);
		await givenUser({ mobileNumber: "+254712345002" });
		const [account, draw, paid, , balance] = oldAccount("x");
		const named = (name: string, lines: (object | undefined)[]) => lines.map((line) => ({ ...line, account: name }));
		const late = { type: "FACT", id: "T-9", position: 9, on: addDays(today, 1), kind: "REFUND", amount: 1 };
		expectOk(
			await add([
				...oldAccount("different", { principal: 9_999 }),
				...named("no account", [draw, balance]),
				...named("no balance", [account, draw]),
				...oldAccount("no product", { product: crypto.randomUUID() }),
				...oldAccount("has one", { mobileNumber: "+254712345001" }),
				...oldAccount("elsewhere", { mobileNumber: "+254712345002" }),
				...named("no draw", [account, paid, balance]),
				...named("tomorrow", [account, draw, late, balance]),
				...named("reverses nothing", [
					account,
					draw,
					{ ...late, on: today, kind: "REVERSAL", amount: undefined, reverses: "T-8" },
					balance,
				]),
				...named("no dates", [
					account,
					draw,
					{ ...late, on: today, kind: "RESCHEDULE", amount: undefined, cycle: 1, due_dates: [today] },
					balance,
				]),
			]),
		);
		expect(await check()).toMatchObject({ status: "CHECKED", accounts: { failed: 10, equal: 0 } });
		const faults = new Map((await failed()).map(({ account: name, fault }) => [name, fault]));
		expect(faults.get("different")).toMatchObject({
			code: "DIFFERENT",
			difference: { on: today, component: "principal", expected: 9_999, computed: 10_000 },
		});
		expect(faults.get("tomorrow")).toMatchObject({ code: "BAD_FACT", fact: "T-9" });
		const codes = (list: string[]) => list.map((name) => faults.get(name)?.code);
		expect(codes(["no account", "no balance", "no product", "has one", "elsewhere"])).toEqual([
			...["NO_ACCOUNT_LINE", "NO_BALANCE", "UNKNOWN_PRODUCT", "ACCOUNT_EXISTS", "BORROWER"],
		]);
		expect(codes(["no draw", "reverses nothing", "no dates"])).toEqual(["BAD_CYCLE", "BAD_FACT", "BAD_FACT"]);
		const first = expectOk(await call(listImportAccounts, { as, path, query: { size: "4" } }));
		const second = expectOk(await call(listImportAccounts, { as, path, query: { size: "10", after: first.links.next ?? "" } }));
		expect([...first.data, ...second.data].map(({ account: name }) => name).sort()).toEqual([...faults.keys()].sort());

		// Nothing is imported of it; a corrected line is looked at again.
		expectOk(await start());
		await work();
		expect(await read()).toMatchObject({ status: "DONE", accounts: { imported: 0 } });
		expectOk(await add(oldAccount("different")));
		expect((await start()).status).toBe(409);
		expect(await check()).toMatchObject({ accounts: { failed: 9, equal: 1 } });
	});

	it("is needed before the import, of the very lines that are imported", async () => {
		expectOk(await add(oldAccount("L-1")));
		expect((await start()).status).toBe(409);
		const { revision } = await check();
		expectOk(await add(oldAccount("L-2", { mobileNumber: "+254712345679" })));
		expect((await call(runImport, { as, path, body: { dry_run: false, revision } })).status).toBe(409);
		expectOk(await call(runImport, { as, path, body: { dry_run: true } }));
		expect((await add(oldAccount("L-3"))).status).toBe(409);
		expect((await call(runImport, { as, path, body: { dry_run: true } })).status).toBe(409);
		for (const body of [{ dry_run: true, revision }, { dry_run: false }]) {
			expect((await call(runImport, { as, path, body })).status).toBe(400);
		}
	});
});

it("an import takes the example of the documentation", async () => {
	const lines = example
		.trim()
		.split("\n")
		.map((line) => ({ ...JSON.parse(line) }))
		.map((line) => (line.type === "ACCOUNT" ? { ...line, loan_product_id: productId } : line));
	expectOk(await add(lines));
	await check();
	expect(await failed()).toEqual([]);
	expect(await read()).toMatchObject({ accounts: { equal: 1 } });
});

describe("a run", () => {
	it("makes borrowers who sign in by their number and repay, and knows the old payments", async () => {
		expectOk(await add(oldAccount("L-1", { payment: "QX12" })));
		await check();
		expectOk(await start());
		await work();
		const [account] = await db.select().from(creditAccounts);
		const accountId = account?.id ?? "";
		const [user] = await db.select().from(users);
		expect(user).toMatchObject({ mobileNumber: NUMBER, status: "ACTIVE", homeOrganizationId: organizationId, lastSeenAt: null });
		expect(
			(await db.select().from(names))
				.filter(({ id }) => id === user?.id)
				.map(({ kind }) => kind)
				.sort(),
		).toEqual(["PHONE", "TAG"]);
		expect(new Set((await db.select().from(allocations)).map(({ source }) => source))).toEqual(new Set(["BACKFILL"]));
		const token = await accessToken(user?.id ?? "");
		expect(expectCredit(await call(getAccount, { as: token, path: { accountId } })).balance.total_outstanding).toBe(10_000);
		const key = await givenApiKey(organizationId, ["repayments:write"]);
		const report = (transaction: string) => call(recordRepayment, { as: key, body: paymentTo(accountId, 500, transaction) });
		expect((await report("QX12")).body).toMatchObject({ code: "DUPLICATE_CONFLICT" });
		expectOk(await report("QX13"));
		expect((await eventsOf(organizationId)).map(({ type }) => type).slice(0, 2)).toEqual(["credit_account.imported", "repayment.received"]);
		await expectStoredEqualsReplay();
	});

	it("imports each account once, whole, and gives a borrower of two products one user, by sweeps at once that die anywhere", {
		tags: ["thorough"],
	}, async () => {
		const other = (await givenLoanProduct({ organization_id: organizationId })).id;
		expectOk(
			await add([...oldAccount("L-1"), ...oldAccount("L-2", { product: other }), ...oldAccount("L-3", { mobileNumber: "+254712345679" })]),
		);
		expect(await check()).toMatchObject({ accounts: { equal: 3 } });
		const runs = await Promise.all(Array.from({ length: 32 }, start));
		expect(runs.filter(({ ok }) => ok)).toHaveLength(1);
		for (let trip = 1; trip <= 16; trip++) {
			for (const when of ["before", "after"] as const) await work(dyingAt(trip, when).vars).catch(() => undefined);
			await db.update(importAccounts).set({ attempts: 0 }); // After a third an account would be given up.
		}
		await Promise.all([work(), work(), work()]);
		expect(await read()).toMatchObject({ status: "DONE", accounts: { imported: 3, failed: 0 } });
		expect(await db.select().from(users)).toHaveLength(2);
		expect(await db.select().from(creditAccounts)).toHaveLength(3);
		expect(await db.select().from(creditCycles)).toHaveLength(3);
		expect(await db.select().from(accountTransactions)).toHaveLength(6);
		expect((await eventsOf(organizationId)).map(({ type }) => type)).toEqual(Array(3).fill("credit_account.imported"));
		await expectStoredEqualsReplay();
	});

	it("waits for a second operator, who approves one revision and no later one", async () => {
		const vars = { OPERATOR_PAIRS: "on" };
		const [anna, ben] = [await operatorToken("anna"), await operatorToken("ben")];
		const ask = async () => {
			const answer = await call(runImport, { as: anna, path, body: { dry_run: false, revision: (await read()).revision }, vars });
			expect(answer.status).toBe(202);
			return JSON.parse(answer.text) as { id: string };
		};
		const approve = (id: string) => call(decideApproval, { as: ben, path: { id }, body: { decision: "APPROVED" }, vars });
		expectOk(await call(addImportLines, { as: anna, path, body: oldAccount("L-1") as never, vars }));
		expectOk(await call(runImport, { as: anna, path, body: { dry_run: true }, vars }));
		await work();
		const held = await ask();
		expect(await read()).toMatchObject({ status: "CHECKED" });
		// One line more, and what was asked for is not what would be imported.
		expectOk(await call(addImportLines, { as: anna, path, body: oldAccount("L-2", { mobileNumber: "+254712345679" }) as never, vars }));
		expectOk(await approve(held.id));
		expect(expectOk(await call(getApproval, { as: ben, path: { id: held.id } }))).toMatchObject({ status: "FAILED" });
		await check();
		expectOk(await approve((await ask()).id));
		await work();
		expect(await read()).toMatchObject({ status: "DONE", accounts: { imported: 2 } });
	});
});

it("the purge forgets the lines of an import that nobody has touched for 90 days", async () => {
	expectOk(await add(oldAccount("L-1")));
	await moveClock(91 * DAY_MS);
	await runDueWork((services) => purge(services.db, [expiredLines(services.db.orm, services.now)]));
	expect(await db.select().from(importLines)).toEqual([]);
	expect(await db.select().from(importAccounts)).toHaveLength(1);
	expect(await db.select().from(imports)).toHaveLength(1);
});
