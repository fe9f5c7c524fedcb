// What the console believes of an issuer's answers, and of another tab's session.

import { describe, expect, it } from "vitest";
import {
	endpointsOf,
	isAnswerOf,
	isMadeFor,
	isOf,
	isSamePerson,
	mayReplace,
	organizationKept,
	secondsOf,
} from "../../src/console/trust.ts";

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

const token = (claims: object) => `e30.${btoa(JSON.stringify(claims)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")}.x`;

it("an answer of another issuer than the asked one is known by its iss", () => {
	expect(isOf(ISSUER.issuer, "https://operators.example")).toBe(true);
	expect(isOf(ISSUER.issuer, "https://lender.example")).toBe(false);
});

it("an answer is the issuer's that was asked if it comes to that issuer's own address, and names no other", () => {
	const asked = { issuer: ISSUER.issuer, return_path: "/console/signed-in/operators.example" };
	const answer = { path: asked.return_path, iss: null };
	expect(isAnswerOf(asked, answer)).toBe(true);
	expect(isAnswerOf(asked, { ...answer, iss: "https://operators.example" })).toBe(true);
	expect(isAnswerOf(asked, { ...answer, iss: "https://lender.example" })).toBe(false);
	expect(isAnswerOf(asked, { iss: null, path: "/console/signed-in/lender.example" })).toBe(false);
});

it("an ID token is of this sign-in by its nonce and its issuer", () => {
	const signIn = { issuer: ISSUER.issuer, nonce: "n-1" };
	expect(isMadeFor(token({ iss: "https://operators.example", sub: "olga", nonce: "n-1" }), signIn)).toBe(true);
	for (const claims of [
		{ iss: "https://operators.example", sub: "olga" },
		{ iss: "https://operators.example", sub: "olga", nonce: "n-2" },
		{ iss: "https://lender.example", sub: "olga", nonce: "n-1" },
		{ sub: "olga", nonce: "n-1" },
	])
		expect(isMadeFor(token(claims), signIn)).toBe(false);
	expect(isMadeFor("opaque", signIn)).toBe(false);
});

it("a token says how long it was made for, independent of this machine's clock", () => {
	expect(secondsOf(token({ iat: 1_000, exp: 4_600 }))).toBe(3_600);
	for (const claims of [{ exp: 4_600 }, { iat: 1_000 }, { iat: "1000", exp: 4_600 }]) expect(secondsOf(token(claims))).toBeUndefined();
});

describe("the session of another tab", () => {
	const alice = token({ iss: "https://service.example", sub: "alice", exp: 1 });

	it("is the same person's by issuer and subject, with any other claims", () => {
		expect(isSamePerson(alice, token({ iss: "https://service.example", sub: "alice", exp: 2 }))).toBe(true);
		expect(isSamePerson(alice, token({ iss: "https://service.example", sub: "bob", exp: 2 }))).toBe(false);
		expect(isSamePerson(alice, token({ iss: "https://another.example", sub: "alice" }))).toBe(false);
	});

	it("is nobody's that is known when a token cannot be read", () => {
		for (const unread of ["opaque", "a.b.c", token({ iss: "https://service.example" })]) expect(isSamePerson(unread, unread)).toBe(false);
	});
});

describe("a sign-in during an existing session", () => {
	const signed = (sub: string, n = 1) => ({ token: token({ iss: "https://login.example", sub, n }) });
	const olga = { ...signed("olga"), organization: "pwani" };

	it("keeps the organization that the same person had chosen", () => {
		expect(organizationKept(olga, signed("olga", 2))).toBe("pwani");
		expect(organizationKept(olga, signed("grace"))).toBeUndefined();
		expect(organizationKept(undefined, signed("olga"))).toBeUndefined();
	});

	it("replaces nobody else when it comes after it was given up", () => {
		expect(mayReplace(undefined, signed("grace"))).toBe(true);
		expect(mayReplace(olga, signed("olga", 2))).toBe(true);
		expect(mayReplace(olga, signed("grace"))).toBe(false);
		expect(mayReplace({ token: "opaque" }, signed("grace"))).toBe(false);
	});
});
