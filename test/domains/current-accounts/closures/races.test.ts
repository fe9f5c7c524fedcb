// What happens at the same moment as a closure, in forced interleavings: a closed account never holds money.
// @module-tag thorough

import { describe, expect, it } from "vitest";
import {
	cancelClosure,
	confirmClosure,
	resendClosureCode,
	startClosure,
} from "../../../../src/domains/current-accounts/closures/operations";
import { closures } from "../../../../src/domains/current-accounts/closures/table";
import { SECOND_MS } from "../../../../src/shared/time";
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
	move,
} from "../../../support/current-accounts";
import { db } from "../../../support/factories";
import { beforeTrip, eventsOf } from "../../../support/loans";

const body = { reasons: ["FEES" as const] };
const closureStatus = async () => (await db.select().from(closures)).map(({ status }) => status);
const statusOf = async (accountId: string) => (await bookOf(accountId)).account.status;

async function givenStarted() {
	const holder = await givenAccountHolder();
	await givenClosure(holder.token);
	return { ...holder, as: holder.token, code: await codeSentTo(holder.number) };
}

async function givenWaiting() {
	const holder = await givenAccountHolder();
	const { id } = await givenConfirmedClosure(holder.token, holder.number);
	return { ...holder, as: holder.token, closureId: id };
}

describe("a credit", () => {
	/** A confirmation's round trips: the closure, the try, closure and account, the interest, the commit. */
	it.each([2, 3, 4, 5])("before round trip %i of a confirmation makes it 409, and the same code confirms later", async (trip) => {
		const { as, code, accountId } = await givenStarted();
		const vars = beforeTrip(trip, async () => expectOk(await move(accountId, 100)));
		expect((await confirmWith(as, code, vars)).body).toMatchObject({ code: "ACCOUNT_HAS_NON_ZERO_BALANCE" });
		expect(await closureStatus()).toEqual(["AWAITING_OTP"]);
		expect(await statusOf(accountId)).toBe("ACTIVE");
		expectOk(await move(accountId, 100, { direction: "DEBIT" }));
		expectOk(await confirmWith(as, code));
	});

	it("after the confirmation is accepted, and suspends the approval until the money has left", async () => {
		const { accountId, closureId } = await givenWaiting();
		expectOk(await move(accountId, 100));
		const approve = () => decideAs(closureId, { subject: "CLOSURE", decision: "APPROVED", id: "d-1" });
		expect((await approve()).body).toMatchObject({ code: "ACCOUNT_HAS_NON_ZERO_BALANCE" });
		expect(await statusOf(accountId)).toBe("CLOSING");
		expectOk(await move(accountId, 100, { direction: "DEBIT" }));
		expectOk(await approve());
		expect(await statusOf(accountId)).toBe("CLOSED");
	});

	/** An approval's round trips: decision, account and closure, the interest, the commit. */
	it.each([2, 3])("before round trip %i of an approval makes it 409", async (trip) => {
		const { accountId, closureId } = await givenWaiting();
		const vars = beforeTrip(trip, async () => expectOk(await move(accountId, 100)));
		const approval = await decideAs(closureId, { subject: "CLOSURE", decision: "APPROVED" }, vars);
		expect(approval.body).toMatchObject({ code: "ACCOUNT_HAS_NON_ZERO_BALANCE" });
		expect(await statusOf(accountId)).toBe("CLOSING");
		expect((await bookOf(accountId)).account.balance).toBe(100);
	});

	it("that an approval overtakes is 409, and leaves no record", async () => {
		const { accountId, closureId } = await givenWaiting();
		const vars = beforeTrip(2, async () => expectOk(await decideAs(closureId, { subject: "CLOSURE", decision: "APPROVED" })));
		expect((await move(accountId, 100, { id: "m-1" }, vars)).body).toMatchObject({ code: "INVALID_STATE" });
		expect((await move(accountId, 100, { id: "m-1" })).body).toMatchObject({ code: "INVALID_STATE" });
		expect(await bookOf(accountId)).toMatchObject({ account: { status: "CLOSED", balance: 0 }, entries: [] });
	});

	it("is never accepted by a closed account, even when many race an approval", async () => {
		const { accountId, closureId } = await givenWaiting();
		const answers = await Promise.all([
			...Array.from({ length: 5 }, () => move(accountId, 7)),
			decideAs(closureId, { subject: "CLOSURE", decision: "APPROVED" }),
			...Array.from({ length: 5 }, () => move(accountId, 7)),
		]);
		const { account } = await bookOf(accountId);
		const taken = answers.filter((answer, index) => index !== 5 && answer.ok).length;
		expect(account.balance).toBe(7 * taken);
		expect(account.status).toBe(answers[5]?.ok ? "CLOSED" : "CLOSING");
		if (account.status === "CLOSED") expect(taken).toBe(0);
	});
});

