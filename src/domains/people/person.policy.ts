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
	/** Numbers with their plus and without, and mail addresses. */
	readonly addresses: readonly string[];
	/** The directory's names of the numbers and identities. */
	readonly phones: readonly string[];
	readonly identityNames: readonly string[];
};

export const unique = (texts: readonly (string | null | undefined)[]): string[] => [
	...new Set(texts.filter((text): text is string => typeof text === "string" && text !== "")),
];

export const addressesOf = ({ numbers, mails }: Pick<Marks, "numbers" | "mails">): string[] =>
	unique([...numbers, ...numbers.map((number) => number.replace(/^\+/, "")), ...mails, ...mails.map((mail) => mail.toLowerCase())]);

/** All by which the person may have been named in what was written before. `hashes`: of the digits of their numbers. */
export const subjectsOf = ({ userId, addresses, names, identities }: Person, hashes: readonly string[]): string[] => [
	...new Set([userId, ...addresses, ...names, ...identities.map(({ subject }) => subject), ...hashes].map(subjectOf)),
];
