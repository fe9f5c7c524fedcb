// What an API key, and the tokens of those who make keys, can take at most.
// @module-tag thorough

import { beforeEach, describe, expect, it, vi } from "vitest";
import { decideApproval, requestApproval } from "../../../src/domains/approvals/operations";
import { activateDarajaReplacement, activateMomoReplacement } from "../../../src/domains/connections/replacement.operations";
import { repayInvoice } from "../../../src/domains/invoices/financing.operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { createApiKey, updateApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { matchPayment } from "../../../src/domains/repayments/unmatched/operations";
import type { AnyOperation } from "../../../src/http/operation";
import { type Role, roleHolds, SCOPES } from "../../../src/shared/permissions";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenLoan, paymentTo } from "../../support/credit";
import { everyDatabase } from "../../support/databases";
import { naming, title } from "../../support/doors";
import { givenApiKey, givenMember, givenUser, operatorToken } from "../../support/factories";
import { givenFinanced, repaymentOf } from "../../support/invoices";
import { givenLoanProduct, givenOffer } from "../../support/loans";
import { fakeWorld } from "../../support/webhooks";
import type { Credentials } from "../senders";
import { givenParties, type Parties } from "../valid-requests";
import { changes, moved, validRequests } from "./moved";

beforeEach(() => {
	fakeWorld();
});

/** A path with a secret, or with the code of one answer, is a credential of its own. */
const every = changes.filter(({ path }) => !/{(secret|code)}/.test(path)).map((op) => [title(op), op] as const);

const decided = () =>
	everyDatabase
		.prepare(
			"select (select count(*) from approvals where decided_by is not null) + (select count(*) from invoices where decided_by is not null) as count",
		)
		.first<{ count: number }>();

/** The accounts with providers to which the lender's money comes. */
const incoming = async () =>
	(
		await everyDatabase
			.prepare(
				"select organization_id || ' ' || provider || ' ' || environment || ' ' || short_code || ' ' || facts as account from payment_connections",
			)
			.all<{ account: string }>()
	).results.map(({ account }) => account);

/** What a second person does: somebody else asked for it. */
const SECONDS: readonly string[] = [activateDarajaReplacement.id, activateMomoReplacement.id];

type Caller = {
	who: string;
	/** The operations by which they move money; all of it counts in their day. */
	moves: readonly string[];
	mayDecide?: true;
	credentialsIn: (parties: Parties, op: AnyOperation) => Promise<Credentials>;
};

const member =
	(role: Role) =>
	async ({ organization }: Parties, op: AnyOperation) => {
		const { token } = await givenMember(organization.id, role);
		return { as: token, ...(op.access.organization && naming(op, organization.id)) };
	};

const CALLERS: readonly Caller[] = [
	{ who: "a developer", moves: [], mayDecide: true, credentialsIn: member("organization-developer") },
	{
		who: "an API key with every scope",
		moves: ["applyForLoan", "recordRepayment", "repayInvoice"],
		credentialsIn: async ({ organization, owner }) => ({ as: await givenApiKey(organization.id, SCOPES, { createdBy: owner.id }) }),
	},
	{ who: "an owner", moves: ["recordRepayment", "matchPayment"], mayDecide: true, credentialsIn: member("organization-owner") },
	{
		who: "a lending admin",
		moves: ["recordRepayment", "matchPayment"],
		mayDecide: true,
		credentialsIn: member("organization-lending-admin"),
	},
];

describe("an API key, and the tokens of those who make keys", () => {
	it.each(every)("move money only by what counts in their day, lead none elsewhere, and a key decides nothing: %s", async (_, op) => {
		const valid = validRequests(op);
		for (const { who, moves, mayDecide = false, credentialsIn } of CALLERS)
			await valid(async (parties, send) => {
				const credentials = await credentialsIn(parties, op);
				const [before, decisions, accounts] = [await moved(), await decided(), await incoming()];
				await send(credentials);
				const others = (await incoming()).filter((account) => !accounts.includes(account));
				if (accounts.length > 0 && !SECONDS.includes(op.id)) expect(others, who).toEqual([]);
				expect((await moved()) > before, who).toBe(moves.includes(op.id));
				if (!mayDecide) expect(await decided(), who).toEqual(decisions);
			});
	});
});

