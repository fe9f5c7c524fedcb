// What one account of an import may cost: an account that is too long is refused, and an account that kills the run is not tried for ever.

import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { workOnImports } from "../../../src/domains/imports/job";
import { addImportLines, createImport, getImport, listImportAccounts, runImport } from "../../../src/domains/imports/operations";
import { importAccounts, importLines } from "../../../src/domains/imports/table";
import { addDays, localDate } from "../../../src/shared/time";
import { dueWork } from "../../../src/wiring/due-work";
import { call, expectOk, send } from "../../support/client";
import { dyingAt } from "../../support/crashes";
import { db, givenOrganization, operatorToken } from "../../support/factories";
import { givenLoanProduct, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";

const today = localDate(Date.now());
const LARGE_DRAW = and(eq(importLines.oldAccountId, "large"), eq(importLines.type, "FACT"));
let as: string;
let loan_product_id: string;
let path: { importId: string };
beforeEach(async () => {
	as = await operatorToken();
	const organizationId = (await givenOrganization()).id;
	loan_product_id = (await givenLoanProduct({ organization_id: organizationId })).id;
	path = { importId: expectOk(await call(createImport, { as, body: { organization_id: organizationId, name: "old" } })).id };
});

const cycle = (number: number, days: number) => ({
	...{ number, tenure: { duration: days, unit: "DAYS" }, installment_every: { duration: 1, unit: "DAYS" } },
	...{ interest_rate: { basis_points: 300, period_value: 30, period_unit: "DAYS" }, fee_basis_points: 0 },
});
const accountLine = (account: string, cycles: object[], mobile_number = "+254712345678") => ({
	...{ type: "ACCOUNT", account, borrower: { mobile_number }, loan_product_id, cycles },
});
const draw = (account: string, number: number, on = addDays(today, -10)) => ({
	...{ type: "FACT", account, id: `T-${number}`, position: number, on, kind: "DRAW", amount: 100_000, cycle: number },
});
const balance = (account: string, principal: number) => ({
	...{ type: "BALANCE", account, on: addDays(today, -10), principal, interest: 0, arrears: 0, penalty: 0 },
});
const add = (lines: readonly object[]) => send(addImportLines as never, { as, path, body: lines as object });
const work = (vars: Partial<Env> = {}) => runDueWork(async (services) => void (await workOnImports(services)), vars);
const start = async () => expectOk(await call(runImport, { as, path, body: { dry_run: true } }));
const read = async () => expectOk(await call(getImport, { as, path }));

describe("an account of an import", () => {
	it("is refused with its line when its cycles have more than 5,000 installments together", async () => {
		const long = (days: number) =>
			accountLine(
				"L-1",
				[1, 2, 3, 4, 5].map((number) => cycle(number, days)),
			);
		expect(await add([draw("L-1", 1), long(1_001)])).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "[1].cycles", reason: expect.stringContaining("more than 5000 installments") }] },
		});
		expect(await db.select().from(importLines)).toEqual([]);
		expect((await add([long(1_000)])).status).toBe(200);
	});

	it("is refused as well where its product has an installment each day", async () => {
		const daily = { installment_every: { duration: 1, unit: "DAYS" as const } };
		loan_product_id = (await givenLoanProduct(daily)).id;
		const { installment_every: _, ...asTheProduct } = cycle(1, 5_001);
		expect((await add([accountLine("L-1", [asTheProduct])])).status).toBe(400);
	});

	it("is not computed when its reschedules exceed the bound, or its lines a megabyte", async () => {
		const dates = Array.from({ length: 1_200 }, (_, index) => addDays(today, index + 1));
		const moved = (account: string, id: number) => ({
			...{ type: "FACT", account, id: `T-${id}`, position: id, on: today, kind: "RESCHEDULE", cycle: 1, due_dates: dates },
		});
		expect((await add([accountLine("many", [cycle(1, 30)]), draw("many", 1), balance("many", 100_000)])).status).toBe(200);
		for (const id of [2, 3, 4, 5, 6]) expect((await add([moved("many", id)])).status).toBe(200);
		expect((await add([accountLine("large", [cycle(1, 30)]), draw("large", 1), balance("large", 100_000)])).status).toBe(200);
		await db
			.update(importLines)
			.set({ content: { ...draw("large", 1), id: "x".repeat(1_000_000) } as never })
			.where(LARGE_DRAW);
		await start();
		while ((await read()).status === "CHECKING") await work();
		const { data } = expectOk(await call(listImportAccounts, { as, path, query: {} }));
		expect(data.map(({ account, fault }) => [account, fault?.code]).sort()).toEqual([
			["large", "TOO_MANY_LINES"],
			["many", "TOO_MANY_INSTALLMENTS"],
		]);
	});

	it("is not computed when it has more than 10,000 penalties until today", async () => {
		const penalty_terms = {
			...{ rate_basis_points: 10, calculation_basis: "PRINCIPAL", type: "RECURRING", period_days: 1 },
			...{ trigger: "AFTER_INSTALLMENT_DUE", grace_period_days: 0 },
		};
		for (const [account, days, number] of [
			["few", 300, "+254712345671"],
			["many", 450, "+254712345672"],
		] as const) {
			const lines = [accountLine(account, [{ ...cycle(1, 30), penalty_terms }], number), draw(account, 1, addDays(today, -days))];
			expect((await add([...lines, balance(account, 100_000)])).status).toBe(200);
		}
		await start();
		while ((await read()).status === "CHECKING") await work();
		const { data } = expectOk(await call(listImportAccounts, { as, path, query: {} }));
		expect(data.map(({ account, fault }) => [account, fault?.code]).sort()).toEqual([
			["few", "DIFFERENT"],
			["many", "TOO_MANY_PENALTIES"],
		]);
	});

	it("that ends the run is tried twice and then FAILED, and takes no other account with it", async () => {
		expectErrors("an account of an import was given up");
		for (const account of ["a", "b", "c"]) {
			const number = `+25471234567${account.charCodeAt(0) % 10}`;
			const lines = [accountLine(account, [cycle(1, 30)], number), draw(account, 1), balance(account, 100_000)];
			expect((await add(lines)).status).toBe(200);
		}
		await start();
		// The run ends after it has counted the attempt: together first, then with "a" alone.
		for (let deaths = 0; deaths < 2; deaths++) await work(dyingAt(4, "before").vars).catch(() => undefined);
		expect((await db.select().from(importAccounts)).map(({ oldId, attempts }) => [oldId, attempts]).sort()).toEqual([
			["a", 2],
			["b", 1],
			["c", 1],
		]);
		for (let runs = 0; runs < 8; runs++) await work();
		expect(await read()).toMatchObject({ status: "CHECKED", accounts: { equal: 2, failed: 1, staged: 0 } });
		const { data } = expectOk(await call(listImportAccounts, { as, path, query: {} }));
		expect(data).toMatchObject([{ account: "a", fault: { code: "UNEXPECTED", description: expect.stringContaining("Twice") } }]);

		// The next check takes it again.
		await start();
		for (let runs = 0; runs < 8; runs++) await work();
		expect(await read()).toMatchObject({ status: "CHECKED", accounts: { equal: 3, failed: 0 } });
	});
});

it("the sweep works on imports last, so that a run that ends there has done everything else", () => {
	expect(dueWork.at(-1)?.name).toBe("imports.work");
});
