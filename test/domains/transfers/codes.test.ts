// Which transfers ask for a one-time password: what leaves without one is counted by the account, in the commit that spends it.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { removePayeeAccount } from "../../../src/domains/payees/account.operations";
import { payeeAccounts } from "../../../src/domains/payees/table";
import { workOnTransfers } from "../../../src/domains/transfers/job";
import { confirmTransfer } from "../../../src/domains/transfers/operations";
import { combinePayees } from "../../../src/domains/transfers/payee-combination.operations";
import { reportTransfer } from "../../../src/domains/transfers/result.operations";
import { addDays, DAY_MS, localDate, MINUTE_MS, startOfDay } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { codeSentTo } from "../../support/current-accounts";
import { accessToken, operatorToken } from "../../support/factories";
import { givenKey } from "../../support/issuers";
import { answerOutbound } from "../../support/outbound";
import { sendMoney } from "../../support/payees";
import { payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

const T = 1_000;
const N = 300;
const OUTSIDE = { DISBURSER: "http", DISBURSER_URL: "https://payouts.example/in", DISBURSER_SECRET: "a provider's secret" };
const vars = { TRANSFER_OTP_ABOVE: String(T), NEW_PAYEE_OTP_ABOVE: String(N) };

beforeEach(openSecond);

let tills = 100_000;
const till = () => ({ type: "BUY_GOODS" as const, till_number: String(tills++) });
const givenPayer = (balance = 1_000_000) => givenPerson(HOMES[0], balance);
const setConfirmed = (accountId: string, confirmedAt: number | null) =>
	withServices(({ db, commit }) => commit([db.orm.update(payeeAccounts).set({ confirmedAt }).where(eq(payeeAccounts.id, accountId))]));
async function givenConfirmed(payer: Person): Promise<string> {
	const { accountId } = await payeeOf(payer, till());
	await setConfirmed(accountId, 1);
	return accountId;
}
const order = async (payer: Person, accountId: string, amount: number, more: object = {}) =>
	expectOk(await transfer(payer, accountId, amount, { vars: { ...vars, ...more } }));
const statusOf = async (payer: Person, accountId: string, amount: number, more: object = {}) =>
	(await order(payer, accountId, amount, more)).status;
const counters = async (payer: Person) => {
	const { uncoded, uncodedToday, uncodedNew } = await accountOf(payer);
	return { uncoded, uncodedToday, uncodedNew };
};
async function confirm(payer: Person, transferId: string): Promise<void> {
	const otp_code = await codeSentTo(payer.number);
	expectOk(await call(confirmTransfer, { as: payer.token, path: { transferId }, body: { otp_code }, vars: { ...SECOND, ...vars } }));
}
/** Until codes may be sent again, and another day has begun. */
const nextDay = () => moveClock(DAY_MS);

describe("without a code leave", () => {
	it("at most the threshold a day, however it is split", async () => {
		const payer = await givenPayer();
		const old = await givenConfirmed(payer);
		expect(await statusOf(payer, old, T - 1)).toBe("COMPLETED");
		expect(await statusOf(payer, old, 2)).toBe("AWAITING_OTP");
		expect(await statusOf(payer, old, 1)).toBe("COMPLETED");
		expect(await counters(payer)).toEqual({ uncoded: T, uncodedToday: T, uncodedNew: 0 });
		expect(await statusOf(payer, old, 1)).toBe("AWAITING_OTP");
		await nextDay();
		expect(await statusOf(payer, old, T)).toBe("COMPLETED");
	});

	it("at most three times the threshold until a code, which resets all counts", async () => {
		const payer = await givenPayer();
		const old = await givenConfirmed(payer);
		for (let day = 1; day <= 3; day++) {
			expect(await statusOf(payer, old, T)).toBe("COMPLETED");
			await nextDay();
		}
		const asked = await order(payer, old, 1);
		expect(asked.status).toBe("AWAITING_OTP");
		expect(await counters(payer)).toEqual({ uncoded: 3 * T, uncodedToday: 0, uncodedNew: 0 });
		await confirm(payer, asked.id);
		expect(await counters(payer)).toEqual({ uncoded: 0, uncodedToday: 0, uncodedNew: 0 });
		expect(await statusOf(payer, old, T)).toBe("COMPLETED");
	});

	it("at most the lower threshold a day to payees that no code has confirmed", async () => {
		const payer = await givenPayer();
		const [one, two] = [await payeeOf(payer, till()), await payeeOf(payer, till())];
		expect(await statusOf(payer, one.accountId, N - 100)).toBe("COMPLETED");
		expect(await statusOf(payer, two.accountId, 100)).toBe("COMPLETED");
		expect(await counters(payer)).toEqual({ uncoded: N, uncodedToday: N, uncodedNew: N });
		const asked = await order(payer, one.accountId, 1);
		expect(asked.status).toBe("AWAITING_OTP");
		expect(await statusOf(payer, await givenConfirmed(payer), 1)).toBe("COMPLETED");
		await confirm(payer, asked.id);
		expect(await statusOf(payer, one.accountId, T)).toBe("COMPLETED");
		expect(await counters(payer)).toMatchObject({ uncodedNew: 0 });
		await nextDay();
		expect(await statusOf(payer, two.accountId, N)).toBe("COMPLETED");
		expect(await statusOf(payer, two.accountId, 1)).toBe("AWAITING_OTP");
	});

	it.each([
		["the day", true, 600, 16],
		["new payees", false, 60, 8],
	])("no more of many at once than one after the other: %s", { tags: ["thorough"] }, async (_, confirmed, amount, expected) => {
		const limits = { TRANSFER_OTP_ABOVE: "10000", NEW_PAYEE_OTP_ABOVE: "500" };
		const payer = await givenPayer();
		const accountId = confirmed ? await givenConfirmed(payer) : (await payeeOf(payer, till())).accountId;
		const answers = await Promise.all(Array.from({ length: 60 }, () => transfer(payer, accountId, amount, { vars: limits })));
		expect(answers.filter(({ ok, body }) => ok && "status" in body && body.status === "COMPLETED")).toHaveLength(expected);
		const { balance, uncoded } = await accountOf(payer);
		expect([1_000_000 - balance, uncoded]).toEqual([expected * amount, expected * amount]);
	});

	it("no more because an earlier transfer failed", async () => {
		const payer = await givenPayer();
		const old = await givenConfirmed(payer);
		answerOutbound(async () => new Response(null, { status: 202 }));
		const { id, status } = await order(payer, old, T, OUTSIDE);
		expect(status).toBe("PENDING");
		const body = { transfer_id: id, status: "FAILED" as const, occurred_at: new Date().toISOString() };
		expectOk(await call(reportTransfer, { as: await operatorToken(), path: { transfer_id: id }, body, vars: { ...SECOND, ...OUTSIDE } }));
		expect(await accountOf(payer)).toMatchObject({ held: 0, outTotal: 0, uncoded: T, uncodedToday: T });
		expect(await statusOf(payer, old, 1)).toBe("AWAITING_OTP");
	});
});

describe("a code", () => {
	it("that is not given confirms and clears nothing", async () => {
		// What is counted by the day must not begin again meanwhile.
		await moveClock(startOfDay(addDays(localDate(Date.now()), 1)) + DAY_MS / 2 - Date.now());
		const payer = await givenPayer();
		const { accountId } = await payeeOf(payer, till());
		expect(await statusOf(payer, accountId, N)).toBe("COMPLETED");
		expect(await statusOf(payer, accountId, N)).toBe("AWAITING_OTP");
		await moveClock(6 * MINUTE_MS);
		await withServices((services) => workOnTransfers(services));
		expect(await counters(payer)).toMatchObject({ uncoded: N, uncodedNew: N });
		expect(await statusOf(payer, accountId, 1)).toBe("AWAITING_OTP");
	});

	it("is asked again for an account that was removed and added", async () => {
		const payer = await givenPayer();
		const account = till();
		const { payeeId, accountId } = await payeeOf(payer, account);
		await confirm(payer, (await order(payer, accountId, T)).id);
		expectOk(await call(removePayeeAccount, { as: payer.token, path: { payeeId, accountId } }));
		expect(await statusOf(payer, (await payeeOf(payer, account)).accountId, N + 1)).toBe("AWAITING_OTP");
	});

	it.each([
		["neither", [false, false], "AWAITING_OTP"],
		["the target alone", [true, false], "AWAITING_OTP"],
		["the source alone", [false, true], "AWAITING_OTP"],
		["both", [true, true], "COMPLETED"],
	] as const)("has confirmed an account of combined payees if it had %s", async (_, confirmed, expected) => {
		const payer = await givenPayer();
		const account = sendMoney("+254722000111");
		const [target, source] = [await payeeOf(payer, account), await payeeOf(payer, account)];
		for (const [index, each] of [target, source].entries()) await setConfirmed(each.accountId, confirmed[index] ? 1 : null);
		const path = { payeeId: target.payeeId };
		expectOk(await call(combinePayees, { as: payer.token, path, body: { source_payee_id: source.payeeId } }));
		expect(await statusOf(payer, target.accountId, N + 1)).toBe(expected);
	});
});

describe("the counters of an account", () => {
	it.each(["uncoded", "uncodedToday", "uncodedNew"] as const)("%s moves by an entry or is cleared, and in no other way", async (column) => {
		const payer = await givenPayer();
		await order(payer, await givenConfirmed(payer), 10);
		const set = (value: number) =>
			withServices(({ db, commit }) =>
				commit([
					db.orm
						.update(currentAccounts)
						.set({ [column]: value })
						.where(eq(currentAccounts.id, payer.account.id)),
				]),
			);
		await expect(set(1)).rejects.toThrow();
		await expect(set(-1)).rejects.toThrow();
	});
});

describe("the users of one issuer", () => {
	it("transfer together what its entry allows without codes, in each database for itself", async () => {
		const key = await givenKey();
		const issuer = { issuer: "https://partner.example", kind: "partner", jwks: { keys: [key.jwk] }, uncoded_amount_per_day: 250 };
		const more = { TRUSTED_ISSUERS: JSON.stringify([issuer]) };
		for (const home of HOMES) {
			const states: string[] = [];
			for (const amount of [150, 101, 100]) {
				const payer = await givenPerson(home, 1_000);
				const { accountId } = await payeeOf(payer, till());
				const token = await accessToken(payer.id, { azp: issuer.issuer });
				states.push(await statusOf({ ...payer, token }, accountId, amount, more));
			}
			expect(states).toEqual(["COMPLETED", "AWAITING_OTP", "COMPLETED"]);
		}
	});
});
