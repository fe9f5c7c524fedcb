// One search for what people say over the telephone, within the caller's reach.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { search } from "../../../src/domains/search/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { users } from "../../../src/domains/users/model/table";
import { updateMe } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { expectCredit, givenLoan, pay } from "../../support/credit";
import { freshNumber } from "../../support/current-accounts";
import { accessToken, db, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { sandboxToken } from "../../support/tokens";

let mine: { id: string };
let other: { id: string };
let lender: string;
let stranger: string;
let operator: string;
beforeEach(async () => {
	[mine, other] = [await givenOrganization(), await givenOrganization()];
	[lender, stranger] = await Promise.all(
		[mine, other].map(async ({ id }) => (await givenMember(id, "organization-lending-viewer")).token) as [Promise<string>, Promise<string>],
	);
	operator = await operatorToken();
});

const find = async (as: string, q: string) => expectOk(await call(search, { as, query: { q } }));
const usersBy = async (as: string, q: string) => (await find(as, q)).users.map(({ id }) => id);

async function givenNamed(display_name: string, organizationId = mine.id) {
	const user = await givenUser({ organizationId, email: `${crypto.randomUUID()}@example.com` });
	expectOk(await call(updateMe, { as: await accessToken(user.id), body: { display_name } }));
	return user;
}

describe("a borrower is found", () => {
	it("by their number as people write it, by their tag and their mail address", async () => {
		const number = freshNumber();
		const national = `0${number.slice(4)}`;
		const phone_verification_token = await sandboxToken("phone", number, { jti: crypto.randomUUID(), org_id: mine.id });
		expectOk(await call(exchangePhoneToken, { body: { phone_verification_token } }));
		const [user] = await db.update(users).set({ email: "Jane@Example.com" }).where(eq(users.mobileNumber, number)).returning();
		const tag = user?.tag ?? "";
		const spaced = `${national.slice(0, 4)} ${national.slice(4, 7)} ${national.slice(7)}`;
		for (const q of [number, number.slice(1), national, spaced, national.slice(1), tag, tag.toUpperCase(), "jane@example.COM"]) {
			expect(await usersBy(lender, q), q).toEqual([user?.id]);
			expect(await usersBy(operator, q), q).toEqual([user?.id]);
			expect(await usersBy(stranger, q), q).toEqual([]);
		}
		const [found] = (await find(operator, number)).users;
		expect(found).toMatchObject({ mobile_number: `${number.slice(0, 4)}******${number.slice(-3)}`, organization_id: mine.id });
	});

	it("by the beginning of a first or last name, without case and accents", async () => {
		const [jane, zoe] = [await givenNamed("Jane  Wanjikũ Akinyi"), await givenNamed("Zoë Mwangi")];
		for (const q of ["ja", "JANE wanjiku", "aki", "akinyi jane"]) expect(await usersBy(lender, q), q).toEqual([jane.id]);
		expect(await usersBy(lender, "zoe")).toEqual([zoe.id]);
		expect(await usersBy(operator, "mwangi")).toEqual([zoe.id]);
		for (const q of ["wanjiku", "jb", "an"]) expect(await usersBy(lender, q), q).toEqual([]);
		expect(await usersBy(stranger, "jane")).toEqual([]);
		expectOk(await call(updateMe, { as: await accessToken(jane.id), body: { display_name: null } }));
		expect(await usersBy(lender, "jane")).toEqual([]);
	});

	it("among at most five", async () => {
		for (let made = 0; made < 6; made++) await givenNamed(`Amina ${made}`);
		expect(await usersBy(lender, "amina")).toHaveLength(5);
		expect(await usersBy(operator, "amina")).toHaveLength(5);
	});
});

it("finds an account by its number and a payment by its receipt", async () => {
	const loan = await givenLoan(30_000);
	expectOk(await pay(loan, 1_000, "RKTQDM7W6S"));
	const viewer = (await givenMember(loan.organization.id, "organization-lending-viewer")).token;
	const [payment] = (await find(viewer, "rktq dm7w6s")).payments;
	expect(payment).toMatchObject({ account_id: loan.accountId, amount: { value: 1_000, currency: "KES" } });
	expect((await find(operator, "RKTQDM7W6S")).payments).toEqual([payment]);
	expect((await find(stranger, "RKTQDM7W6S")).payments).toEqual([]);
	const { account_number: number } = expectCredit(
		await call(getAccount, { as: loan.borrower.token, path: { accountId: loan.accountId }, query: {} }),
	);
	const spaced = `${number.slice(0, 4)} ${number.slice(4)}`;
	for (const as of [viewer, operator])
		expect((await find(as, spaced)).accounts).toMatchObject([{ id: loan.accountId, account_number: number, type: "CREDIT" }]);
	expect((await find(stranger, number)).accounts).toEqual([]);
});

it("is for people, and says nothing of what was looked for", async () => {
	const key = await givenApiKey(mine.id, ["users:read", "accounts:read"]);
	expect(await call(search, { as: key, query: { q: "jane" } })).toMatchObject({ status: 401 });
	const developer = (await givenMember(mine.id, "organization-developer")).token;
	expect(await call(search, { as: developer, query: { q: "jane" } })).toMatchObject({ status: 403 });
	for (const q of ["", "j", "x".repeat(65)]) expect(await call(search, { as: lender, query: { q } })).toMatchObject({ status: 400 });
	expect(await find(lender, "%_'\"; drop")).toEqual({ users: [], accounts: [], payments: [], invoices: [] });
});