describe("an API key with every scope", () => {
	it("moves its daily amount, and with the other keys of its maker no more, however many calls run at once", async () => {
		const { organization, accountId } = await givenLoan();
		const owner = await givenMember(organization.id);
		const vars = { API_KEY_DAILY_AMOUNT: "2500" };
		const invoice = await givenFinanced({ organization });
		const borrower = await givenUser({ organizationId: organization.id });
		const offer = await givenOffer(borrower.token, (await givenLoanProduct({ organization_id: organization.id })).id);
		const key = () => givenApiKey(organization.id, SCOPES, { createdBy: owner.id });
		const [stolen, another] = [await key(), await key()];
		const before = await moved();
		const pay = (as: string, value: number) => call(recordRepayment, { as, body: paymentTo(accountId, value), vars });
		const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => pay(index % 2 === 0 ? stolen : another, 1_000)));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429, 429]);
		const refused = answers.find(({ status }) => status === 429);
		expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(refused?.headers.get("ratelimit")).toContain('"api-key-amount"');
		const rest = { as: stolen, path: { id: invoice.id }, vars };
		expect(await call(repayInvoice, { ...rest, body: repaymentOf(501) })).toMatchObject({ status: 429 });
		expect(await call(repayInvoice, { ...rest, body: repaymentOf(500) })).toMatchObject({ status: 201 });
		const loan = { path: { application_id: offer.id }, body: { loan_amount: 5_000, user_id: borrower.id }, vars };
		expect(await call(applyForLoan, { ...loan, as: another })).toMatchObject({ status: 429 });
		expect((await moved()) - before).toBe(2_500);
		const ofAnother = await givenMember(organization.id, "organization-admin");
		expect(await pay(await givenApiKey(organization.id, SCOPES, { createdBy: ofAnother.id }), 1_000)).toMatchObject({ status: 201 });
	});

	it("moves no less for a call that is repeated or refused, and more only once two operators have raised it", async () => {
		const { organization, accountId } = await givenLoan();
		const owner = await givenMember(organization.id);
		const vars = { API_KEY_DAILY_AMOUNT: "2500" };
		const path = { organizationId: organization.id };
		const body = { name: "till", scopes: [...SCOPES], daily_amount: 2_000 };
		const made = expectOk(await call(createApiKey, { as: owner.token, path, body, vars }));
		expect(made).toMatchObject({ daily_amount: 2_000, created_by: owner.id });
		const pay = (value: number, id?: string) =>
			call(recordRepayment, { as: made.key ?? "", body: paymentTo(accountId, value, id, 1_700_000_000_000), vars });
		for (const status of [201, 200, 200]) expect(await pay(1_500, "once")).toMatchObject({ status });
		for (const _ of ["", "again"]) expect(await pay(501)).toMatchObject({ status: 429 });
		expect(await pay(500)).toMatchObject({ status: 201 });
		const change = (as: string, daily_amount: number) =>
			call(updateApiKey, { as, path: { ...path, id: made.id }, body: { daily_amount }, vars });
		expect(await change(owner.token, 2_501)).toMatchObject({ status: 400, body: { invalid_params: [{ path: "daily_amount" }] } });
		const pairs = { ...vars, OPERATOR_PAIRS: "on" };
		const raised = { as: await operatorToken("anna"), path: { ...path, id: made.id }, body: { daily_amount: 4_000 }, vars: pairs };
		const { id } = expectOk(await call(updateApiKey, raised));
		expect(await pay(501)).toMatchObject({ status: 429 });
		const decision = { path: { id }, body: { decision: "APPROVED" as const }, vars: pairs };
		expectOk(await call(decideApproval, { ...decision, as: await operatorToken("ben") }));
		expect(await pay(2_001)).toMatchObject({ status: 429 });
		expect(await pay(2_000)).toMatchObject({ status: 201 });
	});
});

