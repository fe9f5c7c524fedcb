// The home organization of users who came without one: from the app they first signed in with, or once, later.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { createLoanApplication } from "../../../src/domains/loans/operations";
import { createOrganization } from "../../../src/domains/organizations/operations";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { getMe, updateMe, updateUser } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { trips } from "../../support/credit";
import { freshNumber, givenCurrentAccount } from "../../support/current-accounts";
import { givenApiKey, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { beforeCommit, eventsOf, givenLoanProduct } from "../../support/loans";
import { signedInByPhone, verifiedPhone } from "../../support/phone-door";
import { expectUser } from "../../support/profiles";
import { sandboxToken } from "../../support/tokens";
import { givenPerson, HOMES, openSecond, SECOND } from "../../support/two-homes";

const meOf = async (as: string) => expectUser(await call(getMe, { as }));
const join = (as: string, organization: string, vars: Partial<Env> = {}) => call(updateMe, { as, body: { organization }, vars });
const typesOf = async (organizationId: string) => (await eventsOf(organizationId)).map(({ type }) => type);

describe("the home of a phone user", () => {
	it("is the organization whose app asked for their first code, and gets their events", async () => {
		const { id, slug } = await givenOrganization();
		const number = freshNumber();
		const { access_token } = await signedInByPhone(number, slug);
		const me = await meOf(access_token);
		expect(me).toMatchObject({ status: "WAITING_LIST", home_organization: { id, slug }, organizations: [] });
		expect(await eventsOf(id)).toMatchObject([{ type: "user.waitlisted", data: { user_id: me.id, source: "PHONE" } }]);

		const other = await givenOrganization();
		expect((await meOf((await signedInByPhone(number, other.slug)).access_token)).home_organization).toEqual({ id, slug });
		expect(await typesOf(other.id)).toEqual([]);
	});

	it("must exist when the code is asked for", async () => {
		const body = { mobile_country_code: "254", mobile_number: freshNumber().slice(4), organization: "nobodys" };
		expect(await call(startPhoneVerification, { body })).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
	});

	it("costs the same for known and new users", async () => {
		const { slug } = await givenOrganization();
		const number = freshNumber();
		const exchange = async () =>
			trips(await call(exchangePhoneToken, { body: { phone_verification_token: await verifiedPhone(number, slug) } }));
		expect(await exchange()).toBe(await exchange());
	});
});

describe("a user without a home", () => {
	it("joins an organization once, on the waiting list too, and one event says so", async () => {
		const { id, slug } = await givenOrganization();
		const user = await givenUser({ status: "WAITING_LIST" });
		expect(expectOk(await join(user.token, slug)).home_organization).toEqual({ id, slug });
		expect(await eventsOf(id)).toMatchObject([{ type: "user.joined", data: { user_id: user.id, organization_id: id } }]);
		expect((await join(user.token, slug)).status).toBe(200);
		expect(await join(user.token, (await givenOrganization()).slug)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await typesOf(id)).toEqual(["user.joined"]);
		expect((await join((await givenUser()).token, "nobodys")).status).toBe(400);
	});

	it("brings their current account with them, which the organization then reads", async () => {
		const { id, slug } = await givenOrganization();
		const user = await givenUser();
		const account = await givenCurrentAccount({ user });
		const key = { "x-api-key": await givenApiKey(id, ["accounts:read"]) };
		const read = async () => (await call(getAccount, { path: { accountId: account.id }, headers: key })).status;
		expect(await read()).toBe(404);
		expectOk(await join(user.token, slug));
		expect(await read()).toBe(200);
	});

	it("gets one of two that are named at the same moment", async () => {
		const organizations = [await givenOrganization(), await givenOrganization()];
		const user = await givenUser();
		const answers = await Promise.all(organizations.map(({ slug }) => join(user.token, slug)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		expect((await Promise.all(organizations.map(({ id }) => typesOf(id)))).flat()).toEqual(["user.joined"]);
	});

	it("gets none after their first application, which a join at the same moment sends back to its beginning", async () => {
		await givenLoanProduct();
		const [{ id, slug }, user] = [await givenOrganization(), await givenUser()];
		const ask = (vars: Partial<Env> = {}) => call(createLoanApplication, { as: user.token, body: {}, vars });
		expectOk(await ask(beforeCommit(async () => expectOk(await join(user.token, slug)))));
		expect(await typesOf(id)).toEqual(["user.joined", "loan_application.created"]);

		const other = await givenUser();
		const applying = beforeCommit(async () => expectOk(await call(createLoanApplication, { as: other.token, body: {} })));
		expect((await join(other.token, slug, applying)).status).toBe(409);
		expect((await meOf(other.token)).home_organization).toBeNull();
	});

	it("joins only an organization whose data is in the same database", async () => {
		await openSecond();
		const body = { name: "Far", slug: `far-${crypto.randomUUID().slice(0, 8)}` };
		const { slug } = expectOk(await call(createOrganization, { as: await operatorToken(), body, vars: SECOND }));
		const answers = await Promise.all(HOMES.map(async (home) => join((await givenPerson(home)).token, slug, SECOND)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
	});

	it("gets one from an operator by the same rules", async () => {
		const { id } = await givenOrganization();
		const user = await givenUser();
		const give = async (userId: string, home_organization_id: string) =>
			call(updateUser, { as: await operatorToken(), path: { userId }, body: { home_organization_id } });
		expect(expectOk(await give(user.id, id)).home_organization_id).toBe(id);
		expect((await give(user.id, (await givenOrganization()).id)).status).toBe(409);
		expect((await give(crypto.randomUUID(), id)).status).toBe(404);
		expect((await give((await givenUser()).id, crypto.randomUUID())).status).toBe(400);
	});
});

describe("a display name", () => {
	it("is what the user says, or at first what the partner says", async () => {
		const exchange = async (name?: string) =>
			expectOk(await call(exchangePartnerToken, { body: { partner_token: await sandboxToken("partner", "alice", { name }) } }))
				.access_token;
		const as = await exchange("Alice W.");
		expect((await meOf(as)).display_name).toBe("Alice W.");
		expect(expectOk(await call(updateMe, { as, body: { display_name: " Alice " } })).display_name).toBe("Alice");
		await exchange("Mallory");
		expect((await meOf(as)).display_name).toBe("Alice");
		expect(expectOk(await call(updateMe, { as, body: { display_name: null } })).display_name).toBeNull();
		for (const display_name of ["", " ", "x".repeat(81), "Al\u202eice", "Al\nice", "Al\u0007ice"])
			expect((await call(updateMe, { as, body: { display_name } })).status).toBe(400);
	});
});
