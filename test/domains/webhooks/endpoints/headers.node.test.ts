// Which static headers are allowed, and how their values are masked.

import { describe, expect, it } from "vitest";
import { maskedValue, refusedHeaders } from "../../../../src/domains/webhooks/endpoints/headers.policy";

const refusals = (headers: Record<string, string>) => refusedHeaders(headers).map(({ refusal }) => refusal);

describe("the static headers of an endpoint", () => {
	it.each(["Authorization", "X-Tenant", "x_tenant", "Cookie", "!#$%&'*+-.^_`|~09azAZ", "a".repeat(100)])("may have the name %s", (name) => {
		expect(refusals({ [name]: "value" })).toEqual([]);
	});

	it.each(["", "X Tenant", "X-Tenant:", "X-Tenänt", "X\r\nY", '"X"', "(X)"])("must not have the malformed name %j", (name) => {
		expect(refusals({ [name]: "value" })).toEqual(["NAME_MALFORMED"]);
	});

	it.each([
		"X-Service-Signature",
		"x-service-anything",
		"webhook-id",
		"Webhook-Signature",
		"User-Agent",
		"Content-Type",
		"Content-Length",
		"Content-Encoding",
		"HOST",
		"Connection",
		"Keep-Alive",
		"Proxy-Authorization",
		"TE",
		"Trailer",
		"Transfer-Encoding",
		"Upgrade",
		"Expect",
		"CF-Connecting-IP",
	])("must not replace %s", (name) => {
		expect(refusals({ [name]: "value" })).toEqual(["NAME_RESERVED"]);
	});

	it("must not repeat a name in another case, or have one over 100 characters", () => {
		expect(refusedHeaders({ "X-Tenant": "a", "x-tenant": "b" })).toEqual([{ name: "x-tenant", refusal: "NAME_REPEATED" }]);
		expect(refusals({ ["a".repeat(101)]: "value" })).toEqual(["NAME_TOO_LONG"]);
	});

	it.each(["a", "Bearer abc.def", 'a, b; c="d"', "x".repeat(1_024)])("may have the value %s", (value) => {
		expect(refusals({ "X-Tenant": value })).toEqual([]);
	});

	it.each(["", " a", "a ", "a\r\nX-Other: b", "a\tb", "a\0b", "a\u007fb", "é", "€"])("must not have the value %j", (value) => {
		expect(refusals({ "X-Tenant": value })).toEqual(["VALUE_MALFORMED"]);
	});

	it("must not have a value over 1,024 characters", () => {
		expect(refusals({ "X-Tenant": "x".repeat(1_025) })).toEqual(["VALUE_TOO_LONG"]);
	});
});

it("masks a value, and masks a short one completely", () => {
	expect(maskedValue("0123456789abcdef")).toBe("...cdef");
	expect(maskedValue("0123456789abcde")).toBe("...");
});