describe("the code of a closure", () => {
	it("is not sent again when the closure is cancelled before that is committed", async () => {
		const { as, number } = await givenStarted();
		await moveClock(30 * SECOND_MS);
		const sent = await codeSentTo(number);
		// The round trips: closure and challenge, the caps, the commit.
		const vars = beforeTrip(3, async () => expectOk(await call(cancelClosure, { as })));
		expect((await call(resendClosureCode, { as, vars })).status).toBe(404);
		expect(await codeSentTo(number)).toBe(sent);
	});
});

describe("two confirmations", () => {
	it.each([2, 3, 4, 5])("the second before round trip %i of the first: one closes, the other is refused", async (trip) => {
		const { as, code, organization, accountId } = await givenStarted();
		const vars = beforeTrip(trip, async () => expectOk(await confirmWith(as, code)));
		const slower = await confirmWith(as, code, vars);
		// A code that is used up before the try is answered as a wrong code.
		expect(slower.status).toBe(trip === 2 ? 400 : 409);
		expect(await closureStatus()).toEqual(["OTP_CONFIRMED"]);
		expect(await statusOf(accountId)).toBe("CLOSING");
		expect((await eventsOf(organization.id)).filter(({ type }) => type.endsWith("closure_otp_confirmed"))).toHaveLength(1);
	});

	it("with the same idempotency key get the same answer", async () => {
		const { as, code } = await givenStarted();
		const headers = { "idempotency-key": "k-1" };
		const send = () => call(confirmClosure, { as, body: { otp_code: code }, headers });
		const [first, second] = await Promise.all([send(), send()]);
		expect([first.status, second.status]).toEqual([200, 200]);
		expect(second.text).toBe(first.text);
	});
});

describe("a confirmation and a cancellation", () => {
	it.each([2, 3, 4, 5])("the cancellation before round trip %i of the confirmation wins", async (trip) => {
		const { as, code, accountId } = await givenStarted();
		const vars = beforeTrip(trip, async () => expectOk(await call(cancelClosure, { as })));
		expect((await confirmWith(as, code, vars)).body).toMatchObject({ code: "INVALID_STATE" });
		expect(await closureStatus()).toEqual(["CANCELLED"]);
		expect(await statusOf(accountId)).toBe("ACTIVE");
	});

	it("the confirmation before the cancellation's commit wins", async () => {
		const { as, code } = await givenStarted();
		const vars = beforeTrip(2, async () => expectOk(await confirmWith(as, code)));
		expect((await call(cancelClosure, { as, vars })).body).toMatchObject({ code: "INVALID_STATE" });
		expect(await closureStatus()).toEqual(["OTP_CONFIRMED"]);
	});
});

describe("two starts", () => {
	it("made concurrently: one is 201, the other 409 CLOSURE_IN_PROGRESS, and one code is sent", async () => {
		const { token: as } = await givenAccountHolder();
		const vars = beforeTrip(3, async () => givenClosure(as));
		expect((await call(startClosure, { as, body, vars })).body).toMatchObject({ code: "CLOSURE_IN_PROGRESS" });
		expect(await closureStatus()).toEqual(["AWAITING_OTP"]);
	});
});

describe("two decisions", () => {
	const race = async (first: "APPROVED" | "REJECTED", second: "APPROVED" | "REJECTED", ids: [string, string]) => {
		const { closureId, accountId, organization } = await givenWaiting();
		const vars = beforeTrip(2, async () => expectOk(await decideAs(closureId, { subject: "CLOSURE", decision: first, id: ids[0] })));
		const late = await decideAs(closureId, { subject: "CLOSURE", decision: second, id: ids[1] }, vars);
		const events = (await eventsOf(organization.id)).map(({ type }) => type).filter((type) => /closed|closure_rejected/.test(type));
		return { late, status: await statusOf(accountId), closure: await closureStatus(), events };
	};

	it("of the same verdict are both answered with 200, and close the account once", async () => {
		for (const ids of [
			["a", "a"],
			["b", "c"],
		] as [string, string][]) {
			const { late, events } = await race("APPROVED", "APPROVED", ids);
			expect(late.status).toBe(200);
			expect(events).toEqual(["current_account.closed"]);
		}
	});

	it.each([
		["APPROVED", "REJECTED", "CLOSED", "COMPLETED"],
		["REJECTED", "APPROVED", "ACTIVE", "REJECTED"],
	] as const)("%s and then %s, concurrently: the first holds, the second is 409", async (first, second, account, closure) => {
		const result = await race(first, second, ["a", "b"]);
		expect(result.late.body).toMatchObject({ code: "INVALID_STATE" });
		expect(result).toMatchObject({ status: account, closure: [closure] });
		expect(result.events).toHaveLength(1);
	});

	it("under one id with other facts: 409 DUPLICATE_CONFLICT", async () => {
		const { late } = await race("APPROVED", "REJECTED", ["a", "a"]);
		expect(late.body).toMatchObject({ code: "DUPLICATE_CONFLICT" });
	});
});
