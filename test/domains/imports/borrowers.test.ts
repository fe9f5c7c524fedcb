// Whose the accounts of an import become: what a line does to an existing user, and what the approver sees of it.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { workOnImports } from "../../../src/domains/imports/job";
import {
	addImportLines,
	createImport,
	getImport,
	listImportAccounts,
	listImportLines,
	runImport,
} from "../../../src/domains/imports/operations";
import { inbox } from "../../../src/domains/messages/inbox.table";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { identityLinks, users } from "../../../src/domains/users/model/table";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { freshNumber } from "../../support/current-accounts";
import { db, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenLoanProduct, runDueWork } from "../../support/loans";

const MULE = { issuer: "https://partner.example", subject: "mule" };
const today = localDate(Date.now());

let as: string;
let organizationId: string;
let loan_product_id: string;
let path: { importId: string };
beforeEach(async () => {
	as = await operatorToken();
	organizationId = (await givenOrganization()).id;
	loan_product_id = (await givenLoanProduct({ organization_id: organizationId })).id;
	path = { importId: expectOk(await call(createImport, { as, body: { organization_id: organizationId, name: "old" } })).id };
});

const linesOf = (account: string, borrower: object) => [
	{
		...{ type: "ACCOUNT", account, borrower, loan_product_id },
		cycles: [
			{
				number: 1,
				tenure: { duration: 30, unit: "DAYS" },
				interest_rate: { basis_points: 300, period_value: 30, period_unit: "DAYS" },
				fee_basis_points: 0,
			},
		],
	},
	{ type: "FACT", account, id: "T-1", position: 1, on: addDays(today, -1), kind: "DRAW", amount: 10_000, cycle: 1 },
	{ type: "BALANCE", account, on: addDays(today, -1), principal: 10_000, interest: 0, arrears: 0, penalty: 0 },
];
const work = () =>
	runDueWork(async (services) => {
		while (await workOnImports(services));
	});
async function check(...lines: readonly object[]) {
	expectOk(await call(addImportLines, { as, path, body: lines as never }));
	expectOk(await call(runImport, { as, path, body: { dry_run: true } }));
	await work();
	return expectOk(await call(getImport, { as, path }));
}
const accounts = async (status: "EQUAL" | "FAILED" | "IMPORTED", existing_users?: "true") =>
	expectOk(await call(listImportAccounts, { as, path, query: { status, ...(existing_users && { existing_users }) } })).data;
const run = (body: object) => call(runImport, { as, path, body: { dry_run: false, ...body } });
const told = async (userId: string) => (await db.select().from(inbox).where(eq(inbox.userId, userId))).length;

describe("a line that names somebody who is a user already", () => {
	it("links no other sign-in to them, with which a stranger would have their money", async () => {
		const mobileNumber = freshNumber();
		const victim = await givenUser({ organizationId, mobileNumber });
		await check(...linesOf("L-1", { mobile_number: mobileNumber, identity: MULE }));
		expect(await accounts("FAILED")).toMatchObject([{ fault: { code: "BORROWER", description: expect.stringContaining("not linked") } }]);
		expect(await db.select().from(identityLinks)).toEqual([]);
		expectOk(await call(linkIdentity, { as, path: { userId: victim.id }, body: MULE }));
		const { existing_users, revision } = await check(...linesOf("L-1", { mobile_number: mobileNumber, identity: MULE }));
		expect(existing_users).toBe(1);
		expectOk(await run({ revision, existing_users }));
		await work();
		expect(await accounts("IMPORTED")).toMatchObject([{ existing_user_id: victim.id }]);
	});

	it("is imported only by a call that names how many there are, and they get a message", async () => {
		const mobileNumber = freshNumber();
		const known = await givenUser({ organizationId, mobileNumber });
		const { existing_users, revision } = await check(
			...linesOf("L-1", { mobile_number: mobileNumber }),
			...linesOf("L-2", { mobile_number: freshNumber() }),
		);
		expect(existing_users).toBe(1);
		expect(await accounts("EQUAL", "true")).toMatchObject([{ account: "L-1", existing_user_id: known.id }]);
		expect(expectOk(await call(listImportLines, { as, path, query: { account: "L-1" } })).data).toHaveLength(3);
		expect(await run({ revision })).toMatchObject({ status: 409, body: { description: expect.stringContaining("1 of its accounts") } });
		expectOk(await run({ revision, existing_users }));
		await work();
		expect(await told(known.id)).toBe(1);
		expect((await accounts("IMPORTED")).length).toBe(2);
	});

	it("is not imported when they became a user after the check, which nobody has approved", async () => {
		const mobileNumber = freshNumber();
		const { revision, existing_users } = await check(...linesOf("L-1", { mobile_number: mobileNumber }));
		expect(existing_users).toBe(0);
		const late = await givenUser({ organizationId, mobileNumber });
		await db.update(users).set({ lastSeenAt: Date.now() }).where(eq(users.id, late.id));
		expectOk(await run({ revision }));
		await work();
		expect(await accounts("FAILED")).toMatchObject([{ fault: { code: "CONFLICT" } }]);
		expect(await db.select().from(creditAccounts).where(eq(creditAccounts.userId, late.id))).toEqual([]);
	});
});
