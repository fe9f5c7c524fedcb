// By what a person is found in what is stored.

import { compactOf, isAccountNumber, type Subjects, subjectOf, TYPED_SUBJECT } from "../../shared/named-persons";

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

type Typing = Pick<Person, "addresses" | "names">;

/** By which a text that somebody typed names the person, if it is nothing else: their names. */
export const typedWhole = ({ names }: Typing): string[] => names.map(compactOf);

/** Names that no other name has in it by chance: two words or more of three letters each. Blanks are not compared, so "Ann A" is in "Joanna". */
const isLongName = (name: string): boolean => {
	const words = name.trim().split(/[\s-]+/);
	return words.length > 1 && words.every((word) => (word.match(/\p{L}/gu)?.length ?? 0) >= 3) && compactOf(name).length >= 8;
};

/** By which it does so next to other words: numbers, also as they are dialled at home without the zero, mail addresses, and long names. */
export const typedParts = ({ addresses, names }: Typing): string[] =>
	addresses
		.map((address) => (/^0\d{9}$/.test(address) ? address.slice(1) : compactOf(address)))
		.concat(names.filter(isLongName).map(compactOf));

/** Whether a text that was typed where an account's number belongs names the person. */
export function isTypedOf(person: Typing, text: string): boolean {
	const typed = compactOf(text);
	if (isAccountNumber(typed)) return false;
	return typedWhole(person).includes(typed) || typedParts(person).some((part) => typed.includes(part));
}

/** All by which the person may have been named in what was written before. `hashes`: of the digits of their numbers. */
export function subjectsOf(person: Person, hashes: readonly string[]): Subjects {
	const { userId, addresses, names, identities } = person;
	const whole = [userId, ...addresses, ...names, ...identities.map(({ subject }) => subject), ...hashes].map(subjectOf);
	const typed = typedWhole(person).map((name) => `${TYPED_SUBJECT}${name} `);
	return { whole: [...new Set(whole)], typedParts: [...typedParts(person), ...typed, ` ${userId}`] };
}