describe("the day of an API key", () => {
	beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));

	it("begins again at midnight (UTC)", async () => {
		const { organization, accountId } = await givenLoan();
		const owner = await givenMember(organization.id);
		const vars = { API_KEY_DAILY_AMOUNT: "1000" };
		const key = await givenApiKey(organization.id, SCOPES, { createdBy: owner.id });
		const pay = async () => (await call(recordRepayment, { as: key, body: paymentTo(accountId, 1_000), vars })).status;
		const midnight = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
		vi.setSystemTime(midnight - 1_000);
		expect([await pay(), await pay()]).toEqual([201, 429]);
		vi.setSystemTime(midnight);
		expect([await pay(), await pay()]).toEqual([201, 429]);
	});
});

describe.each(["organization-owner", "organization-developer"] as const)("the token of an %s", (role: Role) => {
	it("makes keys, of which all together move at most what one may", async () => {
		const { organization, accountId } = await givenLoan();
		const thief = await givenMember(organization.id, role);
		const vars = { API_KEY_DAILY_AMOUNT: "1000" };
		const scopes = SCOPES.filter((scope) => roleHolds(role, scope));
		const before = await moved();
		for (let made = 0; made < 3; made++) {
			const body = { name: "till", scopes };
			const { key = "" } = expectOk(await call(createApiKey, { as: thief.token, path: { organizationId: organization.id }, body, vars }));
			await call(recordRepayment, { as: key, body: paymentTo(accountId, 600), vars });
			await call(recordRepayment, { as: key, body: paymentTo(accountId, 400), vars });
		}
		expect((await moved()) - before).toBe(role === "organization-owner" ? 1_000 : 0);
	});
});

describe("an owner's token", () => {
	it("records, matches and gives back in a day what a key may, and then names the approval that is needed", async () => {
		const { organization, accountId } = await givenLoan();
		const owner = await givenMember(organization.id);
		const vars = { API_KEY_DAILY_AMOUNT: "2500" };
		const headers = { "x-organization-id": organization.id };
		const key = await givenApiKey(organization.id, ["repayments:write"]);
		const { account_id: _, ...unmatched } = paymentTo(accountId, 1_000);
		const kept = expectOk(await call(recordRepayment, { as: key, body: { ...unmatched, account_number: "unknown" } }));
		const pay = (value: number) => call(recordRepayment, { as: owner.token, headers, body: paymentTo(accountId, value), vars });
		const match = () =>
			call(matchPayment, { as: owner.token, headers, path: { id: kept.transaction.id }, body: { account_id: accountId }, vars });
		expect(await pay(2_000)).toMatchObject({ status: 201 });
		for (const over of [await pay(501), await match()]) {
			expect(over).toMatchObject({
				status: 409,
				body: { code: "INVALID_STATE", description: expect.stringContaining("another operator must approve it") },
			});
		}
		expect(await pay(500)).toMatchObject({ status: 201 });
		// Another member has an amount of their own.
		const other = await givenMember(organization.id, "organization-lending-admin");
		const paid = { as: other.token, headers, body: paymentTo(accountId, 2_500), vars };
		expect(await call(recordRepayment, paid)).toMatchObject({ status: 201 });
	});

	it("passes no approval alone, nor with keys of its own", async () => {
		const { organization, owner } = await givenParties();
		const { id: entity_id } = await givenUser({ organizationId: organization.id });
		const body = { approval_type: "BLOCK_CHANGE" as const, entity_type: "USER" as const, entity_id, payload: { blocked: true } };
		const path = { organizationId: organization.id };
		const { key = "" } = expectOk(await call(createApiKey, { as: owner.token, path, body: { name: "till", scopes: [...SCOPES] } }));
		for (const as of [owner.token, key]) {
			const { id } = expectOk(await call(requestApproval, { as, body }));
			const decide = (by: string) => call(decideApproval, { as: by, path: { id }, body: { decision: "APPROVED" } });
			expect(await decide(owner.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
			expect(await decide(key)).toMatchObject({ status: 403 });
			expectOk(await call(decideApproval, { as: await operatorToken(), path: { id }, body: { decision: "REJECTED" } }));
		}
	});
});
