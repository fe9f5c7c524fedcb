// A session that a code begins on a device which the user had sessions on before is no new one, and what a new one may not do is said
// beforehand.

import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { quoteLoan } from "../../../src/domains/loan-products/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { createLoanApplication, getLoanApplication } from "../../../src/domains/loans/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { refreshSession, revokeSessions } from "../../../src/domains/tokens/sessions/operations";
import { signIn } from "../../../src/domains/tokens/sign-in.operations";
import { sessions } from "../../../src/domains/tokens/table";
import { DAY_MS, HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { db, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenLoanProduct, givenOffer } from "../../support/loans";
import { sandboxToken } from "../../support/tokens";

const NUMBER = "+254712345678";
const PHONE = "the phone: 0f8c2a6b9d";
const OTHER = "another phone: 77aa01";
const vars = { CAUTION_HOURS: "24" };

let user: Awaited<ReturnType<typeof givenUser>>;
let productId: string;

beforeEach(async () => {
	const organization = await givenOrganization();
	user = await givenUser({ organizationId: organization.id, mobileNumber: NUMBER });
	productId = (await givenLoanProduct({ organization_id: organization.id })).id;
});

async function begin(device_id?: string) {
	const phone_verification_token = await sandboxToken("phone", NUMBER, { jti: crypto.randomUUID() });
	const { access_token: custom_token } = expectOk(await call(exchangePhoneToken, { body: { phone_verification_token }, vars }));
	return expectOk(await call(signIn, { body: { custom_token, ...(device_id !== undefined && { device_id }) }, vars }));
}

/** As if all sessions and accounts so far had begun earlier. */
async function pass(ms: number): Promise<void> {
	await db.update(sessions).set({ createdAt: sql`created_at - ${ms}`, deviceSince: sql`device_since - ${ms}` });
	await db.update(creditAccounts).set({ createdAt: sql`created_at - ${ms}` });
}

/** What the user sees of the loan before they ask for it, and what becomes of the first step of borrowing. */
async function borrowing({ access_token: as }: { access_token: string }) {
	const offer = expectOk(await call(createLoanApplication, { as, body: {}, vars }));
	const read = expectOk(await call(getLoanApplication, { as, path: { application_id: offer.id }, vars }));
	const quote = expectOk(await call(quoteLoan, { as, body: { loan_product_id: productId, loan_amount: 1_000 }, vars }));
	const account = await call(getAccount, { as, path: { accountId: offer.account_id }, vars });
	const said = [offer, read, quote, ...(account.ok && account.body.type === "CREDIT" ? [account.body] : [])];
	const applied = await call(applyForLoan, { as, path: { application_id: offer.id }, body: { loan_amount: 1_000 }, vars });
	return { said: said.map(({ available_from }) => available_from), applied };
}

/** The same instant in each answer and in the refusal. */
async function expectCaution(session: { access_token: string }, hours: number): Promise<void> {
	const { said, applied } = await borrowing(session);
	const [from = ""] = said;
	expect(said).toEqual(said.map(() => from));
	const left = Date.parse(from) - Date.now();
	expect(Math.abs(left - hours * HOUR_MS)).toBeLessThan(60_000);
	expect(applied).toMatchObject({
		status: 409,
		body: { code: "INVALID_STATE", reason: "CAUTION", available_from: from, user_message: expect.any(String) },
	});
	// An account that was never used is not drawn on.
	if (said.length < 4) return;
	const path = { accountId: (await db.select().from(creditAccounts))[0]?.id ?? "" };
	expect(await call(draw, { as: session.access_token, path, body: { amount: 1_000 }, vars })).toMatchObject({
		status: 409,
		body: { reason: "CAUTION", available_from: from },
	});
}

describe("a sign-in", () => {
	it("on a device of the user's earlier sessions borrows at once, on another one says when, and so does its renewed session", async () => {
		expectOk((await borrowing(await begin(PHONE))).applied);
		await pass(2 * DAY_MS);
		expect(await borrowing(await begin(PHONE))).toMatchObject({
			said: [undefined, undefined, undefined, undefined],
			applied: { status: 200 },
		});
		await expectCaution(await begin(), 24);
		const other = await begin(OTHER);
		await expectCaution(other, 24);
		await expectCaution(expectOk(await call(refreshSession, { body: { refresh_token: other.refresh_token }, vars })), 24);
	});

	it("again on a new device waits no longer, and not less, than the first one there", async () => {
		await givenOffer(user.token);
		await pass(2 * DAY_MS);
		await begin(OTHER);
		await pass(20 * HOUR_MS);
		await expectCaution(await begin(OTHER), 4);
		await pass(5 * HOUR_MS);
		expect((await borrowing(await begin(OTHER))).applied).toMatchObject({ status: 200 });
	});

	it("is new on every device once all sessions were ended", async () => {
		expectOk((await borrowing(await begin(PHONE))).applied);
		await pass(2 * DAY_MS);
		expectOk(await call(revokeSessions, { as: await operatorToken(), path: { userId: user.id } }));
		await expectCaution(await begin(PHONE), 24);
	});

	it("does not learn from the device of another user", async () => {
		await givenOffer(user.token);
		await db.insert(sessions).values({
			...{ id: crypto.randomUUID(), userId: (await givenUser()).id, createdAt: 1, expiresAt: Date.now() + DAY_MS },
			deviceHash: await hashOf(),
			deviceSince: 1,
		});
		await pass(2 * DAY_MS);
		await expectCaution(await begin(PHONE), 24);
	});
});

/** The hash that the user's own sessions on the device have. */
async function hashOf(): Promise<string> {
	await begin(PHONE);
	const [row] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
	await db.delete(sessions).where(eq(sessions.userId, user.id));
	if (!row?.deviceHash) throw new Error("the session knows no device");
	return row.deviceHash;
}
