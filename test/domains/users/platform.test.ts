// What operators see of users, and the end of all of a user's sessions.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { revokeSessions } from "../../../src/domains/tokens/sessions/operations";
import { getUser, listUsers } from "../../../src/domains/users/lender.operations";
import { users } from "../../../src/domains/users/model/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { rowsRead } from "../../support/credit";
import { givenCurrentAccount } from "../../support/current-accounts";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenLoanProduct } from "../../support/loans";
import { expectUser } from "../../support/profiles";
import { expectRows } from "../../support/rows";
import { sandboxToken } from "../../support/tokens";

const NUMBER = "+254712345678";

describe("the list of users", () => {
	it("shows people masked numbers, keys none, and nobody mail addresses", async () => {
		const { id: organizationId } = await givenOrganization();
		const user = await givenUser({ organizationId, mobileNumber: "+254712345678", email: "anna@example.com", blocked: true });
		const as = await operatorToken();
		const answer = await call(getUser, { as, path: { userId: user.id } });
		expect(expectOk(answer)).toEqual({
			id: user.id,
			status: "ACTIVE",
			tag: expect.stringMatching(/^@/),
			display_name: null,
			blocked: true,
			home_organization_id: organizationId,
			created_at: expect.any(String),
			last_seen_at: null,
			mobile_number: "+254******678",
			identities: [],
			credit_limit: { override: null, effective: null, currency: null },
		});
		const { identities: _, credit_limit: __, ...listed } = expectOk(answer);
		expect(expectOk(await call(listUsers, { as, query: {} })).data).toEqual([listed]);
		const { mobile_number: ___, ...withoutNumber } = listed;
		const key = await givenApiKey(organizationId, ["users:read"]);
		expect(expectOk(await call(listUsers, { as: key, query: {} })).data).toEqual([withoutNumber]);
		expect(expectOk(await call(getUser, { as: key, path: { userId: user.id } }))).toEqual(withoutNumber);
		expect(await call(getUser, { as, path: { userId: crypto.randomUUID() } })).toMatchObject({ status: 404 });
		expect(await call(listUsers, { as: user.token, query: {} })).toMatchObject({ status: 403 });
	});

	it("shows operators a user's limit, in the currency of the product that they are offered", async () => {
		const { id: organization_id } = await givenOrganization();
		await givenLoanProduct({ organization_id, currency: "UGX", base_limit: 90_000 });
		const user = await givenUser({ organizationId: organization_id });
		const { credit_limit } = expectOk(await call(getUser, { as: await operatorToken(), path: { userId: user.id } }));
		expect(credit_limit).toEqual({ override: null, effective: 90_000, currency: "UGX" });
	});

	it("finds several by their ids, within the caller's reach", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const users = [mine, mine, other].map(({ id: organizationId }) => givenUser({ organizationId }));
		const [one, two, foreign] = (await Promise.all(users)).map(({ id }) => id) as [string, string, string];
		const found = async (as: string, ids: string | string[]) =>
			expectOk(await call(listUsers, { as, query: { ids } }))
				.data.map(({ id }) => id)
				.sort();
		const lender = (await givenMember(mine.id, "organization-lending-viewer")).token;
		expect(await found(lender, [two, one, foreign, one])).toEqual([one, two].sort());
		expect(await found(lender, one)).toEqual([one]);
		expect(await found(await operatorToken(), [one, foreign])).toEqual([one, foreign].sort());
		expect(await call(listUsers, { as: lender, query: { ids: ["nobody"] } })).toMatchObject({ status: 400 });
	});

	it("finds one by their whole tag, mobile number or account number, within the caller's reach", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const phone_verification_token = await sandboxToken("phone", NUMBER, { jti: crypto.randomUUID() });
		expectOk(await call(exchangePhoneToken, { body: { phone_verification_token } }));
		const [{ id } = { id: "" }] = await db.select().from(users);
		await db.update(users).set({ homeOrganizationId: mine.id }).where(eq(users.id, id));
		const account = await givenCurrentAccount({ user: { id } as never });
		const as = await operatorToken();
		const { tag } = expectOk(await call(getUser, { as, path: { userId: id } }));
		const staff = async (organization: string) => (await givenMember(organization, "organization-lending-viewer")).token;
		const [lender, stranger] = [await staff(mine.id), await staff(other.id)];
		for (const q of [tag, NUMBER, account.accountNumber]) {
			const find = async (by: string) => expectOk(await call(listUsers, { as: by, query: { q } })).data.map((row) => row.id);
			for (const by of [as, lender]) expect(await find(by), q).toEqual([id]);
			expect(await find(stranger), q).toEqual([]);
		}
		for (const q of [tag.slice(0, -1), NUMBER.slice(0, -1), "1000", "nobody"]) {
			expect(expectOk(await call(listUsers, { as, query: { q } })).data, q).toEqual([]);
		}
		expect(expectOk(await call(listUsers, { as, query: { q: tag, status: "WAITING_LIST" } })).data).toHaveLength(1);
		expect(expectOk(await call(listUsers, { as, query: { q: tag, status: "ACTIVE" } })).data).toEqual([]);
	});

	it("filters by status and home organization, and pages", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const here = [await givenUser({ organizationId: mine.id }), await givenUser({ organizationId: mine.id, status: "WAITING_LIST" })];
		await givenUser({ organizationId: other.id, status: "WAITING_LIST" });
		const as = await operatorToken();
		const list = async (query: object) => expectOk(await call(listUsers, { as, query }));
		expect((await list({})).data).toHaveLength(3);
		expect((await list({ organization_id: mine.id })).data.map(({ id }) => id)).toEqual([here[1]?.id, here[0]?.id]);
		expect((await list({ status: "WAITING_LIST" })).data).toHaveLength(2);
		expect((await list({ status: "WAITING_LIST", organization_id: mine.id })).data.map(({ id }) => id)).toEqual([here[1]?.id]);
		const first = await list({ size: 2 });
		const second = await list({ size: 2, after: first.links.next });
		expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(3);
	});

	it("reads no more rows than the page, with every filter", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		for (let i = 0; i < 30; i++) await givenUser({ organizationId: other.id });
		await givenUser({ organizationId: mine.id, status: "WAITING_LIST" });
		const as = await operatorToken();
		for (const query of [
			{},
			{ status: "WAITING_LIST" as const },
			{ organization_id: mine.id },
			{ organization_id: mine.id, status: "ACTIVE" as const },
		]) {
			const answer = await call(listUsers, { as, query: { ...query, size: "5" } });
			expectRows(rowsRead(answer), JSON.stringify(query)).atMost(10);
		}
	});

	it("shows, accurate to the hour, when a user last obtained tokens", async () => {
		const exchange = async () =>
			expectOk(await call(exchangePartnerToken, { body: { partner_token: await sandboxToken("partner", "anna", { org_id: "acme" }) } }));
		const me = expectUser(await call(getMe, { as: (await exchange()).access_token }));
		const seen = async () => expectOk(await call(getUser, { as: await operatorToken(), path: { userId: me.id } })).last_seen_at;
		const first = await seen();
		expect(first).not.toBeNull();
		await exchange();
		expect(await seen()).toBe(first);
		await moveClock(HOUR_MS);
		await exchange();
		expect(Date.parse((await seen()) ?? "")).toBeGreaterThanOrEqual(Date.parse(first ?? "") + HOUR_MS);
	});
});

describe("revoking a user's sessions", () => {
	it("refuses the tokens that they have", async () => {
		const { access_token } = expectOk(
			await call(exchangePartnerToken, { body: { partner_token: await sandboxToken("partner", "anna", { org_id: "acme" }) } }),
		);
		const { id } = expectUser(await call(getMe, { as: access_token }));
		// Tokens issued in the second of the revocation are not refused.
		await new Promise((resolve) => setTimeout(resolve, 1_001 - (Date.now() % 1_000)));
		expect(await call(revokeSessions, { as: await operatorToken(), path: { userId: id } })).toMatchObject({ status: 204 });
		expect(await call(getMe, { as: access_token })).toMatchObject({ status: 401 });
		expect(await call(revokeSessions, { as: await operatorToken(), path: { userId: crypto.randomUUID() } })).toMatchObject({ status: 404 });
	});
});
