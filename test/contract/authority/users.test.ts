// What a stolen token of a user, or their number, can take at most. That it moves money by transfers alone is held by the test of
// issuers, whose keys get such tokens.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { requestRecovery } from "../../../src/domains/approvals/recovery.operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { setMyPhone } from "../../../src/domains/mobile-number-changes/first.operations";
import { startNumberChange } from "../../../src/domains/mobile-number-changes/operations";
import { payInSandbox } from "../../../src/domains/repayments/recording/sandbox.operations";
import { mintToken } from "../../../src/domains/tokens/model/service-token.crypto";
import { refreshSession } from "../../../src/domains/tokens/sessions/operations";
import { openSession } from "../../../src/domains/tokens/sessions/plan";
import { confirmTransfer, orderTransfer } from "../../../src/domains/transfers/operations";
import { mobileNumberChanges } from "../../../src/domains/users/model/number-change.table";
import { users } from "../../../src/domains/users/model/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { isPublic } from "../../../src/http/callers/access";
import { configuration } from "../../../src/runtime/config";
import { DAY_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { codeSentTo, givenCurrentAccount } from "../../support/current-accounts";
import { db, operatorToken } from "../../support/factories";
import { signedInByPhone, verifiedPhone } from "../../support/phone-door";
import { sandboxToken } from "../../support/tokens";
import { withServices } from "../../support/two-homes";
import { fakeWorld } from "../../support/webhooks";
import { send } from "../senders";
import { givenParties, validRequest } from "../valid-requests";
import { moved } from "./moved";
import { drain, leftOf, N, openTo, payable, T, VARS, WEALTH } from "./payer";

beforeEach(() => {
	fakeWorld();
});

/** The refresh token of a new session. */
const refreshTokenOf = (userId: string): Promise<string> =>
	withServices(async (services) => {
		const there = services.at(userId);
		const { refreshToken, writes } = await openSession(there, userId, { issuer: null });
		await there.commit(writes);
		return refreshToken;
	});

/** A new access token of a session whose refresh token somebody has; each one spends the token before. */
async function refreshing(userId: string): Promise<() => Promise<string>> {
	let refresh_token = await refreshTokenOf(userId);
	return async () => {
		const renewed = expectOk(await call(refreshSession, { body: { refresh_token } }));
		refresh_token = renewed.refresh_token;
		return renewed.access_token;
	};
}

describe("a user's access or refresh token", () => {
	it.each(["access", "refresh"])(
		"takes at most the threshold a day, and three times that until the owner's next code: %s",
		async (stolen) => {
			const { user } = await givenParties();
			const tokenOf = stolen === "access" ? async () => user.token : await refreshing(user.id);
			await givenCurrentAccount({ user, balance: WEALTH });
			const known = [await payable(user.token, true), await payable(user.token, true)];
			const days: number[] = [];
			for (let day = 1; day <= 5; day++) {
				const before = await leftOf(user.id);
				await drain(await tokenOf(), known, [T + 1, 400_000, 400_000, 400_000, 100_000, 100_000, 100_000]);
				days.push((await leftOf(user.id)) - before);
				await moveClock(DAY_MS);
			}
			expect(days).toEqual([T, T, T, 0, 0]);
		},
	);

	it("takes at most the lower threshold a day by paying new payees", async () => {
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

describe("a refresh token that a thief has too", () => {
	type Holder = { refresh_token: string; access_token?: string };

	const renew = async (holder: Holder): Promise<boolean> => {
		const renewed = await call(refreshSession, { body: { refresh_token: holder.refresh_token } });
		if (renewed.ok) Object.assign(holder, renewed.body);
		return renewed.ok;
	};

	const orders = (["old", "new"] as const).flatMap((stolen) =>
		(["thief first", "owner first", "once both at once"] as const).map((order) => [stolen, order] as const),
	);

	it.each(orders)("takes at most the threshold, and ends with the session by the third renewal of both: %s, %s", async (stolen, order) => {
		// In the morning, because a limit counts by days, and the renewals take hours.
		vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / DAY_MS) * DAY_MS });
		const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
		const { user } = await givenParties();
		await givenCurrentAccount({ user, balance: WEALTH });
		const known = [await payable(user.token, true), await payable(user.token, true)];
		const before = await leftOf(user.id);
		const old = await refreshTokenOf(user.id);
		const owner: Holder = { refresh_token: old };
		expect(await renew(owner)).toBe(true);
		const thief: Holder = { refresh_token: stolen === "old" ? old : owner.refresh_token };
		const turns = order === "owner first" ? [owner, thief] : [thief, owner];
		let renewals = 0;
		for (let areRenewed = true; areRenewed && renewals < 9; renewals++) {
			later(15 * MINUTE_MS);
			if (order === "once both at once" && renewals === 0) areRenewed = (await Promise.all(turns.map(renew))).every((one) => one);
			else
				for (const holder of turns) {
					areRenewed &&= await renew(holder);
					later(5 * MINUTE_MS);
				}
			if (thief.access_token) await drain(thief.access_token, known, [T, 400_000, 400_000]);
		}
		expect(renewals).toBeLessThanOrEqual(3);
		const taken = (await leftOf(user.id)) - before;
		expect(taken).toBeLessThanOrEqual(T);
		for (const { refresh_token, access_token } of [owner, thief]) {
			expect((await call(refreshSession, { body: { refresh_token } })).ok).toBe(false);
			if (access_token) expect((await call(getMe, { as: access_token })).status).toBe(401);
		}
	});
});

describe("a token of a user without a number, who came through a partner", () => {
	it("takes no more, and gets neither their codes nor their account by a number of the thief's", async () => {
		const { user } = await givenParties();
		await db.update(users).set({ mobileNumber: null, email: "owner@example.com" }).where(eq(users.id, user.id));
		await givenCurrentAccount({ user, balance: WEALTH });
		const number = "+254799000222";
		const phone_verification_token = await verifiedPhone(number);
		expect(await call(setMyPhone, { as: user.token, body: { phone_verification_token } })).toMatchObject({ status: 409 });
		const by = { new_mobile_country_code: "254", new_mobile_number: number.slice(4) };
		for (const authorization_channel of ["OLD_MOBILE", "EMAIL"] as const)
			await call(startNumberChange, { as: user.token, body: { ...by, authorization_channel } });
		const { access_token } = await signedInByPhone(number);
		const accounts = [await payable(user.token, true), await payable(user.token, false)];
		await drain(user.token, accounts, [T + 1, 400_000, 400_000, 400_000]);
		await drain(access_token, accounts, [400_000]);
		expect(await leftOf(user.id)).toBeLessThanOrEqual(T);
		expect(await db.select().from(users).where(eq(users.id, user.id))).toMatchObject([{ mobileNumber: null }]);
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

	it("takes the threshold in the first day, then the daily limit", async () => {
		// Long before midnight where the accounts are, so that each round of orders is within one day.
		vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / DAY_MS) * DAY_MS });
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

describe("a number (SIM) that is being recovered", () => {
	const NUMBER_OF_ITS_OWN = "+254799000111";

	// A first number is set by users who have none. A payment to a loan is made by mobile money, which anybody may who knows the account.
	const NEEDS_NO_NUMBER: readonly string[] = [setMyPhone.id, payInSandbox.id];
	const closed = openTo("user", "organization").filter(([, { access, id }]) => !isPublic(access) && !NEEDS_NO_NUMBER.includes(id));

	it.each(closed)("moves nothing, and keeps the number for nobody: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const path = { userId: parties.user.id };
		const phone_verification_token = await sandboxToken("phone", NUMBER_OF_ITS_OWN, { jti: crypto.randomUUID() });
		const body = { phone_verification_token, reason: "The phone was stolen" };
		const { id } = expectOk(await call(requestRecovery, { as: await operatorToken("anna"), path, body }));
		const decision = { path: { id }, body: { decision: "APPROVED" as const } };
		expect(expectOk(await call(decideApproval, { as: await operatorToken("ben"), ...decision })).status).toBe("APPROVED");
		const before = await moved();
		const { status } = await send(op, request, { as: await tokenByNumber(parties.user.id, Date.now() + 1_000) }, VARS);
		expect((await moved()) - before).toBe(0);
		if (["applyForLoan", "draw", "orderTransfer", "startNumberChange"].includes(op.id)) expect(status).toBe(409);
		const changes = await db.select().from(mobileNumberChanges).where(eq(mobileNumberChanges.id, id));
		expect(changes).toMatchObject([{ status: "AUTHORIZED", newNumber: NUMBER_OF_ITS_OWN }]);
	});
});
