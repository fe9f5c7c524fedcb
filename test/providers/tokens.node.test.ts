// A provider's token is remembered, for those credentials alone that it was given for.

import { expect, it } from "vitest";
import type { StandIn } from "../../src/dev/stand-ins/serve";
import { STAND_INS } from "../../src/dev/stand-ins/serve";
import { PAYMENT_ADAPTERS } from "../../src/providers/payment-adapters";
import { askBy, Connections } from "../../src/runtime/connections";
import { Keyring } from "../../src/shared/keyring";

const DARAJA = { consumerKey: "key", consumerSecret: "secret", passkey: null, initiatorName: "testapi", securityCredential: "credential" };

it.each([
	["daraja", DARAJA, { consumerSecret: "another" }],
	["momo", { apiKey: "secret", subscriptionKey: "key" }, { apiKey: "another" }],
] as const)("%s gives a token for each credentials", async (provider, secrets, others) => {
	const standIn = (STAND_INS[provider] as () => StandIn)();
	let tokens = 0;
	const connections = new Connections({ ENVIRONMENT: "local" });
	const ask = askBy(async (input, init) => {
		const request = new Request(input, init);
		if (/oauth|token/.test(request.url)) tokens++;
		return standIn.handle(request);
	}, connections);
	const keyring = await Keyring.parse(Buffer.alloc(32, 1).toString("base64"));
	const inquire = (changes: object) =>
		PAYMENT_ADAPTERS[provider].inquire(
			{ ask, url: undefined, realNow: Date.now(), keyring, baseUrl: "https://service.example" },
			{
				environment: "sandbox",
				shortCode: "600997",
				facts: { targetEnvironment: "sandbox" },
				pausedReason: null,
				secrets: { ...secrets, ...changes },
			},
			{ reference: crypto.randomUUID(), organizationId: "o", amount: 100, currency: "EUR", mobileNumber: null, body: "", provider },
		);
	await inquire({});
	await inquire({});
	expect(tokens).toBe(1);
	await inquire(others);
	expect(tokens).toBe(2);
});
