// By what a person is found in what is stored.

import { subjectOf } from "../../shared/named-persons";

/** As it is kept, encrypted, until the erasure is done. */
export type Marks = {
	/** E.164. */
	readonly numbers: readonly string[];
	readonly mails: readonly string[];
	readonly names: readonly string[];
	readonly identities: readonly { readonly issuer: string; readonly subject: string }[];
	readonly tag: string;
};

/** The same, with the forms in which other things write it. */
export type Person = Marks & {
	readonly userId: string;
	/** false: nobody knows the marks any more, so that the person is found by their id alone. */
	readonly isKnown: boolean;
	/** Numbers with their plus, without it and as they are dialled at home, and mail addresses. */
	readonly addresses: readonly string[];
	/** The directory's names of the numbers and identities. */
	readonly phones: readonly string[];
	readonly identityNames: readonly string[];
};

export const unique = (texts: readonly (string | null | undefined)[]): string[] => [
	...new Set(texts.filter((text): text is string => typeof text === "string" && text !== "")),
];

export const addressesOf = ({ numbers, mails }: Pick<Marks, "numbers" | "mails">): string[] =>
	unique([...numbers.flatMap(formsOfNumber), ...mails.flatMap((mail) => [mail, mail.toLowerCase()])]);

/** Of `+254712345678`: itself, `254712345678` and `0712345678`. */
const formsOfNumber = (number: string): (string | undefined)[] => {
	const [, atHome] = /^\+\d{3}(\d{9})$/.exec(number) ?? [];
	return [number, number.replace(/^\+/, ""), atHome && `0${atHome}`];
};

/** As it is compared with what somebody has typed. */
export const compactOf = (text: string): string => text.replaceAll(/[\s-]/g, "").toLowerCase();

/** Also numbers as they are dialled at home, without their zero. */
export const typedForms = ({ addresses }: Pick<Person, "addresses">): string[] =>
	addresses.flatMap((address) => (/^0\d{9}$/.test(address) ? [address.slice(1)] : [compactOf(address)]));

const isAccount = (compact: string): boolean => /^[1-5]\d{12}$/.test(compact);

/** Whether a text that was typed where an account's number belongs names the person. */
export function isTypedOf({ addresses, names }: Pick<Person, "addresses" | "names">, text: string): boolean {
	const typed = compactOf(text);
	if (isAccount(typed)) return false;
	return names.some((name) => compactOf(name) === typed) || typedForms({ addresses }).some((form) => typed.includes(form));
}

/** All by which the person may have been named in what was written before. `hashes`: of the digits of their numbers. */
export const subjectsOf = ({ userId, addresses, names, identities }: Person, hashes: readonly string[]): string[] => [
	...new Set([userId, ...addresses, ...names, ...identities.map(({ subject }) => subject), ...hashes].map(subjectOf)),
];
