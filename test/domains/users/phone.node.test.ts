// How country codes and national numbers become E.164.

import { expect, it } from "vitest";
import { isE164, toServedNumber } from "../../../src/domains/users/model/phone.policy";

it.each(["+254712345678", "+256772123456", "+255754123456", "+250788123456", "+251911234567", "+4915123456789", "+14155550123"])(
	"reads %s as E.164",
	(text) => expect(isE164(text)).toBe(true),
);

it.each([
	"0712345678",
	"254712345678",
	"+254 712345678",
	"+0712345678",
	"+254712",
	"+4407911123456",
	"+254712345678901",
	"+999712345678",
	"+25471234567x",
	"",
	"+",
])("the rule does not accept %j as E.164", (text) => expect(isE164(text)).toBe(false));

it.each<[string, string, string | undefined]>([
	["254", "0712345678", "+254712345678"],
	["+254", "712 345 678", "+254712345678"],
	["256", "(0772) 123-456", "+256772123456"],
	["255", "0754123456", "+255754123456"],
	["250", "788123456", "+250788123456"],
	["251", "0911234567", "+251911234567"],
	["254", "+254712345678", "+254712345678"],
	["+254", "+254 712 345678", "+254712345678"],
	["254", "+256772123456", undefined],
	["254", "++254712345678", undefined],
	["254", "12", undefined],
	["0254", "712345678", undefined],
	["1", "4155550123", undefined],
	["44", "7911123456", undefined],
	["999", "712345678", undefined],
	// Premium, toll-free and fixed lines of the served countries.
	["254", "0900223456", undefined],
	["254", "0800223456", undefined],
	["254", "0202012345", undefined],
	["256", "0901123456", undefined],
	["256", "0800123456", undefined],
	["256", "0312345678", undefined],
	["255", "0900123456", undefined],
	["255", "0222345678", undefined],
	["255", "0840123456", undefined],
	["250", "900123456", undefined],
	["250", "250123456", undefined],
	["251", "0111112345", undefined],
])("normalizes country %s, number %s to %s", (code, number, expected) => {
	expect(toServedNumber(code, number)).toBe(expected);
});
