// The signature debugger over HTTP.

import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { verifySignature } from "../../../../src/domains/webhooks/diagnosis/operations";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { call, expectOk } from "../../../support/client";
import { fakeWorld, givenWebhookOwner } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

describe("the signature debugger", () => {
	it("explains what is wrong, including the use of a revoked key", async () => {
		const { as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		const body = '{"b":1,"a":2}';
		const t = Math.floor(Date.now() / 1000);
		const header = (secret: string, signed = `${t}.${body}`) => `t=${t},v1=${createHmac("sha256", secret).update(signed).digest("hex")}`;
		const ask = async (sent: { header: string; body: string }) => expectOk(await call(verifySignature, { as, path, body: sent }));
		expect(await ask({ header: header(webhook.secret), body })).toMatchObject({ valid: true, reason: "VALID" });
		expect(await ask({ header: header(webhook.secret), body: '{ "b": 1, "a": 2 }' })).toMatchObject({ reason: "BODY_RESERIALIZED" });
		expect(await ask({ header: header(webhook.secret, `${t}:${body}`), body })).toMatchObject({ reason: "WRONG_SEPARATOR" });
		expect(await ask({ header: "", body })).toMatchObject({ valid: false, reason: "MISSING_HEADER" });
		await call(createSigningKey, { as, path });
		await call(revokeSigningKey, { as, path: { ...path, signing_key_id: webhook.signing_keys[0]?.id ?? "" } });
		const told = await call(verifySignature, { as, path, body: { header: header(webhook.secret), body } });
		expect(expectOk(told)).toMatchObject({ valid: false, reason: "REVOKED_KEY" });
		expect(told.text).not.toContain("whsec_");
	});

	it("accepts a body of up to 128 KiB, counted in UTF-8, and a header of up to 4,096 characters", async () => {
		const { as, register } = await givenWebhookOwner();
		const path = { webhook_id: (await register()).id };
		const ask = (header: string, body: string) => call(verifySignature, { as, path, body: { header, body } });
		expect(await ask("t=1,v1=00".padEnd(4_096, "0"), "é".repeat(65_536))).toMatchObject({ status: 200 });
		const tooLong = (member: string) => ({ status: 400, body: { invalid_params: [{ path: member, sub_code: "TOO_LONG" }] } });
		for (const body of [`a${"é".repeat(65_536)}`, "a".repeat(131_073)]) expect(await ask("t=1,v1=00", body)).toMatchObject(tooLong("body"));
		expect(await ask("t".repeat(4_097), "{}")).toMatchObject(tooLong("header"));
	});
});
