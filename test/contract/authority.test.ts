// What one stolen credential can take: it alone tries the operations over HTTP, and what left is summed. A test for each row of the table
// in docs/security.md.

import { env } from "cloudflare:workers";
import { and, eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getAccount } from "../../src/domains/accounts/operations";
import { decideApproval, requestApproval } from "../../src/domains/approvals/operations";
import { creditAccounts } from "../../src/domains/credit-accounts/table";
import { recordMovement } from "../../src/domains/current-accounts/custodian-reports/movements.operations";
import { currentAccounts } from "../../src/domains/current-accounts/table";
import { repayInvoice } from "../../src/domains/invoices/financing.operations";
import { decideInvoice } from "../../src/domains/invoices/operations";
import { applyForLoan } from "../../src/domains/loans/applications/apply.operations";
import { draw } from "../../src/domains/loans/draws/operations";
import { startNumberChange } from "../../src/domains/mobile-number-changes/operations";
import { createApiKey, updateApiKey } from "../../src/domains/organizations/api-keys/operations";
import { addMember, changeRole } from "../../src/domains/organizations/members/operations";
import { organizationMembers } from "../../src/domains/organizations/table";
import { payeeAccounts } from "../../src/domains/payees/table";
import { confirmDaraja } from "../../src/domains/repayments/recording/daraja.operations";
import { recordRepayment } from "../../src/domains/repayments/recording/operations";
import { listUnmatchedPayments } from "../../src/domains/repayments/unmatched/operations";
import { mintToken } from "../../src/domains/tokens/service-token";
import { confirmTransfer, orderTransfer } from "../../src/domains/transfers/operations";
import { transfers } from "../../src/domains/transfers/table";
import { type Access, isPublic } from "../../src/http/callers/access";
import type { AnyOperation } from "../../src/http/operation";
import { configuration } from "../../src/runtime/config";
import { type Role, roleHolds, SCOPES } from "../../src/shared/permissions";
import { DAY_MS, MINUTE_MS } from "../../src/shared/time";
import { call, expectOk } from "../support/client";
import { moveClock } from "../support/clock";
import { expectCredit, givenLoan, paymentTo } from "../support/credit";
import { codeSentTo, givenAccountHolder, givenCurrentAccount, movementOf, wrongCode } from "../support/current-accounts";
import { everyDatabase } from "../support/databases";
import { operations } from "../support/domains";
import { CALLBACK_SECRET, naming, signed, title } from "../support/doors";
import { accessToken, db, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { givenFinanced, repaymentOf } from "../support/invoices";
import { givenKey, signed as signedBy } from "../support/issuers";
import { givenLoanProduct, givenOffer } from "../support/loans";
import { givenPayee } from "../support/payees";
import { fakeWorld } from "../support/webhooks";
import { type Credentials, send } from "./senders";
import { givenParties, OUTSIDE_DISBURSER, type Parties, type ValidRequest, validRequest } from "./valid-requests";

/** The thresholds of production. */
const T = 1_000_000;
const N = 50_000;
const VARS = { TRANSFER_OTP_ABOVE: String(T), NEW_PAYEE_OTP_ABOVE: String(N) };
/** A user's whole money, in the tests that try to move as much as possible. */
const WEALTH = 100_000_000;

beforeEach(() => {
	fakeWorld();
});

/** What has left the user's current account, or is on its way. */
async function leftOf(userId: string): Promise<number> {
	const rows = await db
		.select({ amount: transfers.amount })
		.from(transfers)
		.where(and(eq(transfers.userId, userId), inArray(transfers.status, ["PENDING", "COMPLETED"])));
	return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** The request as somebody sends it who does not get the codes. */
function guessed({ body, ...request }: ValidRequest): ValidRequest {
	if (!body) return request;
	return { ...request, body: "otp_code" in body ? { ...body, otp_code: wrongCode(String(body.otp_code)) } : body };
}

/** The operations that one of these credentials opens. */
const openTo = (...doors: readonly (keyof Access)[]) =>
	operations.filter(({ access }) => isPublic(access) || doors.some((door) => access[door])).map((op) => [title(op), op] as const);

let tills = 200_000;
/** An account of a payee, which the owner has confirmed by a code or not. */
async function payable(token: string, confirmed: boolean): Promise<string> {
	const { accounts } = await givenPayee(token, null, { type: "BUY_GOODS", till_number: String(tills++) });
	const id = accounts[0]?.id ?? "";
	if (confirmed) await db.update(payeeAccounts).set({ confirmedAt: 1 }).where(eq(payeeAccounts.id, id));
	return id;
}

/** Orders many transfers, of which some ask for a code that the thief does not have. */
async function drain(token: string, accountIds: readonly string[], amounts: readonly number[]): Promise<void> {
	for (const payee_account_id of accountIds)
		for (const amount of amounts) await call(orderTransfer, { as: token, body: { payee_account_id, amount }, vars: VARS });
}

describe("a user's access or refresh token", () => {
	it.each(openTo("user", "organization"))("moves money by transfers alone: %s", async (_, op) => {
		const parties = await givenParties();
		const request = guessed(await validRequest(op, parties));
		const before = await leftOf(parties.user.id);
		await send(op, request, { as: parties.user.token }, VARS);
		const moved = (await leftOf(parties.user.id)) - before;
		if (op.id === orderTransfer.id) expect(moved).toBeGreaterThan(0);
		else expect(moved).toBe(0);
	});

	it("takes at most the threshold a day, and three times that until the owner's next code", { timeout: 60_000 }, async () => {
		const { user } = await givenParties();
		await givenCurrentAccount({ user, balance: WEALTH });
		const known = [await payable(user.token, true), await payable(user.token, true)];
		const days: number[] = [];
		for (let day = 1; day <= 5; day++) {
			const before = await leftOf(user.id);
			await drain(user.token, known, [T + 1, 400_000, 400_000, 400_000, 100_000, 100_000, 100_000]);
			days.push((await leftOf(user.id)) - before);
			await moveClock(DAY_MS);
		}
		expect(days).toEqual([T, T, T, 0, 0]);
	});

	it("takes at most the lower threshold a day by paying new payees", { timeout: 60_000 }, async () => {
		const { user } = await givenParties();
		await givenCurrentAccount({ user, balance: WEALTH });
		for (let day = 1; day <= 3; day++) {
			const before = await leftOf(user.id);
			await drain(user.token, [await payable(user.token, false), await payable(user.token, false)], [N + 1, 30_000, 20_000]);
			expect((await leftOf(user.id)) - before).toBe(N);
			await moveClock(DAY_MS);
		}
	});
});

/** The token of a session that somebody has just begun with the owner's number, whose codes they get. */
const tokenByNumber = async (userId: string, authenticatedAt: number): Promise<string> =>
	mintToken(await configuration(env), {
		kind: "access",
		issuer: "http://localhost",
		subject: userId,
		realNow: Date.now(),
		lifetimeSeconds: 900,
		claims: { sid: crypto.randomUUID(), auth_time: Math.ceil(authenticatedAt / 1000), amr: ["otp"] },
	});

describe("a user's number (SIM)", () => {
	const CAUTIOUS = { ...VARS, CAUTION_HOURS: "24" };
	const NOT_FOR_A_DAY: readonly string[] = [applyForLoan.id, draw.id, startNumberChange.id];

	it.each(openTo("user", "organization"))("moves at most the threshold, and neither borrows nor changes the number: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const before = await leftOf(parties.user.id);
		const { status } = await send(op, request, { as: await tokenByNumber(parties.user.id, Date.now() + 1_000) }, CAUTIOUS);
		expect((await leftOf(parties.user.id)) - before).toBeLessThanOrEqual(T);
		const account = await db.select({ id: currentAccounts.id }).from(currentAccounts).where(eq(currentAccounts.userId, parties.user.id));
		const credit = await db.select({ id: creditAccounts.id }).from(creditAccounts).where(eq(creditAccounts.userId, parties.user.id));
		if (NOT_FOR_A_DAY.includes(op.id) && account.length + credit.length > 0) expect(status).toBe(409);
	});

	/** Orders and confirms as often as codes are sent in a day. */
	async function drainByCodes(token: string, accountIds: readonly string[], amount: number): Promise<void> {
		for (let round = 1; round <= 8; round++) {
			for (const payee_account_id of accountIds) {
				const ordered = await call(orderTransfer, { as: token, body: { payee_account_id, amount }, vars: CAUTIOUS });
				if (!ordered.ok || ordered.body.status !== "AWAITING_OTP") continue;
				const body = { otp_code: await codeSentTo("+254712345678") };
				await call(confirmTransfer, { as: token, path: { transferId: ordered.body.id }, body, vars: CAUTIOUS });
			}
			await moveClock(20 * MINUTE_MS);
		}
	}

	it("takes the threshold in the first day, then the daily limit", { timeout: 60_000 }, async () => {
		const { user } = await givenParties();
		await givenCurrentAccount({ user, balance: WEALTH });
		const accounts = [await payable(user.token, true), await payable(user.token, false)];
		await drainByCodes(await tokenByNumber(user.id, Date.now() + 1_000), accounts, 400_000);
		const first = await leftOf(user.id);
		expect(first).toBe(800_000);
		await moveClock(DAY_MS);
		await drainByCodes(await tokenByNumber(user.id, Date.now() - DAY_MS - 1_000), accounts, 25_000_000);
		expect((await leftOf(user.id)) - first).toBe(50_000_000);
	});
});

/** Where money is recorded, and what gives power over it. */
const MONEY = [
	"account_transactions",
	"credit_accounts",
	"credit_cycles",
	"current_account_entries",
	"custodian_movements",
	"disbursements",
	"invoice_advances",
	"invoice_repayments",
	"payments",
	"transfers",
];
const POWER = ["api_keys", "credit_profiles", "identity_links", "loan_products", "memberships", "trusted_issuers"];
const rowsOf = async (table: string) => (await everyDatabase.prepare(`select * from ${table}`).all()).results;
const rowsIn = (tables: readonly string[]) => Promise.all(tables.map(rowsOf));

describe("an operator's token", () => {
	const PAIRS = { OPERATOR_PAIRS: "on" };
	const writes = operations.filter(({ access, method, only }) => method !== "GET" && !only && (access.operator || access.organization));

	it.each(writes.map((op) => [title(op), op] as const))("moves no money and gives nobody power: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const [money, power] = [await rowsIn(MONEY), await rowsIn(POWER)];
		const { headers = {} } = naming(op, parties.organization.id);
		const named = request.borrower ? { ...request, body: { ...request.body, ...request.borrower } } : request;
		const { status } = await send(op, named, { as: await operatorToken(), headers }, PAIRS);
		expect(await rowsIn(MONEY)).toEqual(money);
		for (const [index, rows] of (await rowsIn(POWER)).entries()) expect(rows.length).toBeLessThanOrEqual(power[index]?.length ?? 0);
		const { operatorWrites } = op.access;
		if (operatorWrites === undefined) expect(status).toBe(403);
		if (operatorWrites === "HELD") expect(status).toBe(202);
	});
});

