// What a text that somebody looks for may be, as people type it.

import { folded } from "../../shared/folded";
import { visibleKey } from "../../shared/visible-key";
import { isAccountNumber } from "../credit-accounts/account-number.policy";
import { isE164, SERVED_CODES, toServedNumber } from "../users/model/phone.policy";

export type Readings = {
	readonly tag: string | undefined;
	/** In E.164 form: without a country's code it may be a number of each country that is served. */
	readonly mobileNumbers: readonly string[];
	readonly accountNumber: string | undefined;
	readonly email: string | undefined;
	/** The beginning of a name, folded. */
	readonly name: string | undefined;
	/** Of a payment or an invoice, as such are compared. */
	readonly reference: string | undefined;
};

export function readingsOf(text: string): Readings {
	const typed = text.trim();
	const digits = typed.replaceAll(/[\s().-]/g, "");
	const isNumber = /^\+?\d{7,15}$/.test(digits);
	const email = /^[^\s@]+@[^\s@]+$/.test(typed) ? typed.toLowerCase() : undefined;
	const name = folded(typed);
	return {
		tag: /^@\S{2,}$/.test(typed) ? typed.toLowerCase() : undefined,
		mobileNumbers: isNumber ? mobileNumbersOf(digits) : [],
		accountNumber: isAccountNumber(digits) ? digits : undefined,
		email,
		name: /^\p{L}/u.test(name) && name.length > 1 && !email ? name : undefined,
		reference: email ? undefined : visibleKey(typed),
	};
}

function mobileNumbersOf(digits: string): readonly string[] {
	const international = `+${digits.replace(/^(?:\+|00)/, "")}`;
	const national = digits.startsWith("+") ? [] : SERVED_CODES.flatMap((code) => toServedNumber(code, digits) ?? []);
	return [...new Set([...(isE164(international) ? [international] : []), ...national])];
}
