// An import that an operator cancels, at rest and while a portion of it is under way.

import { beforeEach, describe, expect, it } from "vitest";
import { unlessStale } from "../../../src/db/stale";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { workOnImports } from "../../../src/domains/imports/job";
import { addImportLines, cancelImport, createImport, getImport, runImport } from "../../../src/domains/imports/operations";
import { importAccounts, imports } from "../../../src/domains/imports/table";
import { call, expectOk } from "../../support/client";
import { db, givenOrganization, operatorToken } from "../../support/factories";
import { beforeTrip, givenLoanProduct, runDueWork } from "../../support/loans";
import { linesOf } from "./old-account";

let as: string;
let product: string;
let path: { importId: string };

beforeEach(async () => {
	as = await operatorToken();
	const organization_id = (await givenOrganization()).id;
	product = (await givenLoanProduct({ organization_id })).id;
	path = { importId: expectOk(await call(createImport, { as, body: { organization_id, name: "core banking" } })).id };
});

const add = (lines: readonly object[]) => call(addImportLines, { as, path, body: lines as never });
const oldAccount = (account: string, mobileNumber = "+254712345678") => linesOf(account, { product, mobileNumber });
const read = async () => expectOk(await call(getImport, { as, path }));

describe("cancelling an import", () => {
	const cancel = () => call(cancelImport, { as, path });

	it("ends it for good, once or again: it takes neither lines nor runs", async () => {
		expectOk(await add(oldAccount("L-1")));
		const cancelled = expectOk(await cancel());
		expect(cancelled).toMatchObject({ status: "CANCELLED", accounts: { staged: 1 } });
		expect(expectOk(await cancel())).toEqual(cancelled);
		const refused = { status: 409, body: { code: "INVALID_STATE", description: expect.stringContaining("cancelled") } };
		expect(await add(oldAccount("L-2"))).toMatchObject(refused);
		expect(await call(runImport, { as, path, body: { dry_run: true } })).toMatchObject(refused);
		await runDueWork(workOnImports);
		expect(await read()).toEqual(cancelled);
	});

	it("is refused for a finished import", async () => {
		expectOk(await add(oldAccount("L-1")));
		await db.update(imports).set({ status: "DONE" });
		expect(await cancel()).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
	});

	it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("lets a portion commit nothing more, before its trip %i", async (trip) => {
		expectOk(await add([...oldAccount("L-1"), ...oldAccount("L-2", "+254712345679")]));
		for (const status of ["CHECKING", "RUNNING"] as const) {
			await db.update(imports).set({ status });
			if (status === "RUNNING") await db.update(importAccounts).set({ status: "EQUAL" });
			let cancelled: Awaited<ReturnType<typeof read>> | undefined;
			const meanwhile = beforeTrip(trip, async () => {
				cancelled ??= expectOk(await cancel());
			});
			await runDueWork(workOnImports, meanwhile);
			if (!cancelled) continue;
			expect(await read()).toEqual(cancelled);
			expect(await db.$count(creditAccounts)).toBe(cancelled.accounts.imported);
		}
	});
});

it("a portion is left to another run that has begun it", async () => {
	expectOk(await add(oldAccount("L-1")));
	await db.update(imports).set({ status: "CHECKING" });
	const begun = () => db.update(importAccounts).set({ attempts: 1 });
	await runDueWork((services) => unlessStale(() => workOnImports(services)), beforeTrip(3, begun));
	expect(await db.select().from(importAccounts)).toMatchObject([{ attempts: 1, status: "STAGED" }]);
});
