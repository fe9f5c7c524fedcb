// An account is activated by a code, once.

import { describe, expect, it } from "vitest";
import { getCurrentAccount } from "../../../../src/domains/current-accounts/accounts/operations";
import {
	confirmActivation,
	getActivation,
	resendActivationCode,
	startActivation,
} from "../../../../src/domains/current-accounts/activations/operations";
import { activations } from "../../../../src/domains/current-accounts/activations/table";
import { MINUTE_MS, SECOND_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { codeSentTo, givenActivation, givenCustomer, givenOpened, wrongCode } from "../../../support/current-accounts";
import { db, givenOrganization, givenUser } from "../../../support/factories";
import { beforeCommit, beforeTrip, eventsOf } from "../../../support/loans";

async function givenStarted() {
	const customer = await givenCustomer();
	const account = await givenOpened(customer.token);
	const activation = await givenActivation(customer.token);
	return { ...customer, as: customer.token, account, activation, code: await codeSentTo(customer.number) };
}

const confirm = (as: string, activationId: string, otp_code: string, vars?: Partial<Env>) =>
	call(confirmActivation, { as, path: { activationId }, body: { otp_code }, ...(vars && { vars }) });
const read = async (as: string, activationId: string) => expectOk(await call(getActivation, { as, path: { activationId } }));
const statusOf = async (as: string) => expectOk(await call(getCurrentAccount, { as })).status;

describe("starting an activation", () => {
	it("sends a code by SMS and answers 201", async () => {
		const { activation, as, code } = await givenStarted();
		expect(activation).toMatchObject({
			status: "AWAITING_OTP",
			otp_confirmed_at: null,
			completed_at: null,
			rejection_reason: null,
			current_verification: { channel: "SMS" },
			resource_id: `act_${activation.id.replaceAll("-", "")}`,
		});
		expect(code).toMatch(/^\d{6}$/);
		expect(await read(as, activation.id)).toEqual(activation);
	});

	it("sends the code by mail if the user asks for it or has no number", async () => {
		const { id: organizationId } = await givenOrganization();
		const { token: as } = await givenUser({ organizationId, email: "someone@example.com" });
		await givenOpened(as);
		const activation = expectOk(await call(startActivation, { as, body: {} }));
		expect(activation.current_verification).toEqual({ channel: "EMAIL" });
		expect(await codeSentTo("someone@example.com")).toMatch(/^\d{6}$/);
		expect((await call(startActivation, { as, body: { channel: "SMS" } })).body).toMatchObject({ code: "BAD_REQUEST" });
	});

	it("is 400 for a user who cannot be reached", async () => {
		const { token: as } = await givenUser();
		await givenOpened(as);
		expect((await call(startActivation, { as, body: {} })).status).toBe(400);
	});

	it("is 404 without an account, and 409 once it is active", async () => {
		const { token: as } = await givenCustomer();
		expect((await call(startActivation, { as, body: {} })).status).toBe(404);
		const started = await givenStarted();
		expectOk(await confirm(started.as, started.activation.id, started.code));
		expect((await call(startActivation, { as: started.as, body: {} })).body).toMatchObject({ code: "INVALID_STATE" });
	});

	it("cancels the activation that still waits for its code, and then refuses that code", async () => {
		const { as, activation, code } = await givenStarted();
		const second = await givenActivation(as);
		expect((await read(as, activation.id)).status).toBe("CANCELLED");
		expect((await confirm(as, activation.id, code)).body).toMatchObject({ code: "INVALID_STATE" });
		expect((await read(as, second.id)).status).toBe("AWAITING_OTP");
	});

	it("twice concurrently leaves one activation open", async () => {
		const { token: as } = await givenCustomer();
		await givenOpened(as);
		// A start reads twice: the user and the account, then the caps of the user's number.
		let happened = false;
		const vars = beforeCommit(async () => {
			if (!happened) await givenActivation(as);
			happened = true;
		});
		expectOk(await call(startActivation, { as, body: {}, vars }));
		const rows = await db.select().from(activations);
		expect(rows.map(({ status }) => status).sort()).toEqual(["AWAITING_OTP", "CANCELLED"]);
	});
});

describe("confirming an activation", () => {
	it("makes the account ACTIVE in the same commit, and raises current_account.activated", async () => {
		const { as, activation, account, code, organization } = await givenStarted();
		const confirmed = expectOk(await confirm(as, activation.id, code));
		expect(confirmed.status).toBe("OTP_CONFIRMED");
		expect(confirmed.otp_confirmed_at).not.toBeNull();
		expect(confirmed.completed_at).not.toBeNull();
		expect(await read(as, activation.id)).toEqual(confirmed);
		expect(expectOk(await call(getCurrentAccount, { as }))).toMatchObject({
			status: "ACTIVE",
			onboarding_status: "ACTIVE",
			wallet_onboarding_status: "ACCOUNT_OPENED",
			activatable: false,
		});
		expect((await eventsOf(organization.id)).at(-1)).toEqual({
			type: "current_account.activated",
			key: `current_account.activated:${account.id}`,
			data: { account_id: account.id, activation_id: activation.id },
		});
	});

	it("refuses a wrong code with 400 and, after five, every code with 429", async () => {
		const { as, activation, code } = await givenStarted();
		for (let attempt = 1; attempt <= 5; attempt++) {
			expect((await confirm(as, activation.id, wrongCode(code))).body).toMatchObject({
				code: "BAD_REQUEST",
				description: "Invalid input",
				reason: "OTP_WRONG",
			});
		}
		const exhausted = await confirm(as, activation.id, code);
		expect(exhausted.body).toMatchObject({ code: "TOO_MANY_REQUESTS" });
		expect(Number(exhausted.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await statusOf(as)).toBe("PENDING");
	});

	it("refuses a malformed code without using up a try", async () => {
		const { as, activation, code } = await givenStarted();
		for (let attempt = 1; attempt <= 6; attempt++) expect((await confirm(as, activation.id, "12345")).status).toBe(400);
		expectOk(await confirm(as, activation.id, code));
	});

	it("refuses a code after five minutes with 400, an activation after thirty with 409", async () => {
		const { as, activation, code } = await givenStarted();
		await moveClock(5 * MINUTE_MS);
		expect((await confirm(as, activation.id, code)).status).toBe(400);
		await moveClock(25 * MINUTE_MS);
		expect((await confirm(as, activation.id, code)).body).toMatchObject({ code: "INVALID_STATE" });
		expect((await read(as, activation.id)).status).toBe("EXPIRED");
		expect((await givenActivation(as)).status).toBe("AWAITING_OTP");
		expect((await db.select().from(activations)).map(({ status }) => status).sort()).toEqual(["AWAITING_OTP", "EXPIRED"]);
	});

	it("twice with the right code confirms once", async () => {
		const { as, activation, code, organization } = await givenStarted();
		expectOk(await confirm(as, activation.id, code));
		expect((await confirm(as, activation.id, code)).body).toMatchObject({ code: "INVALID_STATE" });
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "current_account.activated")).toHaveLength(1);
	});

	it("twice concurrently confirms once: the slower call gets 409", async () => {
		const { as, activation, code, organization } = await givenStarted();
		// Between the slower call's read and its try.
		const vars = beforeCommit(async () => expectOk(await confirm(as, activation.id, code)));
		const slower = await confirm(as, activation.id, code, vars);
		expect([400, 409]).toContain(slower.status);
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "current_account.activated")).toHaveLength(1);
		expect(await statusOf(as)).toBe("ACTIVE");
	});

	it("is 404 for another user's activation", async () => {
		const { activation, code } = await givenStarted();
		const { token: as } = await givenCustomer();
		expect((await confirm(as, activation.id, code)).status).toBe(404);
		expect((await call(getActivation, { as, path: { activationId: activation.id } })).status).toBe(404);
	});

	it("refuses the code of another purpose", async () => {
		const { as, activation, account, number } = await givenStarted();
		const other = await givenCustomer();
		await givenOpened(other.token);
		await givenActivation(other.token);
		const foreign = await codeSentTo(other.number);
		const own = await codeSentTo(number);
		if (foreign !== own) expect((await confirm(as, activation.id, foreign)).status).toBe(400);
		expect(account.status).toBe("PENDING");
	});
});

