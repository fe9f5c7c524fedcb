// Signing in: the user gets a message about it, and a session that begins while the SIM card was exchanged may do little for ten days.

import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { messages } from "../../../src/domains/messages/table";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { refreshSession } from "../../../src/domains/tokens/sessions/operations";
import { signIn } from "../../../src/domains/tokens/sign-in.operations";
import { orderTransfer } from "../../../src/domains/transfers/operations";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenCurrentAccount } from "../../support/current-accounts";
import { db, givenUser } from "../../support/factories";
import { allowErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";
import { givenPayee } from "../../support/payees";
import { sandboxToken } from "../../support/tokens";

const NUMBER = "+254712345678";
const EMAIL = "jane@example.com";
const SIM_SWAP = { SIM_SWAP_URL: "https://sim.example/check", SIM_SWAP_TOKEN: "token" };

let asked = 0;
beforeEach(() => {
	asked = 0;
});

function simSays(answer: () => Response): void {
	answerOutbound(async () => {
		asked++;
		return answer();
	});
}

/** Signs the user of the number in. */
async function begin(vars: Record<string, string> = {}) {
	const phone_verification_token = await sandboxToken("phone", NUMBER, { jti: crypto.randomUUID() });
	const { access_token: custom_token } = expectOk(await call(exchangePhoneToken, { body: { phone_verification_token }, vars }));
	const atExchange = asked;
	const session = expectOk(await call(signIn, { body: { custom_token }, vars }));
	expect(atExchange).toBe(0);
	return session;
}

const told = async () =>
	(await db.select().from(messages)).map(({ channel, recipient, purpose, category }) => ({ channel, recipient, purpose, category }));

describe("the notice of a sign-in", () => {
	const SECURITY = { purpose: "SECURITY", category: "SECURITY" };

	it("goes to the mail, and not also to a number", async () => {
		const user = await givenUser({ mobileNumber: NUMBER, email: EMAIL });
		await givenCurrentAccount({ user });
		await begin();
		expect(await told()).toEqual([{ channel: "EMAIL", recipient: EMAIL, ...SECURITY }]);
		await begin();
		expect(await told()).toHaveLength(2);
	});

	it("goes by SMS to a user without an address who has an active account, and to no other", async () => {
		const user = await givenUser({ mobileNumber: NUMBER });
		await begin();
		expect(await told()).toEqual([]);
		await givenCurrentAccount({ user });
		await begin();
		expect(await told()).toEqual([{ channel: "SMS", recipient: NUMBER, ...SECURITY }]);
	});
});

describe("a sign-in with a SIM card that", () => {
	const cautionOf = (token: string) => decodeJwt(token).cau as number | undefined;

	it("was exchanged begins a session that may do little for ten days, and so do its later tokens", async () => {
		const user = await givenUser({ mobileNumber: NUMBER });
		const account = await givenCurrentAccount({ user, balance: 10_000, openedAt: new Date(Date.now() - HOUR_MS).toISOString() });
		const { accounts } = await givenPayee(user.token, null, { type: "BUY_GOODS", till_number: "100001" });
		simSays(() => Response.json({ swapped: true }));
		const first = await begin(SIM_SWAP);
		const second = expectOk(await call(refreshSession, { body: { refresh_token: first.refresh_token } }));
		for (const { access_token, id_token } of [first, second]) {
			for (const token of [access_token, id_token]) {
				expect((cautionOf(token) ?? 0) * 1000 - Date.now()).toBeGreaterThan(239 * HOUR_MS);
				const body = { payee_account_id: accounts[0]?.id ?? "", amount: 100 };
				expect(await call(orderTransfer, { as: token, body })).toMatchObject({
					status: 409,
					body: { code: "INVALID_STATE", description: expect.stringContaining("too recent") },
				});
			}
		}
		expect(account.status).toBe("ACTIVE");
		expect(asked).toBe(1);
	});

	it.each([
		["was not exchanged", () => Response.json({ swapped: false })],
		["the operator says nothing of", () => new Response(null, { status: 503 })],
	])("%s begins an ordinary session", async (_, answer) => {
		allowErrors("the SIM-swap check gave no answer at a sign-in");
		const user = await givenUser({ mobileNumber: NUMBER });
		await givenCurrentAccount({ user });
		simSays(answer);
		expect(cautionOf((await begin(SIM_SWAP)).access_token)).toBeUndefined();
		expect(asked).toBe(1);
	});

	it("nobody asks of, because the user has no account, begins one too", async () => {
		await givenUser({ mobileNumber: NUMBER, email: EMAIL });
		simSays(() => Response.json({ swapped: true }));
		expect(cautionOf((await begin(SIM_SWAP)).access_token)).toBeUndefined();
		expect(asked).toBe(0);
	});
});
