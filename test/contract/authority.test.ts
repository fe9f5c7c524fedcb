// What one stolen credential can take: it alone tries the operations over HTTP, and what left is summed. A test for each row of the table
// in docs/security.md.

import { env } from "cloudflare:workers";
import { and, eq, inArray } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { creditAccounts } from "../../src/domains/credit-accounts/table";
import { currentAccounts } from "../../src/domains/current-accounts/table";
import { applyForLoan } from "../../src/domains/loans/applications/apply.operations";
import { draw } from "../../src/domains/loans/draws/operations";
import { startNumberChange } from "../../src/domains/mobile-number-changes/operations";
import { payeeAccounts } from "../../src/domains/payees/table";
import { mintToken } from "../../src/domains/tokens/service-token";
import { confirmTransfer, orderTransfer } from "../../src/domains/transfers/operations";
import { transfers } from "../../src/domains/transfers/table";
import { type Access, isPublic } from "../../src/http/callers/access";
import { configuration } from "../../src/runtime/config";
import { DAY_MS, MINUTE_MS } from "../../src/shared/time";
import { call } from "../support/client";
import { moveClock } from "../support/clock";
import { codeSentTo, givenCurrentAccount, wrongCode } from "../support/current-accounts";
import { everyDatabase } from "../support/databases";
import { operations } from "../support/domains";
import { CALLBACK_SECRET, naming, signed, title } from "../support/doors";
import { db, givenOrganization, operatorToken } from "../support/factories";
import { givenKey, signed as signedBy } from "../support/issuers";
import { givenPayee } from "../support/payees";
import { fakeWorld } from "../support/webhooks";
import { send } from "./senders";
import { givenParties, OUTSIDE_DISBURSER, type ValidRequest, validRequest } from "./valid-requests";

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