describe("an identity issuer's key", () => {
	const open = operations.filter(({ access }) => access.identity);

	it.each(open.map((op) => [title(op), op] as const))("is nobody outside its organization who is not linked: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const key = await givenKey();
		const issuer = { issuer: "https://stolen.example", kind: "identity", may_assert_user_ids: true, organization_id: "another" };
		const vars = { TRUSTED_ISSUERS: JSON.stringify([{ ...issuer, jwks: { keys: [key.jwk] } }]) };
		await givenOrganization("another");
		const { headers = {} } = naming(op, parties.organization.id);
		for (const { id } of [parties.owner, parties.user]) {
			const as = await signedBy(key, { iss: issuer.issuer, sub: id });
			// A subject who is no user may accept an invitation to their own verified address, which this token does not have.
			expect([401, 403, 404]).toContain((await send(op, request, { as, headers }, vars)).status);
		}
	});
});

describe("DISBURSER_SECRET", () => {
	const closed = operations.filter(({ access }) => !isPublic(access));

	it.each(closed.map((op) => [title(op), op] as const))("ends payouts in flight, and opens nothing else: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const before = await rowsIn(MONEY);
		const headers = await signed(request.body ? JSON.stringify(request.body) : "", CALLBACK_SECRET);
		const { status } = await send(op, request, { headers }, { CUSTODIAN_SECRET: "another", ...OUTSIDE_DISBURSER });
		if (op.access.signature === "DISBURSER_SECRET") expect(status).toBe(200);
		else if (op.access.signature === undefined) expect(status).toBe(401);
		if (op.access.signature === undefined) expect(await rowsIn(MONEY)).toEqual(before);
	});

	it("opens two operations, each of which ends a payout that was ordered", async () => {
		const open = operations.filter(({ access }) => access.signature === "DISBURSER_SECRET");
		expect(open.map(({ id }) => id).sort()).toEqual(["reportDisbursement", "reportTransfer"]);
		const parties = await givenParties();
		for (const op of open) {
			const request = await validRequest(op, parties);
			const id = crypto.randomUUID();
			const name = Object.keys(request.path ?? {})[0] ?? "";
			const body = { ...request.body, [name]: id };
			const before = await rowsIn(MONEY);
			const headers = await signed(JSON.stringify(body), CALLBACK_SECRET);
			expect((await send(op, { path: { [name]: id }, body }, { headers }, {})).status).toBe(404);
			expect(await rowsIn(MONEY)).toEqual(before);
		}
	});
});

