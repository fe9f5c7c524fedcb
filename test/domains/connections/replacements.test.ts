// Another account in the place of the connected one: what one person alone can do of it, and who gets a notice of it.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
	deleteDarajaConnection,
	getDarajaConnection,
	putDarajaConnection,
	registerDarajaConfirmations,
} from "../../../src/domains/connections/daraja.operations";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { putMomoConnection } from "../../../src/domains/connections/momo.operations";
import { replaceDue } from "../../../src/domains/connections/replacement.job";
import { activateDarajaReplacement, discardDarajaReplacement } from "../../../src/domains/connections/replacement.operations";
import { messages } from "../../../src/domains/messages/table";
import { removeMember } from "../../../src/domains/organizations/members/operations";
import { organizationMembers } from "../../../src/domains/organizations/table";
import { promptRepayment } from "../../../src/domains/repayments/prompts/operations";
import { DAY_MS, HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { CONNECTED, CREDENTIALS, darajaStandsIn, givenConnectedLoan, givenLender, givenOfferOf, timePasses } from "../../support/daraja";
import { accessToken, db, givenMember, operatorToken } from "../../support/factories";
import { eventsOf, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { WALLET } from "../../support/momo";

const THEFT = "777777";

type Lender = Awaited<ReturnType<typeof givenLender>>;
let lender: Lender;
let second: { id: string; token: string };
beforeEach(async () => {
	darajaStandsIn();
	lender = await givenLender();
	second = await givenMember(lender.organization.id, "organization-owner", { email: "second@example.com" });
});

const put = (as = lender.owner.token, changes: object = { short_code: THEFT }, vars: Partial<Env> = {}) =>
	call(putDarajaConnection, { as, path: lender.path, body: { ...CREDENTIALS, ...changes }, vars });
const activate = (as = second.token, account = THEFT, vars: Partial<Env> = {}) =>
	call(activateDarajaReplacement, { as, path: lender.path, body: { account }, vars });
const discard = (as = second.token) => call(discardDarajaReplacement, { as, path: lender.path });
const remove = (as = lender.owner.token, vars: Partial<Env> = {}) => call(deleteDarajaConnection, { as, path: lender.path, vars });
const seen = async () => expectOk(await call(getDarajaConnection, { as: second.token, path: lender.path }));
const due = () => runDueWork(replaceDue);
const changes = async () =>
	(await eventsOf(lender.organization.id)).flatMap(({ type, data }) => (type === "payment_connection.changed" ? [data] : []));
const toldTo = async (recipient: string) =>
	(await db.select().from(messages).where(eq(messages.recipient, recipient))).filter(({ purpose }) => purpose === "SECURITY").length;

describe("another account than the connected one", () => {
	it("waits for a second person, who names it, and everybody gets a notice", async () => {
		expect(expectOk(await put())).toMatchObject({
			short_code: CREDENTIALS.short_code,
			replacement: { account: THEFT, environment: "sandbox", requested_by: lender.owner.id },
		});
		expect(await activate(lender.owner.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(await activate(second.token, "600999")).toMatchObject({ status: 409 });
		const { token: viewer } = await givenMember(lender.organization.id, "organization-lending-admin");
		expect(await activate(viewer)).toMatchObject({ status: 403 });
		expect((await seen()).short_code).toBe(CREDENTIALS.short_code);
		expect(expectOk(await activate())).toMatchObject({ short_code: THEFT, replacement: null });
		expect(await activate()).toMatchObject({ status: 404 });
		const by = (change: string, account: string, changed_by: string) => ({
			provider: "daraja",
			environment: "sandbox",
			change,
			account,
			changed_by,
		});
		expect(await changes()).toEqual([
			by("CONNECTED", CREDENTIALS.short_code, lender.owner.id),
			by("REPLACEMENT_REQUESTED", THEFT, lender.owner.id),
			by("REPLACED", THEFT, second.id),
		]);
		// The second owner came after the first account.
		expect(await toldTo("second@example.com")).toBe(2);
	});

	it("is not agreed to by somebody whose role is less than a day old", async () => {
		expectOk(await put());
		const signedIn = async ({ id }: { id: string }) => accessToken(id, { auth_time: Math.floor(Date.now() / 1000) });
		const friend = await givenMember(lender.organization.id, "organization-admin");
		await db
			.update(organizationMembers)
			.set({ grantedAt: Date.now() - HOUR_MS })
			.where(eq(organizationMembers.userId, friend.id));
		const vars = { ENVIRONMENT: "sandbox", BASE_URL: "http://localhost", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" };
		expect(await activate(await signedIn(friend), THEFT, vars)).toMatchObject({
			status: 403,
			body: { description: expect.stringContaining("less than a day old") },
		});
		await db.update(organizationMembers).set({ grantedAt: 1 }).where(eq(organizationMembers.userId, second.id));
		expectOk(await activate(await signedIn(second), THEFT, vars));
	});

	it("keeps its secrets to itself while it waits", async () => {
		const { text } = await put(undefined, { short_code: THEFT, consumer_secret: "the thief's secret" });
		const [row] = await db.select().from(paymentConnections);
		expect(`${JSON.stringify(row)} ${text}`).not.toContain("thief");
	});

	it("takes the place by itself after a day, if nobody discards it", async () => {
		expectOk(await put());
		await timePasses(DAY_MS - HOUR_MS);
		await due();
		expect((await seen()).short_code).toBe(CREDENTIALS.short_code);
		await timePasses(HOUR_MS);
		await Promise.all([due(), due()]);
		expect(await seen()).toMatchObject({ short_code: THEFT, replacement: null, status: "ACTIVE" });
		expect((await changes()).at(-1)).toMatchObject({ change: "REPLACED", changed_by: null });
		const [row] = await db.select().from(paymentConnections);
		expect(row).toMatchObject({ version: 2, replacedAt: null });
	});

	it("does not when it was discarded, or when who asked for it has been removed", async () => {
		expectErrors("another account is not connected: nobody who may asks for it any more, or its secrets do not open");
		expectOk(await put());
		expect(await discard()).toMatchObject({ status: 204 });
		expect(await discard()).toMatchObject({ status: 404 });
		await timePasses(DAY_MS);
		await due();
		expect(await seen()).toMatchObject({ short_code: CREDENTIALS.short_code, replacement: null });
		expect((await changes()).at(-1)).toMatchObject({ change: "REPLACEMENT_DISCARDED", account: THEFT, changed_by: second.id });
		const thief = await givenMember(lender.organization.id, "organization-admin");
		expectOk(await put(thief.token));
		const path = { ...lender.path, userId: thief.id };
		expect(await call(removeMember, { as: second.token, path, query: {} })).toMatchObject({ status: 204 });
		await timePasses(DAY_MS);
		await due();
		expect(await seen()).toMatchObject({ short_code: CREDENTIALS.short_code, replacement: null });
	});

	it("waits on while a payout by the connected one is open", async () => {
		const standIn = darajaStandsIn();
		expectOk(await put());
		const { apply } = await givenOfferOf(lender);
		expectOk(await apply());
		await timePasses(DAY_MS);
		await due();
		expect(await seen()).toMatchObject({ short_code: CREDENTIALS.short_code, replacement: { account: THEFT } });
		await standIn.deliver();
		await timePasses(HOUR_MS);
		await due();
		expect(await seen()).toMatchObject({ short_code: THEFT });
	});

	it("stays when the credentials of the connected one are changed meanwhile, and is what was asked for last", async () => {
		expectOk(await put());
		expectOk(await put(undefined, { initiator_name: "renamed" }));
		expect(await seen()).toMatchObject({ replacement: { account: THEFT } });
		expectOk(await put(second.token, { short_code: "600996" }));
		expect(await activate(second.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(await activate(lender.owner.token)).toMatchObject({ status: 409 });
		expectOk(await activate(lender.owner.token, "600996"));
	});

	it("is not connected as a first one, after the connected one was removed, for a day", async () => {
		expect(await remove()).toMatchObject({ status: 204 });
		expect(await put()).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expectOk(await put(undefined, {}));
		expect(await remove()).toMatchObject({ status: 204 });
		await timePasses(DAY_MS);
		expect(expectOk(await put())).toMatchObject({ short_code: THEFT });
		expect((await changes()).map(({ change }) => change)).toEqual(["CONNECTED", "DISCONNECTED", "CONNECTED", "DISCONNECTED", "CONNECTED"]);
	});
});

describe("an operator, where operators work in pairs", () => {
	const PAIRS = { OPERATOR_PAIRS: "on" };

	it("enters no credentials of a lender, agrees to no account, and disconnects none alone", async () => {
		const as = await operatorToken();
		expect(await put(as, {}, PAIRS)).toMatchObject({ status: 403 });
		expect(await put(as, { short_code: THEFT }, PAIRS)).toMatchObject({ status: 403 });
		expect(await call(putMomoConnection, { as, path: lender.path, body: WALLET, vars: PAIRS })).toMatchObject({ status: 403 });
		expectOk(await put());
		expect(await activate(as, THEFT, PAIRS)).toMatchObject({ status: 403 });
		expect(await remove(as, PAIRS)).toMatchObject({ status: 202 });
		expect(await call(discardDarajaReplacement, { as, path: lender.path, vars: PAIRS })).toMatchObject({ status: 204 });
		expect((await seen()).short_code).toBe(CREDENTIALS.short_code);
	});
});

describe("the money that borrowers pay", () => {
	it("goes to the lender's own account, with anything that one stolen token of an owner does within a day", async () => {
		const loan = await givenConnectedLoan({ passkey: "a passkey" });
		lender = loan.lender;
		second = lender.owner;
		const thief = await givenMember(lender.organization.id, "organization-owner");
		const theft = { short_code: THEFT, passkey: "the thief's" };
		for (const attempt of [
			() => put(thief.token, theft),
			() => activate(thief.token),
			() => remove(thief.token),
			() => put(thief.token, theft),
		])
			await attempt();
		await call(registerDarajaConfirmations, { as: thief.token, path: lender.path, body: { renew: true }, vars: CONNECTED });
		await timePasses(DAY_MS - HOUR_MS);
		await due();
		const path = { accountId: loan.accountId };
		const answer = await call(promptRepayment, { as: lender.owner.token, path, body: { amount: 1_000 }, vars: CONNECTED });
		const asked = JSON.stringify(loan.standIn.prompts.asked);
		expect(asked).not.toContain(THEFT);
		expect([201, 404, 409, 503]).toContain(answer.status);
	});
});
