// The first mobile number of a user: proven by a code, or asserted by an issuer that may.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { names } from "../../../src/db/names.table";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { requestRecovery } from "../../../src/domains/approvals/recovery.operations";
import { authorizeNumberChange, confirmNumberChange } from "../../../src/domains/mobile-number-changes/code.operations";
import { setMyPhone } from "../../../src/domains/mobile-number-changes/first.operations";
import { clearReservations, finishChanges } from "../../../src/domains/mobile-number-changes/job";
import { startNumberChange } from "../../../src/domains/mobile-number-changes/operations";
import { workOnRecoveries } from "../../../src/domains/mobile-number-changes/recovery.job";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { createIssuer } from "../../../src/domains/tokens/issuers/operations";
import { mobileNumberChanges } from "../../../src/domains/users/model/number-change.table";
import { users } from "../../../src/domains/users/model/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { DAY_MS, HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { codeSentTo, freshNumber, givenCurrentAccount } from "../../support/current-accounts";
import { db, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenKey, signed } from "../../support/issuers";
import { beforeCommit, beforeTrip, eventsOf, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { signedInByPhone, verifiedPhone } from "../../support/phone-door";
import { expectUser } from "../../support/profiles";

const put = (as: string, phone_verification_token: string, vars: Partial<Env> = {}) =>
	call(setMyPhone, { as, body: { phone_verification_token }, vars });
const numberOf = async (id: string) => (await db.select().from(users).where(eq(users.id, id)))[0]?.mobileNumber;
const phoneNames = () => db.select().from(names).where(eq(names.kind, "PHONE"));

describe("a first mobile number", () => {
	it("is set by a proof of it, waiting or not, and the phone's holder signs in as its user from then on", async () => {
		const { id: organizationId } = await givenOrganization();
		const user = await givenUser({ organizationId, status: "WAITING_LIST" });
		const number = freshNumber();
		const answer = await put(user.token, await verifiedPhone(number));
		expect(expectOk(answer).mobile_number).toBe(`${number.slice(0, 4)}******${number.slice(-3)}`);
		expect(await numberOf(user.id)).toBe(number);
		expect(await eventsOf(organizationId)).toMatchObject([{ type: "user.mobile_number_set", data: { user_id: user.id } }]);
		expect(await phoneNames()).toMatchObject([{ id: user.id, reservedFor: null }]);
		const { access_token } = await signedInByPhone(number);
		expect(expectUser(await call(getMe, { as: access_token })).id).toBe(user.id);
	});

	it("is 409 for a user who has another number, and for a number that somebody has", async () => {
		const number = freshNumber();
		const owner = await givenUser({ mobileNumber: number });
		expect(await put(owner.token, await verifiedPhone(freshNumber()))).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const other = await givenUser();
		expect(await put(other.token, await verifiedPhone(number))).toMatchObject({ status: 409, body: { code: "MOBILE_NUMBER_IN_USE" } });
		expect((await put(owner.token, await verifiedPhone(number))).status).toBe(200);
		expect(await numberOf(other.id)).toBeNull();
	});

	it("is proven once by a token, and by no other kind of token", async () => {
		const user = await givenUser();
		for (const bad of ["no token", user.token]) expect((await put(user.token, bad)).status).toBe(400);
		const token = await verifiedPhone(freshNumber());
		expect((await put(user.token, token)).status).toBe(200);
		expect((await call(exchangePhoneToken, { body: { phone_verification_token: token } })).status).toBe(400);
	});

	it("is one of two that are set at the same moment, and of two users one gets it", async () => {
		const user = await givenUser();
		const [one, two] = [await verifiedPhone(freshNumber()), await verifiedPhone(freshNumber())];
		const answers = await Promise.all([put(user.token, one), put(user.token, two)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		expect(await db.select().from(mobileNumberChanges)).toHaveLength(1);

		const number = freshNumber();
		const tokens = [await verifiedPhone(number), await verifiedPhone(number)];
		const people = [await givenUser(), await givenUser()];
		const both = await Promise.all(people.map(({ token }, index) => put(token, tokens[index] ?? "")));
		expect(both.map(({ status }) => status)).toContain(200);
		expect((await db.select().from(users).where(eq(users.mobileNumber, number))).length).toBe(1);
	});

	it("is the number of one of two users, whenever the other comes", { tags: ["thorough"] }, async () => {
		for (const trip of [2, 3, 4, 5]) {
			const number = freshNumber();
			const [first, second] = [await givenUser(), await givenUser()];
			const tokens = [await verifiedPhone(number), await verifiedPhone(number)];
			const meanwhile = beforeTrip(trip, async () => void (await put(second.token, tokens[1] ?? "")));
			const { status } = await put(first.token, tokens[0] ?? "", meanwhile);
			expect([200, 409, 503], `before trip ${trip}`).toContain(status);
			expect(await db.select().from(users).where(eq(users.mobileNumber, number)), `before trip ${trip}`).toHaveLength(1);
		}
	});

	it("survives a crash at any step: the number is free again, or its name is finished by the sweep", { tags: ["thorough"] }, async () => {
		expectErrors("background work failed", "request failed");
		for (const trip of [2, 3, 4, 5]) {
			const user = await givenUser();
			const number = freshNumber();
			const token = await verifiedPhone(number);
			const crash = beforeTrip(trip, async () => {
				throw new Error("killed");
			});
			await put(user.token, token, crash).catch(() => undefined);
			await moveClock(HOUR_MS);
			await runDueWork(finishChanges);
			await runDueWork(clearReservations);
			const kept = (await numberOf(user.id)) === number;
			const owned = (await phoneNames()).filter(({ id }) => id === user.id);
			expect(owned.every(({ reservedFor }) => reservedFor === null)).toBe(true);
			expect(owned).toHaveLength(kept ? 1 : 0);
			if (!kept) expect((await put((await givenUser()).token, await verifiedPhone(number))).status).toBe(200);
		}
	});
});

describe("the number of a user with an account and none", () => {
	const MAIL = "owner@example.com";
	const givenOwner = async (email: string | null = MAIL) => {
		const user = await givenUser({ ...(email !== null && { email }) });
		await givenCurrentAccount({ user });
		await db.update(users).set({ mobileNumber: null }).where(eq(users.id, user.id));
		return user;
	};

	it("is not set by its proof alone, which a stolen token could bring too", async () => {
		const user = await givenOwner();
		const thiefs = freshNumber();
		expect(await put(user.token, await verifiedPhone(thiefs))).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE", description: expect.stringContaining("EMAIL") },
		});
		expect(await numberOf(user.id)).toBeNull();
		const { access_token } = await signedInByPhone(thiefs);
		expect(expectUser(await call(getMe, { as: access_token })).id).not.toBe(user.id);
	});

	it("is not set when the account comes between the read and the commit", async () => {
		const user = await givenUser({ email: MAIL });
		const opened = beforeCommit(async () => void (await givenCurrentAccount({ user })));
		expect(await put(user.token, await verifiedPhone(freshNumber()), opened)).toMatchObject({ status: 409 });
	});

	it("is set by a change with a code to their mail, and a code to the number", async () => {
		const user = await givenOwner();
		const number = freshNumber();
		const body = { new_mobile_country_code: "254", new_mobile_number: number.slice(4), authorization_channel: "EMAIL" as const };
		const { id } = expectOk(await call(startNumberChange, { as: user.token, body }));
		const step = { as: user.token, path: { mobileNumberChangeId: id } };
		expectOk(await call(authorizeNumberChange, { ...step, body: { otp_code: await codeSentTo(MAIL) } }));
		expectOk(await call(confirmNumberChange, { ...step, body: { otp_code: await codeSentTo(number) } }));
		expect(await numberOf(user.id)).toBe(number);
	});

	it("is recovered by two operators where they have no mail either", async () => {
		const user = await givenOwner(null);
		const number = freshNumber();
		const { body } = await put(user.token, await verifiedPhone(number));
		expect(body).toMatchObject({ description: expect.stringContaining("recovery") });
		const asked = { phone_verification_token: await verifiedPhone(number), reason: "came through a partner" };
		const { id } = expectOk(await call(requestRecovery, { as: await operatorToken("anna"), path: { userId: user.id }, body: asked }));
		const decision = { path: { id }, body: { decision: "APPROVED" as const } };
		expect(expectOk(await call(decideApproval, { as: await operatorToken("ben"), ...decision })).status).toBe("APPROVED");
		await moveClock(4 * DAY_MS);
		await runDueWork(workOnRecoveries);
		await runDueWork(workOnRecoveries);
		expect(await numberOf(user.id)).toBe(number);
	});
});

describe("a number that an issuer asserts", () => {
	async function givenIssuer(may_assert_phone_numbers: boolean) {
		const key = await givenKey("ES256");
		const issuer = `https://${crypto.randomUUID()}.example`;
		const body = { issuer, kind: "partner", jwks: { keys: [key.jwk] }, algorithms: ["ES256"], may_assert_phone_numbers };
		expectOk(await call(createIssuer, { as: await operatorToken(), body: body as never }));
		const userOf = async (sub: string, claims: object, vars: Partial<Env> = {}) => {
			const partner_token = await signed(key, { iss: issuer, sub, ...claims });
			const { access_token } = expectOk(await call(exchangePartnerToken, { body: { partner_token }, vars }));
			return expectUser(await call(getMe, { as: access_token })).id;
		};
		const exchange = async (sub: string, phone_number: string, phone_number_verified: unknown = true) =>
			numberOf(await userOf(sub, { phone_number, phone_number_verified }));
		return Object.assign(exchange, { userOf });
	}

	it("becomes that of a user who has none, if it is verified and nobody has it, and changes none", async () => {
		const exchange = await givenIssuer(true);
		const [number, next] = [freshNumber(), freshNumber()];
		expect(await exchange("a", number, false)).toBeNull();
		expect(await exchange("a", "0712345678")).toBeNull();
		expect(await exchange("a", number)).toBe(number);
		expect(await exchange("a", next)).toBe(number);
		expect(await exchange("b", number)).toBeNull();
		expect(await exchange("c", next)).toBe(next);
	});

	it("is ignored unless its record says that it may", async () => {
		const exchange = await givenIssuer(false);
		expect(await exchange("a", freshNumber())).toBeNull();
	});

	it("and a mail address, are ignored for a user with an account: what gets its codes changes by no issuer's word", async () => {
		const exchange = await givenIssuer(true);
		const id = await exchange.userOf("a", {});
		await givenCurrentAccount({ user: { id } });
		await db.update(users).set({ mobileNumber: null, email: null }).where(eq(users.id, id));
		expect(await exchange("a", freshNumber())).toBeNull();
		await exchange.userOf("a", { email: "thief@example.com", email_verified: true });
		expect((await db.select().from(users).where(eq(users.id, id)))[0]).toMatchObject({ email: null, mobileNumber: null });
		expect(await exchange.userOf("b", { email: "b@example.com", email_verified: true })).not.toBe(id);
	});

	it("is ignored for a user who opens an account before any round trip of the exchange up to its commit", async () => {
		const exchange = await givenIssuer(true);
		let before = 0;
		for (let nth = 2; ; nth++) {
			const id = await exchange.userOf(`user-${nth}`, {});
			let met: string | null | undefined;
			const opens = beforeTrip(nth, async () => {
				met = await numberOf(id);
				await givenCurrentAccount({ user: { id } });
			});
			await exchange.userOf(`user-${nth}`, { phone_number: freshNumber(), phone_number_verified: true }, opens);
			// The commit is done, or had no such round trip.
			if (met !== null) break;
			before++;
			expect([nth, await numberOf(id)]).toEqual([nth, null]);
		}
		expect(before).toBeGreaterThan(2);
	});
});