/** All money that has been lent, paid out, paid in, or claimed as paid. */
async function moved(): Promise<number> {
	const row = await everyDatabase
		.prepare(`select
			(select coalesce(sum(loan_amount), 0) from loan_applications where status in ('SUBMITTED', 'DISBURSED'))
			+ (select coalesce(sum(amount), 0) from disbursements where kind = 'DRAW')
			+ (select coalesce(sum(amount), 0) from payments where status in ('CONFIRMED', 'POSTED'))
			+ (select coalesce(sum(amount), 0) from invoice_repayments) + (select coalesce(sum(advance), 0) from invoice_advances)
			+ (select coalesce(sum(amount), 0) from transfers)
			+ (select coalesce(sum(amount), 0) from custodian_movements where direction = 'CREDIT') as total`)
		.first<{ total: number }>();
	return row?.total ?? Number.NaN;
}

/** What a valid call of the operation by this credential moves. */
async function movedBy(op: AnyOperation, credentialOf: (parties: Parties) => Promise<Credentials>): Promise<number> {
	const parties = await givenParties();
	const request = await validRequest(op, parties);
	const credential = await credentialOf(parties);
	const before = await moved();
	await send(op, request, credential, {});
	return (await moved()) - before;
}

/** A path with a secret is a credential of its own. */
const every = operations.filter(({ path }) => !path.includes("{secret}")).map((op) => [title(op), op] as const);

