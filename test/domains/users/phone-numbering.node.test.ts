// The numbering plan that the service carries agrees with the whole metadata.

import { readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import metadata from "libphonenumber-js/metadata.mobile.json";
import { getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/mobile";
import examples from "libphonenumber-js/mobile/examples";
import { expect, it } from "vitest";
import { phoneNumbering } from "../../../src/dev/phone-numbering";
import { isE164, toServedNumber } from "../../../src/domains/users/model/phone.policy";

const served = { KE: "254", UG: "256", TZ: "255", RW: "250", ET: "251" } as const;
const digits = (range: { minLength: number; maxLength: number }) => fc.string({ unit: fc.constantFrom(..."0123456789"), ...range });

it("the table keeps the numbering that the installed metadata gives", () => {
	const file = path.resolve(import.meta.dirname, "../../../src/shared/phone-numbering.json");
	expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(phoneNumbering()));
});

it("accepts a mobile number of every country as E.164", () => {
	const countries = Object.keys(metadata.countries) as (keyof typeof examples)[];
	const numbers = countries.map((country) => getExampleNumber(country, examples)?.number ?? country);
	expect(numbers.length).toBeGreaterThan(200);
	expect(numbers.filter((number) => !isE164(number))).toEqual([]);
});

it("rejects a number that the whole metadata finds impossible", () => {
	const codes = [...Object.keys(metadata.country_calling_codes), ...Object.keys(metadata.nonGeographic)];
	const ambiguous = new Set(["290", "599"]); // countries that share a code but have other lengths
	void fc.assert(
		fc.property(fc.constantFrom(...codes.filter((code) => !ambiguous.has(code))), digits({ minLength: 2, maxLength: 14 }), (code, rest) => {
			const text = `+${code}${rest}`;
			if (isE164(text)) expect(parsePhoneNumberFromString(text)?.isPossible()).toBe(true);
		}),
		{ numRuns: 5_000 },
	);
});

it("the table reads the numbers of served countries as the whole metadata does", { tags: ["thorough"] }, () => {
	const national = fc.oneof(
		digits({ minLength: 4, maxLength: 13 }),
		fc.constantFrom("0", "").chain((trunk) => digits({ minLength: 9, maxLength: 9 }).map((rest) => trunk + rest)),
	);
	void fc.assert(
		fc.property(fc.constantFrom(...(Object.keys(served) as (keyof typeof served)[])), national, (country, number) => {
			const whole = parsePhoneNumberFromString(number, country);
			const expected = whole?.isValid() && whole.country === country && whole.getType() === "MOBILE" ? whole.number : undefined;
			return toServedNumber(served[country], number) === expected;
		}),
		{ numRuns: 5_000 },
	);
});