describe("resending the code of an activation", () => {
	const resend = (as: string, activationId: string) => call(resendActivationCode, { as, path: { activationId } });

	it("replaces the code after 30 seconds, and before that asks the caller to wait", async () => {
		const { as, activation, number, code } = await givenStarted();
		const early = await resend(as, activation.id);
		expect(early.body).toMatchObject({ code: "TOO_MANY_REQUESTS" });
		expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(20);
		await moveClock(30 * SECOND_MS);
		expect(expectOk(await resend(as, activation.id))).toEqual(activation);
		const fresh = await codeSentTo(number);
		if (fresh !== code) expect((await confirm(as, activation.id, code)).status).toBe(400);
		expectOk(await confirm(as, activation.id, fresh));
	});

	it("counts towards the number's cap of three sends in fifteen minutes", async () => {
		const { as, activation } = await givenStarted();
		for (let sends = 2; sends <= 3; sends++) {
			await moveClock(30 * SECOND_MS);
			expectOk(await resend(as, activation.id));
		}
		await moveClock(30 * SECOND_MS);
		expect((await resend(as, activation.id)).body).toMatchObject({ code: "TOO_MANY_REQUESTS" });
	});

	it("sends nothing when the activation ends before that is committed", async () => {
		const { as, activation, number, code } = await givenStarted();
		await moveClock(30 * SECOND_MS);
		// The round trips: activation and challenge, the caps, the commit.
		const vars = beforeTrip(3, () => db.update(activations).set({ status: "CANCELLED" }));
		expect(await call(resendActivationCode, { as, path: { activationId: activation.id }, vars })).toMatchObject({ status: 409 });
		expect(await codeSentTo(number)).toBe(code);
	});

	it("is 409 for an activation that no longer waits for a code", async () => {
		const { as, activation, code } = await givenStarted();
		expectOk(await confirm(as, activation.id, code));
		await moveClock(30 * SECOND_MS);
		expect((await resend(as, activation.id)).body).toMatchObject({ code: "INVALID_STATE" });
	});
});