const decided = () =>
	everyDatabase
		.prepare(
			"select (select count(*) from approvals where decided_by is not null) + (select count(*) from invoices where decided_by is not null) as count",
		)
		.first<{ count: number }>();

describe("an API key with every scope", () => {
	const lending = ["applyForLoan", "recordRepayment", "repayInvoice"];

	it.each(every)("moves money only by what counts in its day, and decides nothing: %s", async (_, op) => {
		let before: unknown;
		const sum = await movedBy(op, async ({ organization, owner }) => {
			before = await decided();
			return { as: await givenApiKey(organization.id, SCOPES, { createdBy: owner.id }) };
		});
		expect(sum > 0).toBe(lending.includes(op.id));
		expect(await decided()).toEqual(before);
	});

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

	it("moves no less for a call that is repeated or refused, and more only once an operator has raised it", async () => {
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
		expectOk(await change(await operatorToken(), 4_000));
		expect(await pay(2_001)).toMatchObject({ status: 429 });
		expect(await pay(2_000)).toMatchObject({ status: 201 });
	});
});

describe.each(["organization-owner", "organization-developer"] as const)("the token of an %s", (role: Role) => {
	it.each(every)("moves no money by itself: %s", async (_, op) => {
		const sum = await movedBy(op, async ({ organization }) => {
			const { token } = await givenMember(organization.id, role);
			return { as: token, ...(op.access.organization && naming(op, organization.id)) };
		});
		expect(sum).toBe(0);
	});

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

/** A service outside `local`, which is as strict as production. */
const STRICT = { ENVIRONMENT: "sandbox", BASE_URL: "http://localhost", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" };

describe("an hour after the owner's sign-in, their token", () => {
	const fresh = operations.filter(({ access }) => access.fresh !== undefined);
	const seconds = () => Math.floor(Date.now() / 1000);

	it("makes no power that outlives it", () => {
		expect(fresh.map(({ id }) => id).sort()).toEqual([
			"adoptApiKey",
			"changeRole",
			"createApiKey",
			"createInvitation",
			"decideApproval",
			"decideInvoice",
		]);
	});

	it.each(fresh.map((op) => [title(op), op] as const))("asks for another sign-in (RFC 9470): %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const { headers = {} } = naming(op, parties.organization.id);
		const asked = async (claims: Record<string, unknown>) =>
			send(op, request, { as: await accessToken(parties.owner.id, claims), headers }, STRICT);
		for (const claims of [{}, { auth_time: seconds() - 3_700 }]) {
			const refused = await asked(claims);
			expect(refused).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
			expect(refused.headers.get("www-authenticate")).toBe('Bearer error="insufficient_user_authentication", max_age="3600"');
		}
		expect((await asked({ auth_time: seconds() - 3_500 })).status).toBeLessThan(300);
	});
});

describe("a person whom an owner has just made", () => {
	const decidersOf = async (op: AnyOperation) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const { headers = {} } = naming(op, parties.organization.id);
		const decide = async (userId: string) =>
			send(op, request, { as: await accessToken(userId, { auth_time: Math.floor(Date.now() / 1000) }), headers }, STRICT);
		return { parties, decide };
	};
	const deciding = [decideApproval, decideInvoice] as unknown as AnyOperation[];

	it.each(deciding.map((op) => [op.id, op] as const))("decides nothing for a day: %s", async (_, op) => {
		const { parties, decide } = await decidersOf(op);
		const path = { organizationId: parties.organization.id };
		const { id } = await givenUser();
		const as = await operatorToken();
		expectOk(await call(addMember, { as, path, body: { user_id: id, role: "organization-viewer" } }));
		await db.update(organizationMembers).set({ grantedAt: 0 }).where(eq(organizationMembers.userId, id));
		const change = (role: Role) => call(changeRole, { as: parties.owner.token, path: { ...path, userId: id }, body: { role } });
		for (const role of ["organization-admin", "organization-owner", "organization-admin"] as const) {
			expectOk(await change(role));
			const refused = await decide(id);
			expect(refused).toMatchObject({ status: 403, body: { description: expect.stringContaining("less than a day old") } });
		}
		const dayOld = Date.now() - DAY_MS - 1;
		await db.update(organizationMembers).set({ grantedAt: dayOld }).where(eq(organizationMembers.userId, id));
		// A role that may less moves nothing.
		expectOk(await change("organization-financing-admin"));
		const [row] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, id));
		expect(row).toMatchObject({ role: "organization-financing-admin", grantedAt: dayOld });
		if (op.id === decideInvoice.id) expect((await decide(id)).status).toBe(200);
		else expect((await decide(parties.owner.id)).status).toBe(200);
	});

	it("is one from the moment they are added", async () => {
		const { organization } = await givenParties();
		const { id } = await givenUser();
		const as = await operatorToken();
		const body = { user_id: id, role: "organization-owner" as const };
		expectOk(await call(addMember, { as, path: { organizationId: organization.id }, body }));
		const [row] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, id));
		expect(row?.grantedAt).toBeGreaterThan(Date.now() - 60_000);
	});
});

