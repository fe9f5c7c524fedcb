// What an app says when it asks for a code, and what it learns.

import { expect, it } from "vitest";
import { listMessages } from "../../../src/domains/messages/operations";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { call, expectOk, send } from "../../support/client";
import { operatorToken } from "../../support/factories";

const NUMBER = "+254712345678";

it("a code's message ends with the hash of the app that asks, and the answer says when another may be asked for", async () => {
	const body = { mobile_country_code: "254", mobile_number: "0712345678" };
	const first = expectOk(await call(startPhoneVerification, { body: { ...body, app_hash: "FA+9qCX9VSu" } }));
	const told = async () =>
		expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient: NUMBER } })).data[0]?.text ?? "";
	expect(await told()).toMatch(/^\d{6} is your code\. .*\nFA\+9qCX9VSu$/);
	expect(first.seconds_until_new_code).toBe(30);
	expectOk(await call(startPhoneVerification, { body }));
	expect(await told()).not.toContain("\n");
	// Three in a quarter of an hour.
	expect(expectOk(await call(startPhoneVerification, { body })).seconds_until_new_code).toBeGreaterThan(840);
	expect(await call(startPhoneVerification, { body })).toMatchObject({ status: 429 });
	const refused = await send(startPhoneVerification, { body: { ...body, app_hash: "visit example.com" } });
	expect(refused).toMatchObject({ status: 400, body: { invalid_params: [{ path: "app_hash" }] } });
});
