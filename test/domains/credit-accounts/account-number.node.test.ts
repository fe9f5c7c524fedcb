import { describe, expect, it } from "vitest";
import { accountNumberOf, isAccountNumber } from "../../../src/domains/credit-accounts/account-number.policy";

describe("an account number", () => {
	it("ends in the Luhn check digit of the first ten digits", () => {
		expect(accountNumberOf("7992739871")).toBe("79927398713");
	});

	it("detects every single mistyped digit", () => {
		const number = accountNumberOf("4029137756");
		expect(isAccountNumber(number)).toBe(true);
		for (let at = 0; at < number.length; at++) {
			for (const digit of "0123456789") {
				if (digit !== number[at]) expect(isAccountNumber(number.slice(0, at) + digit + number.slice(at + 1))).toBe(false);
			}
		}
	});

	it.each(["", "123", "abcdefghijk", "799273987130"])("is not %j", (text) => {
		expect(isAccountNumber(text)).toBe(false);
	});
});
