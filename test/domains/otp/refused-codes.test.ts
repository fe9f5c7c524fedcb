// What a refused one-time password says to its sender.

import { expect, it } from "vitest";
import { listMessages } from "../../../src/domains/messages/operations";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { operatorToken } from "../../support/factories";
import { servePath } from "../../support/serve";

async function givenCode() {
	const { id } = expectOk(await call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: "0712345678" } }));
	const sent = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient: "+254712345678" } })).data[0];
	const right = sent?.otp_code ?? "";
	return { id, right, wrong: String((Number(right) + 1) % 1_000_000).padStart(6, "0") };
}

async function bodyOf(id: string, otp_code: string, headers: Record<string, string> = {}): Promise<object> {
	const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify({ otp_code }) };
	return (await servePath(`/v1/auth/public/phone/verifications/${id}/confirm`, init)).json();
}

it("a refusal says why, in the user's language too, how often a code may be tried again and when a new one may be asked for", async () => {
	const { id, right, wrong } = await givenCode();
	expect(await bodyOf(id, wrong)).toMatchObject({
		code: "BAD_REQUEST",
		description: "Invalid input",
		reason: "OTP_WRONG",
		user_message: "This code is not right. Please check it.",
		invalid_params: [{ path: "otp_code", reason: "is not the code that was sent", sub_code: "NOT_ALLOWED" }],
		tries_left: 4,
		seconds_until_new_code: 30,
	});
	await moveClock(20_000);
	expect(await bodyOf(id, wrong, { "accept-language": "sw-KE, en;q=0.5" })).toMatchObject({
		user_message: "Msimbo huu si sahihi. Tafadhali uangalie tena.",
		tries_left: 3,
		seconds_until_new_code: 10,
	});
	expect(await bodyOf(id, right)).toHaveProperty("phone_verification_token");
	await moveClock(60_000);
	const used = await bodyOf(id, right);
	expect(used).toMatchObject({ reason: "OTP_USED", invalid_params: [{ path: "otp_code", reason: "was used already: ask for a new one" }] });
	expect(used).not.toHaveProperty("tries_left");
});

it("five wrong codes have another answer than too many requests", async () => {
	const { id, wrong } = await givenCode();
	for (let i = 0; i < 5; i++) await bodyOf(id, wrong);
	expect(await bodyOf(id, wrong)).toMatchObject({ code: "TOO_MANY_REQUESTS", reason: "OTP_TRIES_USED", user_message: expect.any(String) });
});
