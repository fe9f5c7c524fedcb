// A closure from its start to its code, and what keeps an account open.

import { describe, expect, it } from "vitest";
import { getCurrentAccount, openCurrentAccount } from "../../../../src/domains/current-accounts/accounts/operations";
import { cancelClosure, getClosure, resendClosureCode, startClosure } from "../../../../src/domains/current-accounts/closures/operations";
import { closures } from "../../../../src/domains/current-accounts/closures/table";
import { credit, debit, hold } from "../../../../src/domains/current-accounts/ledger/plan";
import { MINUTE_MS, SECOND_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import {
	bookOf,
	codeSentTo,
	confirmWith,
	decideAs,
	givenAccountHolder,
	givenClosure,
	givenConfirmedClosure,
	givenCustomer,
	givenOpened,
	move,
	postAt,
	termsWith,
	wrongCode,
} from "../../../support/current-accounts";
import { db } from "../../../support/factories";
import { eventsOf } from "../../../support/loans";

const body = { reasons: ["NO_LONGER_USING" as const] };
const start = (as: string, vars?: Partial<Env>) => call(startClosure, { as, body, ...(vars && { vars }) });
const statusOf = async (as: string) => expectOk(await call(getCurrentAccount, { as })).status;
const latest = async (as: string) => expectOk(await call(getClosure, { as }));

async function givenStarted() {
	const holder = await givenAccountHolder();
	const closure = await givenClosure(holder.token);
	return { ...holder, as: holder.token, closure, code: await codeSentTo(holder.number) };
}

describe("starting a closure", () => {
	it("sends a code, answers 201 and raises current_account.closure_started", async () => {
		const { as, closure, accountId, organization } = await givenStarted();
		expect(closure).toMatchObject({
			status: "AWAITING_OTP",
			initiated_by: "USER",
			reasons: ["NO_LONGER_USING"],
			otp_confirmed_at: null,
			completed_at: null,
			rejection_reason: null,
			resource_id: `clo_${closure.id.replaceAll("-", "")}`,
		});
		expect(await latest(as)).toEqual(closure);
		expect(await statusOf(as)).toBe("ACTIVE");
		expect((await eventsOf(organization.id)).at(-1)).toEqual({
			type: "current_account.closure_started",
			key: `current_account.closure_started:${closure.id}`,
			data: { account_id: accountId, closure_id: closure.id, reasons: ["NO_LONGER_USING"] },
		});
	});

	it.each([
		["no reasons", { reasons: [] }],
		["an unknown reason", { reasons: ["BORED"] }],
		["a repeated reason", { reasons: ["FEES", "FEES"] }],
		["six reasons", { reasons: ["FEES", "PRIVACY", "OTHER", "DISSATISFIED", "SWITCHING_PROVIDER", "DUPLICATE_ACCOUNT"] }],
		["no body", {}],
	])("is 400 with %s", async (_, sent) => {
		const { token: as } = await givenAccountHolder();
		expect((await call(startClosure, { as, body: sent as typeof body })).body).toMatchObject({
			...{ code: "BAD_REQUEST", description: "Invalid input" },
			invalid_params: [{ path: expect.stringMatching(/^(?:reasons|body)/) }],
		});
	});

	it("is 404 without an account, and 409 for an inactive account", async () => {
		const { token: as } = await givenCustomer();
		expect((await start(as)).status).toBe(404);
		await givenOpened(as);
		expect((await start(as)).body).toMatchObject({ code: "INVALID_STATE" });
	});

	it("is 409 CLOSURE_IN_PROGRESS while another waits for its code or for the custodian", async () => {
		const { as, code } = await givenStarted();
		expect((await start(as)).body).toMatchObject({ code: "CLOSURE_IN_PROGRESS" });
		expectOk(await confirmWith(as, code));
		expect((await start(as)).body).toMatchObject({ code: "CLOSURE_IN_PROGRESS" });
	});

	it("is 409 ACCOUNT_HAS_NON_ZERO_BALANCE while money is in the account or held", async () => {
		const { token: as, accountId } = await givenAccountHolder();
		await postAt(accountId, Date.now(), {}, credit("MOVEMENT", "m", 100));
		expect((await start(as)).body).toMatchObject({ code: "ACCOUNT_HAS_NON_ZERO_BALANCE" });
		await postAt(accountId, Date.now(), {}, hold({ sourceId: "t", amount: 100, contra: "TRANSFER", dailyLimit: 100 }));
		expect((await start(as)).body).toMatchObject({ code: "ACCOUNT_HAS_NON_ZERO_BALANCE" });
		expect(await db.select().from(closures)).toHaveLength(0);
	});

	it("pays out the interest when nothing else is left, so that it can be withdrawn before the payday", async () => {
		const vars = termsWith({ "2020-01-01": 3_650 });
		const { token: as, accountId } = await givenAccountHolder();
		await postAt(accountId, Date.now(), vars, credit("MOVEMENT", "in", 50_000));
		await moveClock(24 * 60 * MINUTE_MS);
		const tomorrow = Date.now() + 24 * 60 * MINUTE_MS;
		await postAt(accountId, tomorrow, vars, debit("MOVEMENT", "out", (await bookOf(accountId)).account.balance));
		expect((await start(as, vars)).body).toMatchObject({ code: "ACCOUNT_HAS_NON_ZERO_BALANCE" });
		// One night of 0.1 %.
		expect((await bookOf(accountId)).account.balance).toBe(50);
		await postAt(accountId, tomorrow, vars, debit("MOVEMENT", "rest", 50));
		expectOk(await start(as, vars));
	});

	it("can follow a closure that was cancelled or has expired", async () => {
		const { as } = await givenStarted();
		expectOk(await call(cancelClosure, { as }));
		const second = await givenClosure(as);
		await moveClock(30 * MINUTE_MS);
		expect((await latest(as)).status).toBe("EXPIRED");
		const third = await givenClosure(as);
		expect(third.id).not.toBe(second.id);
		expect((await db.select().from(closures)).map(({ status }) => status).sort()).toEqual(["AWAITING_OTP", "CANCELLED", "EXPIRED"]);
	});
});

describe("confirming a closure", () => {
	it("moves it to OTP_CONFIRMED and the account to CLOSING", async () => {
		const { as, closure, code, organization, accountId } = await givenStarted();
		const confirmed = expectOk(await confirmWith(as, code));
		expect(confirmed).toMatchObject({ id: closure.id, status: "OTP_CONFIRMED", completed_at: null });
		expect(confirmed.otp_confirmed_at).not.toBeNull();
		expect(await statusOf(as)).toBe("CLOSING");
		expect((await eventsOf(organization.id)).at(-1)).toEqual({
			type: "current_account.closure_otp_confirmed",
			key: `current_account.closure_otp_confirmed:${closure.id}`,
			data: { account_id: accountId, closure_id: closure.id, reasons: ["NO_LONGER_USING"] },
		});
	});

	it("is 409 when money has arrived, changes nothing, and takes the same code after the withdrawal", async () => {
		const { as, code, accountId } = await givenStarted();
		expectOk(await move(accountId, 100));
		for (let attempt = 1; attempt <= 7; attempt++) {
			expect((await confirmWith(as, code)).body).toMatchObject({ code: "ACCOUNT_HAS_NON_ZERO_BALANCE" });
		}
		expect((await latest(as)).status).toBe("AWAITING_OTP");
		expect(await statusOf(as)).toBe("ACTIVE");
		expectOk(await move(accountId, 100, { direction: "DEBIT" }));
		expect(expectOk(await confirmWith(as, code)).status).toBe("OTP_CONFIRMED");
	});

	it("checks in this order: 400 malformed code, 404, 429, 400 wrong code, 409 money in the account", async () => {
		const { token: other } = await givenAccountHolder();
		expect((await confirmWith(other, "12345")).status).toBe(400);
		expect((await confirmWith(other, "123456")).status).toBe(404);
		const { as, code, accountId } = await givenStarted();
		expectOk(await move(accountId, 100));
		expect((await confirmWith(as, wrongCode(code))).status).toBe(400);
		expect((await confirmWith(as, code)).status).toBe(409);
		for (let attempt = 2; attempt <= 5; attempt++) expect((await confirmWith(as, wrongCode(code))).status).toBe(400);
		expect((await confirmWith(as, code)).status).toBe(429);
	});

	it("is 409 INVALID_STATE once it is confirmed", async () => {
		const { as, code } = await givenStarted();
		expectOk(await confirmWith(as, code));
		expect((await confirmWith(as, code)).body).toMatchObject({ code: "INVALID_STATE" });
	});

	it.each([
		["EXPIRED", async () => moveClock(30 * MINUTE_MS)],
		["CANCELLED", async (as: string) => expectOk(await call(cancelClosure, { as }))],
	])("is 404 for a closure that is %s", async (status, end) => {
		const { as, code } = await givenStarted();
		await end(as);
		expect((await latest(as)).status).toBe(status);
		expect((await confirmWith(as, code)).status).toBe(404);
	});

	it.each(["APPROVED", "REJECTED"] as const)("is 404 for a closure that the custodian has %s", async (decision) => {
		const { token: as, number } = await givenAccountHolder();
		const { id } = await givenConfirmedClosure(as, number);
		expectOk(await decideAs(id, { subject: "CLOSURE", decision }));
		expect((await confirmWith(as, await codeSentTo(number))).status).toBe(404);
	});
});

describe("cancelling a closure", () => {
	it("leaves the account as it is, and succeeds once", async () => {
		const { as, closure } = await givenStarted();
		expect(expectOk(await call(cancelClosure, { as }))).toMatchObject({ id: closure.id, status: "CANCELLED" });
		expect((await call(cancelClosure, { as })).status).toBe(404);
		expect(await statusOf(as)).toBe("ACTIVE");
	});

	it("is 409 once it is confirmed", async () => {
		const { as, code } = await givenStarted();
		expectOk(await confirmWith(as, code));
		expect((await call(cancelClosure, { as })).body).toMatchObject({ code: "INVALID_STATE" });
	});
});

describe("resending the code of a closure", () => {
	it("sends another code to the same number", async () => {
		const { as, closure, number, code } = await givenStarted();
		expect((await call(resendClosureCode, { as })).status).toBe(429);
		await moveClock(30 * SECOND_MS);
		expect(expectOk(await call(resendClosureCode, { as })).id).toBe(closure.id);
		const fresh = await codeSentTo(number);
		if (fresh !== code) expect((await confirmWith(as, code)).status).toBe(400);
		expectOk(await confirmWith(as, fresh));
		expect((await call(resendClosureCode, { as })).body).toMatchObject({ code: "INVALID_STATE" });
	});

	it("is 404 without a closure", async () => {
		const { token: as } = await givenAccountHolder();
		expect((await call(resendClosureCode, { as })).status).toBe(404);
	});
});

describe("reading a closure", () => {
	it("is 404 for a user who never started one, with or without an account", async () => {
		const { token: as } = await givenCustomer();
		expect((await call(getClosure, { as })).status).toBe(404);
		await givenOpened(as);
		expect((await call(getClosure, { as })).status).toBe(404);
	});

	it("shows a completed closure after the account is gone, and after another account was opened", async () => {
		const { token: as, number, accountId } = await givenAccountHolder();
		const { id } = await givenConfirmedClosure(as, number);
		expectOk(await decideAs(id, { subject: "CLOSURE", decision: "APPROVED" }));
		expect((await call(getCurrentAccount, { as })).status).toBe(404);
		expect(await latest(as)).toMatchObject({ id, status: "COMPLETED" });
		const reopened = await call(openCurrentAccount, { as });
		expect(reopened.status).toBe(201);
		expect(expectOk(reopened).id).not.toBe(accountId);
		expect(expectOk(reopened).account_number).not.toBe((await bookOf(accountId)).account.accountNumber);
		expect(await latest(as)).toMatchObject({ id, status: "COMPLETED" });
	});
});
