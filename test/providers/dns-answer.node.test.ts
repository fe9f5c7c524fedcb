// How answers of the resolver are read.

import { describe, expect, it } from "vitest";
import { AT_ATTEMPT, AT_REGISTRATION } from "../../src/domains/webhooks/endpoints/resolution.policy";
import { judgeResolution, readDnsAnswer } from "../../src/providers/dns-answer";
import { parseNetworks } from "../../src/shared/addresses";

const record = (type: number, data: string) => ({ name: "hooks.partner.example.", type, TTL: 60, data });
const found = (...records: ReturnType<typeof record>[]) => ({
	Status: 0,
	TC: false,
	RD: true,
	RA: true,
	AD: false,
	CD: false,
	Question: [],
	Answer: records,
});
const a = (...addresses: string[]) => found(...addresses.map((address) => record(1, address)));
const aaaa = (...addresses: string[]) => found(...addresses.map((address) => record(28, address)));
const empty = { Status: 0, TC: false };
const nxdomain = { Status: 3, TC: false, Authority: [] };
const servfail = { Status: 2, TC: false };

const resolve = (answerA: unknown, answerAaaa: unknown) => judgeResolution([readDnsAnswer(answerA), readDnsAnswer(answerAaaa)], []);

describe("resolution cases", () => {
	it.each([
		["A public", a("1.1.1.1"), empty, "ACCEPT", "SEND"],
		["A public and A loopback", a("1.1.1.1", "127.0.0.1"), empty, "NOT_PUBLIC", "BLOCKED_ADDRESS"],
		["A public and AAAA link-local", a("1.1.1.1"), aaaa("fe80::1"), "NOT_PUBLIC", "BLOCKED_ADDRESS"],
		["AAAA public and A private", a("10.0.0.1"), aaaa("2606:4700:4700::1111"), "NOT_PUBLIC", "BLOCKED_ADDRESS"],
		[
			"CNAME to a name with a metadata address",
			found(record(5, "meta.example."), record(1, "169.254.169.254")),
			found(record(5, "meta.example.")),
			"NOT_PUBLIC",
			"BLOCKED_ADDRESS",
		],
		[
			"CNAME chain to a public address",
			found(record(5, "b.example."), record(5, "c.example."), record(1, "1.1.1.1")),
			found(record(5, "b.example.")),
			"ACCEPT",
			"SEND",
		],
		["A mapped into AAAA", empty, aaaa("::ffff:1.1.1.1"), "NOT_PUBLIC", "BLOCKED_ADDRESS"],
		["NXDOMAIN", nxdomain, nxdomain, "DOES_NOT_RESOLVE", "CONNECTION_FAILED"],
		["no A and no AAAA", empty, { ...empty, Answer: [] }, "DOES_NOT_RESOLVE", "CONNECTION_FAILED"],
		[
			"a CNAME that leads nowhere",
			found(record(5, "gone.example.")),
			found(record(5, "gone.example.")),
			"DOES_NOT_RESOLVE",
			"CONNECTION_FAILED",
		],
		["SERVFAIL", servfail, servfail, "RESOLVER_UNAVAILABLE", "CONNECTION_FAILED"],
		["no answer in time", undefined, undefined, "RESOLVER_UNAVAILABLE", "CONNECTION_FAILED"],
		["A public, AAAA SERVFAIL", a("1.1.1.1"), servfail, "RESOLVER_UNAVAILABLE", "CONNECTION_FAILED"],
		["A SERVFAIL, AAAA public", servfail, aaaa("2606:4700:4700::1111"), "RESOLVER_UNAVAILABLE", "CONNECTION_FAILED"],
		["A private, AAAA SERVFAIL", a("10.0.0.1"), servfail, "NOT_PUBLIC", "BLOCKED_ADDRESS"],
		["A empty, AAAA without answer", empty, undefined, "RESOLVER_UNAVAILABLE", "CONNECTION_FAILED"],
		["only AAAA public", empty, aaaa("2606:4700:4700::1111"), "ACCEPT", "SEND"],
		["only A public, NXDOMAIN for AAAA", a("1.1.1.1"), nxdomain, "ACCEPT", "SEND"],
	] as const)("%s", (_, answerA, answerAaaa, registration, attempt) => {
		const verdict = resolve(answerA, answerAaaa);
		expect(AT_REGISTRATION[verdict]).toBe(registration);
		expect(AT_ATTEMPT[verdict]).toBe(attempt);
	});

	it("follows a name that moves into a private network and back", () => {
		const day = ["1.1.1.1", "10.0.0.5", "1.1.1.1"].map((address) => AT_ATTEMPT[resolve(a(address), empty)]);
		expect(day).toEqual(["SEND", "BLOCKED_ADDRESS", "SEND"]);
	});

	it("accepts a name that resolves into an allowed network", () => {
		const networks = parseNetworks("127.0.0.0/8") ?? [];
		expect(judgeResolution([readDnsAnswer(a("127.0.0.1")), readDnsAnswer(empty)], networks)).toBe("PUBLIC");
		expect(judgeResolution([readDnsAnswer(a("127.0.0.1")), readDnsAnswer(aaaa("::ffff:127.0.0.1"))], networks)).toBe("PRIVATE");
	});
});

describe("readDnsAnswer", () => {
	it("keeps addresses of both families for every question, and no other record", () => {
		const answer = readDnsAnswer(
			found(record(46, "signature"), record(1, "1.1.1.1"), record(28, "2606:4700:4700::1111"), record(5, "10.0.0.1")),
		);
		expect(answer).toEqual({ kind: "ADDRESSES", addresses: ["1.1.1.1", "2606:4700:4700::1111"] });
	});

	it.each([
		undefined,
		null,
		"",
		[],
		{},
		"1.1.1.1",
		{ Answer: [record(1, "1.1.1.1")] },
		{ Status: "0", Answer: [] },
		{ Status: 0, Answer: {} },
		{ Status: 0, Answer: [{ type: 1 }] },
		{ Status: 0, Answer: [null] },
		{ Status: 0, Answer: [record(1, "not an address")] },
		{ Status: 0, Answer: [record(1, "127.1")] },
		{ Status: 0, TC: true, Answer: [record(1, "1.1.1.1")] },
		{ Status: 1 },
		{ Status: 2 },
		{ Status: 5 },
		{ Status: 23 },
	])("takes %j for no answer, and never for a private address", (json) => {
		expect(readDnsAnswer(json)).toEqual({ kind: "FAILURE" });
	});
});
