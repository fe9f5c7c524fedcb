// Which places a sum can be paid at, each for one reason that it cannot.

import { describe, expect, it } from "vitest";
import { firstFit, judge, type Places } from "../../../src/domains/disbursements/model/payout.policy";

const sum = { amount: 1_000, currency: "KES" };
const payee = {
	type: "SEND_MONEY",
	identifier: "+254711111111",
	isVerified: true,
	isBlocked: false,
	resolvedName: "Anna Wambui",
};
const wallet = { accountNumber: "1000", status: "ACTIVE", currency: "KES", room: 1_000 };
const places: Places = {
	userId: "u",
	mobileNumber: "+254712345678",
	numberIsNew: false,
	wallet,
	payee,
	ownName: "WAMBUI, Anna",
};

describe("a place", () => {
	it("that fits is named in the order as it is then", () => {
		const to = { userId: "u", mobileNumber: "+254712345678" };
		expect(judge("OWN_NUMBER", places, sum)).toEqual({ destination: { ...to, type: "OWN_NUMBER" } });
		const own = { type: "CURRENT_ACCOUNT", identifier: "1000", name: null };
		expect(judge("CURRENT_ACCOUNT", places, sum)).toEqual({ destination: { ...to, type: "CURRENT_ACCOUNT", account: own } });
		const account = { type: "SEND_MONEY", identifier: "+254711111111", name: "Anna Wambui" };
		expect(judge("PAYEE_ACCOUNT", places, sum)).toEqual({ destination: { ...to, type: "PAYEE_ACCOUNT", account } });
	});

	it.each<[string, "OWN_NUMBER" | "CURRENT_ACCOUNT" | "PAYEE_ACCOUNT", Partial<Places>]>([
		["a number that nobody has verified", "OWN_NUMBER", { mobileNumber: null }],
		["a number that is new", "OWN_NUMBER", { numberIsNew: true }],
		["no current account", "CURRENT_ACCOUNT", { wallet: undefined }],
		["one that is not active", "CURRENT_ACCOUNT", { wallet: { ...wallet, status: "FROZEN" } }],
		["one in another currency", "CURRENT_ACCOUNT", { wallet: { ...wallet, currency: "UGX" } }],
		["one without room for the last unit", "CURRENT_ACCOUNT", { wallet: { ...wallet, room: 999 } }],
		["no account of a payee", "PAYEE_ACCOUNT", { payee: undefined }],
		["one that is not verified", "PAYEE_ACCOUNT", { payee: { ...payee, isVerified: false } }],
		["one of a payee who is blocked", "PAYEE_ACCOUNT", { payee: { ...payee, isBlocked: true } }],
		["one inside the service", "PAYEE_ACCOUNT", { payee: { ...payee, type: "INTERNAL" } }],
		["one in another's name", "PAYEE_ACCOUNT", { payee: { ...payee, resolvedName: "Anna Otieno" } }],
		["one whose name nobody knows", "PAYEE_ACCOUNT", { payee: { ...payee, resolvedName: null } }],
		["one, where nobody knows the name of the borrower's own number", "PAYEE_ACCOUNT", { ownName: undefined }],
	])("does not fit: %s", (_, type, unlike) => {
		expect(judge(type, { ...places, ...unlike }, sum)).toEqual({ fault: expect.any(String) });
	});

	it("is the first fitting destination among the allowed ones", () => {
		const types = ["PAYEE_ACCOUNT", "OWN_NUMBER", "CURRENT_ACCOUNT"] as const;
		expect(firstFit(types, places, sum)?.type).toBe("PAYEE_ACCOUNT");
		expect(firstFit(types, { ...places, payee: undefined, numberIsNew: true }, sum)?.type).toBe("CURRENT_ACCOUNT");
		expect(firstFit(types, { ...places, payee: undefined, mobileNumber: null, wallet: undefined }, sum)).toBeUndefined();
	});
});
