// What operators see of users, and the end of all of a user's sessions.

import { describe, expect, it } from "vitest";
import { getMe } from "../../../src/domains/profiles/operations";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { revokeSessions } from "../../../src/domains/tokens/sessions/operations";
import { getUser, listUsers } from "../../../src/domains/users/operations";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { sandboxToken } from "../../support/tokens";

describe("the list of users", () => {
	it("shows operators no numbers and no mail addresses", async () => {
		const { id: organizationId } = await givenOrganization();
		const user = await givenUser({ organizationId, mobileNumber: "+254712345678", email: "anna@example.com", blocked: true });
		const as = await operatorToken();
		const answer = await call(getUser, { as, path: { userId: user.id } });
		expect(expectOk(answer)).toEqual({
			id: user.id,
			status: "ACTIVE",
			tag: expect.stringMatching(/^@/),
			blocked: true,
			home_organization_id: organizationId,
			created_at: expect.any(String),
			last_seen_at: null,
		});
		expect(expectOk(await call(listUsers, { as, query: {} })).data).toEqual([answer.body]);
		expect(await call(getUser, { as, path: { userId: crypto.randomUUID() } })).toMatchObject({ status: 404 });
		expect(await call(listUsers, { as: user.token, query: {} })).toMatchObject({ status: 403 });
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

	it("reads no more rows than the page, whatever the filter", async () => {
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
			const read = Number(/read=(\d+)/.exec(answer.headers.get("server-timing") ?? "")?.[1]);
			expect(read, JSON.stringify(query)).toBeLessThanOrEqual(10);
		}
	});

	it("shows, accurate to the hour, when a user last obtained tokens", async () => {
		const exchange = async () =>
			expectOk(await call(exchangePartnerToken, { body: { partner_token: await sandboxToken("partner", "anna", { org_id: "acme" }) } }));
		const me = expectOk(await call(getMe, { as: (await exchange()).access_token }));
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
		const { id } = expectOk(await call(getMe, { as: access_token }));
		// Tokens issued in the second of the revocation are not refused.
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		expect(await call(revokeSessions, { as: await operatorToken(), path: { userId: id } })).toMatchObject({ status: 204 });
		expect(await call(getMe, { as: access_token })).toMatchObject({ status: 401 });
		expect(await call(revokeSessions, { as: await operatorToken(), path: { userId: crypto.randomUUID() } })).toMatchObject({ status: 404 });
	});
});
