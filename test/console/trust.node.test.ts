// What the console believes of an issuer's answers, and of another tab's session.

import { describe, expect, it } from "vitest";
import { endpointsOf, isOf, isSamePerson } from "../../src/console/trust.ts";

const ISSUER = { issuer: "https://operators.example/", origins: ["https://login.example"] };
const ENDPOINTS = { authorization_endpoint: "https://login.example/auth", token_endpoint: "https://operators.example/token" };

describe("a discovery document", () => {
	it("is believed when it names the issuer that was asked, with or without a slash at the end", () => {
		for (const issuer of ["https://operators.example/", "https://operators.example"])
			expect(endpointsOf(ISSUER, { issuer, ...ENDPOINTS })).toEqual(ENDPOINTS);
	});

	it("is not when it names another issuer or none, or addresses elsewhere", () => {
		expect(endpointsOf(ISSUER, { issuer: "https://lender.example", ...ENDPOINTS })).toBeUndefined();
		expect(endpointsOf(ISSUER, ENDPOINTS)).toBeUndefined();
		expect(endpointsOf(ISSUER, { issuer: ISSUER.issuer, ...ENDPOINTS, token_endpoint: "https://lender.example/token" })).toBeUndefined();
	});
});

it("an answer of another issuer than the one that was asked is known by its iss", () => {
	expect(isOf(ISSUER.issuer, "https://operators.example")).toBe(true);
	expect(isOf(ISSUER.issuer, "https://lender.example")).toBe(false);
});

describe("the session of another tab", () => {
	const token = (claims: object) => `e30.${btoa(JSON.stringify(claims)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")}.x`;
	const alice = token({ iss: "https://service.example", sub: "alice", exp: 1 });

	it("is the same person's by issuer and subject, whatever else the tokens say", () => {
		expect(isSamePerson(alice, token({ iss: "https://service.example", sub: "alice", exp: 2 }))).toBe(true);
		expect(isSamePerson(alice, token({ iss: "https://service.example", sub: "bob", exp: 2 }))).toBe(false);
		expect(isSamePerson(alice, token({ iss: "https://another.example", sub: "alice" }))).toBe(false);
	});

	it("is nobody's that is known when a token cannot be read", () => {
		for (const unread of ["opaque", "a.b.c", token({ iss: "https://service.example" })]) expect(isSamePerson(unread, unread)).toBe(false);
	});
});
