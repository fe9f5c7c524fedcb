// An account number names its home and shows a mistyped digit.

import { describe, expect, it } from "vitest";
import { accountNumberOf, homeOfAccountNumber, isAccountNumber } from "../../../src/domains/credit-accounts/account-number.policy";

describe("an account number", () => {
	it("is four digits for the home, eight digits and their Luhn check digit", () => {
		expect(accountNumberOf(0, "12345678")).toBe("1000123456781");
		expect(accountNumberOf(4095, "12345678")).toMatch(/^509512345678\d$/);
	});

	it.each([0, 63, 4095])("names its home, %i", (home) => {
		expect(homeOfAccountNumber(accountNumberOf(home, "00000000"))).toBe(home);
	});

	it("detects every single mistyped digit", () => {
		const number = accountNumberOf(402, "91377560");
		expect(isAccountNumber(number)).toBe(true);
		for (let at = 0; at < number.length; at++) {
			for (const digit of "0123456789") {
				if (digit !== number[at]) expect(isAccountNumber(number.slice(0, at) + digit + number.slice(at + 1))).toBe(false);
			}
		}
	});

	it.each(["", "123", "abcdefghijk", "79927398713", "7992739871300"])("is not %j", (text) => {
		expect(isAccountNumber(text)).toBe(false);
	});
});
