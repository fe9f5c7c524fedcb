// Persons who are named in texts: by ids, the digits of numbers, mail addresses, and names.

/** What stands where something of a person stood. */
export const ERASED = "[erased]";

/** Whose keys it takes to read one text. */
const MOST_FOUND = 50;

/** One form of it, however it is written. */
export const subjectOf = (text: string): string =>
	text
		.trim()
		.replace(/^\+(?=\d)/, "")
		.toLowerCase();

const NUMBER = /(?<![\w.@+-])\+?\d{9,15}(?![\w@-])/g;
/** What may be a mail address. A pattern with the @ in it would look for one from each letter of a long text. */
const WORD = /[^\s"'<>(),;:\\]+/g;
/** A JSON number is none of a phone. */
const AMOUNT = /":\s*$/;
const NAME = /"\w*(?:[nN]ame|subject)"\s*:\s*"((?:[^"\\]|\\.)+)"/g;
/** Typed by a payer instead of the number of an account. */
const TYPED = /"account_reference"\s*:\s*"([^"\\]+)"/g;

/** The name or number that was typed, numbers without the gaps in them; undefined where it is neither. */
function typedSubject(text: string): string | undefined {
	if (!/\d/.test(text)) return subjectOf(text.replaceAll(/\s+/g, " "));
	const compact = text.replaceAll(/[\s-]/g, "");
	return /^\+?\d{9,12}$/.test(compact) ? subjectOf(compact) : undefined;
}

/** As a text that somebody has typed is compared with others. */
export const compactOf = (text: string): string => text.normalize("NFKC").replaceAll(/[\s-]/g, "").toLowerCase();

/** The number of an account names nobody, also with such digits in it. */
export const isAccountNumber = (compact: string): boolean => /^[1-5]\d{12}$/.test(compact);

/** Before what is sealed under a text that a payer typed instead of an account's number, so that keys of these are found by a part of it. */
export const TYPED_SUBJECT = "typed:";

/** By what keys are found: whole subjects, and parts of what payers typed. */
export type Subjects = { readonly whole: readonly string[]; readonly typedParts: readonly string[] };

/**
 * Whom such a text names: nobody, where it is the number of an account.
 * @param userId of whose loan it was typed; the same text of another has another key
 */
export function subjectOfTyped(text: string, userId = ""): string | undefined {
	const compact = compactOf(text);
	return compact === "" || isAccountNumber(compact) ? undefined : `${TYPED_SUBJECT}${compact} ${userId}`;
}

/** The mail address that a word is: the word without dots at its end. */
function mailOf(word: string): string | undefined {
	let { length } = word;
	while (word[length - 1] === ".") length--;
	const at = word.indexOf("@", 1);
	return at !== -1 && at < length - 1 ? word.slice(0, length) : undefined;
}

const USER = /"\w*[uU]ser_?[iI]d"\s*:\s*"([0-9a-f-]{36})"/g;

const NUMBER_WITH_GAPS = /(?<![\w.@+-])\+?\d(?:[ -]?\d){8,14}(?![\w@-])/g;

/** A provider's words, such as the reason of a failure, without the numbers and mail addresses in them. */
export const withoutAddresses = (text: string): string =>
	text
		.replaceAll(WORD, (word) => {
			const mail = mailOf(word);
			return mail === undefined ? word : ERASED + word.slice(mail.length);
		})
		.replaceAll(NUMBER_WITH_GAPS, ERASED);

const JSON_TEXT = /^\s*[[{]/;
/** Strings of JSON, the last one also where the text is cut off; those before a colon are names of members. */
const STRING = /"((?:[^"\\]|\\.?)*)(?:"|$)(\s*:)?/gs;
/** Ids, instants, amounts and states. */
const OF_NOBODY = /^(?:[0-9a-f-]{36}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|-?\d{0,8}|[A-Z][A-Z_]*)$/;

/**
 * Who is named in the text, and what of it is left without them: of JSON all but words, of other texts nothing.
 * @param isPersonal whether it is known to name somebody
 */
export function namedIn(text: string, isPersonal = false): { readonly subjects: readonly string[]; readonly without: string } {
	const subjects = new Set<string>();
	const add = (found = ""): void => {
		const subject = subjectOf(found);
		if (subject !== "" && subjects.size < MOST_FOUND) subjects.add(subject);
	};
	for (const [, name] of text.matchAll(NAME)) add(name);
	for (const [, typed = ""] of text.matchAll(TYPED)) add(typedSubject(typed));
	for (const { 0: found, index } of text.matchAll(NUMBER)) if (!AMOUNT.test(text.slice(Math.max(0, index - 8), index))) add(found);
	for (const [word] of text.matchAll(WORD)) add(mailOf(word));
	const isNamed = isPersonal || subjects.size > 0;
	for (const [, userId = ""] of text.matchAll(USER)) add(userId);
	if (!isNamed) return { subjects: [...subjects], without: text };
	const erased = (whole: string, value: string, colon?: string) => (colon || OF_NOBODY.test(value) ? whole : JSON.stringify(ERASED));
	return { subjects: [...subjects], without: JSON_TEXT.test(text) ? text.replace(STRING, erased) : ERASED };
}
