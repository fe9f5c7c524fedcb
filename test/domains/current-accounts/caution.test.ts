// A new session that began with a one-time password may do little with accounts that are older than itself.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { startNumberChange } from "../../../src/domains/mobile-number-changes/operations";
import { payeeAccounts } from "../../../src/domains/payees/table";
import { mintToken } from "../../../src/domains/tokens/model/service-token.crypto";
import { orderTransfer } from "../../../src/domains/transfers/operations";
import { configuration } from "../../../src/runtime/config";
import { DAY_MS, HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenCurrentAccount, givenCustomer } from "../../support/current-accounts";
import { db, givenApiKey } from "../../support/factories";
import { givenLoanProduct, givenOffer } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";
import { givenPayee } from "../../support/payees";

const T = 1_000;
const VARS = { CAUTION_HOURS: "24", TRANSFER_OTP_ABOVE: String(T) };
const SIM_SWAP = { SIM_SWAP_URL: "https://sim.example/check", SIM_SWAP_TOKEN: "token" };
const TOO_NEW = { status: 409, body: { code: "INVALID_STATE", description: expect.stringMatching(/possible from \d{4}-\d\d-\d\dT/) } };

/** A token of a session that began at the time, with a one-time password or by a partner's token. */
const sessionFrom = async (userId: string, at: number, through: "phone" | "partner" = "phone") =>
	mintToken(await configuration(env), {
		kind: "access",
		issuer: "http://localhost",
		subject: userId,
		realNow: Date.now(),
		lifetimeSeconds: 900,
		claims: { sid: crypto.randomUUID(), auth_time: Math.floor(at / 1000), ...(through === "phone" && { amr: ["otp"] }) },
	});

type Given = Awaited<ReturnType<typeof givenHolder>>;
let givenNow: Given;

/** A customer with an account of two days, a confirmed payee and another. */
async function givenHolder() {
	const customer = await givenCustomer();
	const account = await givenCurrentAccount({ user: customer, balance: 1_000_000 });
	await db
		.update(currentAccounts)
		.set({ createdAt: Date.now() - 2 * DAY_MS })
		.where(eq(currentAccounts.id, account.id));
	const payees = [];
	for (const till_number of ["100001", "100002"]) {
		const { accounts } = await givenPayee(customer.token, null, { type: "BUY_GOODS", till_number });
		payees.push(accounts[0]?.id ?? "");
	}
	const [known = "", unknown = ""] = payees;
	await db.update(payeeAccounts).set({ confirmedAt: 1 }).where(eq(payeeAccounts.id, known));
	return { ...customer, accountId: account.id, known, unknown };
}

const pay = (as: string, payee_account_id: string, amount: number, vars: object = {}) =>
	call(orderTransfer, { as, body: { payee_account_id, amount }, vars: { ...VARS, ...vars } });
const change = (as: string, vars: object = {}) =>
	call(startNumberChange, {
		as,
		body: { new_mobile_country_code: "254", new_mobile_number: "0733123456", authorization_channel: "OLD_MOBILE" },
		vars: { ...VARS, ...vars },
	});

beforeEach(async () => {
	givenNow = await givenHolder();
});

describe("a new session", () => {
	it("pays by codes alone, at most the threshold a day, and only payees that a code has confirmed", async () => {
		const { id, known, unknown } = givenNow;
		const as = await sessionFrom(id, Date.now());
		expect(expectOk(await pay(as, known, 1)).status).toBe("AWAITING_OTP");
		expect(await pay(as, unknown, 1)).toMatchObject(TOO_NEW);
		expect(await pay(as, known, T)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(expectOk(await pay(as, known, T - 1)).status).toBe("AWAITING_OTP");
	});

	it("starts no change of the number", async () => {
		expect(await change(await sessionFrom(givenNow.id, Date.now()))).toMatchObject(TOO_NEW);
	});

	it.each([
		["is a day old", 25 * HOUR_MS, "phone", {}],
		["began with a partner's token", 0, "partner", {}],
		["is not watched", 0, "phone", { CAUTION_HOURS: "0" }],
		["is older than the account", 3 * DAY_MS, "phone", { CAUTION_HOURS: "999" }],
	] as const)("that %s is free", async (_, age, through, vars) => {
		const { id, known, unknown } = givenNow;
		const as = await sessionFrom(id, Date.now() - age, through);
		expect(expectOk(await pay(as, known, 1, vars)).status).toBe("COMPLETED");
		expect(expectOk(await pay(as, unknown, 1, vars)).status).toBe("COMPLETED");
		expectOk(await change(as, vars));
	});
});

describe("borrowing in a new session", () => {
	const apply = (as: string, application_id: string, vars: object = {}, user_id?: string) =>
		call(applyForLoan, {
			as,
			path: { application_id },
			body: { loan_amount: 5_000, ...(user_id && { user_id }) },
			vars: { ...VARS, ...vars },
		});
	async function givenOwnOffer() {
		await givenLoanProduct({ organization_id: givenNow.organization.id });
		return givenOffer(givenNow.token);
	}
	const simSays = (answer: () => Response) => answerOutbound(async () => answer());

	it("is refused, and so is drawing", async () => {
		const offer = await givenOwnOffer();
		const as = await sessionFrom(givenNow.id, Date.now());
		expect(await apply(as, offer.id)).toMatchObject(TOO_NEW);
		expectOk(await apply(givenNow.token, offer.id));
		await db
			.update(creditAccounts)
			.set({ createdAt: Date.now() - DAY_MS })
			.where(eq(creditAccounts.id, offer.account_id));
		const path = { accountId: offer.account_id };
		expect(await call(draw, { as, path, body: { amount: 1_000 }, vars: VARS })).toMatchObject(TOO_NEW);
		simSays(() => Response.json({ swapped: false }));
		expectOk(await call(draw, { as, path, body: { amount: 1_000 }, vars: { ...VARS, ...SIM_SWAP } }));
	});

	it.each([
		["was exchanged", () => Response.json({ swapped: true }), false],
		["is unknown to the operator", () => new Response(null, { status: 503 }), false],
		["was not exchanged", () => Response.json({ swapped: false }), true],
	])("with a SIM card that %s", async (_, answer, free) => {
		const offer = await givenOwnOffer();
		simSays(answer);
		const answered = await apply(await sessionFrom(givenNow.id, Date.now()), offer.id, SIM_SWAP);
		if (free) expectOk(answered);
		else expect(answered).toMatchObject(TOO_NEW);
	});

	it("is free for a user without an older account", async () => {
		const offer = await givenOwnOffer();
		await db.update(currentAccounts).set({ createdAt: Date.now() + DAY_MS });
		await db.update(creditAccounts).set({ createdAt: Date.now() + DAY_MS });
		expectOk(await apply(await sessionFrom(givenNow.id, Date.now()), offer.id));
	});

	it("is free for a partner's key", async () => {
		const offer = await givenOwnOffer();
		expectOk(await apply(await givenApiKey(givenNow.organization.id, ["loans:write"]), offer.id, {}, givenNow.id));
	});
});