describe("CUSTODIAN_SECRET", () => {
	it.each(operations.filter(({ access }) => access.signature === "CUSTODIAN_SECRET").map((op) => [title(op), op] as const))(
		"moves money only by movements: %s",
		async (_, op) => {
			const parties = await givenParties();
			const request = await validRequest(op, parties);
			const before = await moved();
			await send(op, request, { headers: await signed(JSON.stringify(request.body), CALLBACK_SECRET) }, {});
			expect((await moved()) - before > 0).toBe(op.id === "recordMovement");
		},
	);

	it("pays in CUSTODIAN_CREDITS_PER_DAY over all accounts, however many reports come at once; then 503", async () => {
		const holders = await Promise.all([givenAccountHolder(), givenAccountHolder(), givenAccountHolder()]);
		const vars = { CUSTODIAN_SECRET: CALLBACK_SECRET, CUSTODIAN_CREDITS_PER_DAY: "2500" };
		const before = await moved();
		const credit = async (body: ReturnType<typeof movementOf>) =>
			call(recordMovement, { body, headers: await signed(JSON.stringify(body), CALLBACK_SECRET), vars });
		const answers = await Promise.all(holders.map(({ accountId }) => credit(movementOf(accountId, 1_000))));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
		const refused = answers.find(({ status }) => status === 503);
		expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(5);
		expect((await moved()) - before).toBe(2_000);
		const [holder] = holders;
		const debit = movementOf(holder?.accountId ?? "", 500, { direction: "DEBIT" });
		const byOperator = movementOf(holder?.accountId ?? "", 1_000);
		expectOk(await call(recordMovement, { as: await operatorToken(), body: byOperator, vars }));
		expect(await credit(debit)).toMatchObject({ status: 200 });
	});
});

describe("a Daraja path", () => {
	it("posts amount_per_day of claims, however many come at once, and keeps the others as unmatched", async () => {
		const { organization, accountId, borrower } = await givenLoan();
		const { account_number } = expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
		const source = { secret: "a-long-secret", organization_id: organization.id, amount_per_day: 2_500 };
		const vars = { DARAJA_SECRETS: JSON.stringify([source]) };
		const confirm = (TransID: string) =>
			call(confirmDaraja, {
				path: { secret: source.secret },
				body: { TransID, TransTime: "20251122063845", TransAmount: "10.00", BillRefNumber: account_number },
				vars,
			});
		const before = await moved();
		const answers = await Promise.all(["A", "B", "C", "D"].map(confirm));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		for (const id of ["A", "B", "C", "D"]) expect(await confirm(id)).toMatchObject({ status: 200 });
		expect((await moved()) - before).toBe(2_000);
		const { data } = expectOk(await call(listUnmatchedPayments, { as: await operatorToken(), query: {} }));
		expect(data.map(({ reason }) => reason)).toEqual(["OVER_DAILY_AMOUNT", "OVER_DAILY_AMOUNT"]);
	});
});
