// Which entries of the index answer a question, the best first.

import type { Entry } from "../search-index";

/** Words of questions that say nothing about what is asked for. */
const EMPTY = new Set(
	"a an the i we you my our how do does did can could is are was be what when where why who which to of in on at for from with and or it its this that mean means there may should would about".split(
		" ",
	),
);

/** What people say, with the words of these pages for it. */
const SAID: readonly (readonly [said: RegExp, here: string])[] = [
	[/\bpaginat\w*/g, "paging"],
	[/\b(?:stk|lipa na mpesa|sim toolkit)(?: push)?\b/g, "prompt phone"],
	[/\b(?:webhook|signing) (?:secret|key)s?\b/g, "webhook secret rotate"],
	[/\b(?:log|sign)[ -]?(?:in|on)\b|\blogin\b/g, "sign"],
	[/\b(?:log|sign)[ -]?(?:out|off)\b|\blogout\b/g, "sign out"],
	[/\botps?\b/g, "one time password"],
	[/\blanguages?\b|\btranslat\w*/g, "locale texts"],
	[/\bgdpr\b|\b(?:right to be forgotten|data subject)\b/g, "erasure export"],
	[/\bpay ?bill\b|\bshort ?code\b/g, "payment_instructions pay"],
	[/\bdisburse?ments?\b/g, "disbursement payout"],
	[/\b(?:white|allow) ?list\w*/g, "allowlist addresses"],
	[/\brate ?limit\w*|\bthrottl\w*/g, "limits ratelimit"],
	[/\b(?:postman|insomnia|swagger)\b/g, "openapi document"],
	[/\boffline\b/g, "without network"],
	[/\bpush notifications?\b|\bfcm\b|\bapns\b/g, "push device"],
	[/\btest mode\b/g, "sandbox"],
];

const inWordsOfThese = (question: string): string =>
	SAID.reduce((text, [said, here]) => text.replaceAll(said, here), question.toLowerCase());

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9_.]+/g) ?? [];

/** What the word begins with in its other forms: rotates, rotating and rotation begin with rotat. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ies|ing|ed|es|e|s|y)$/, "") : word.replace(/s$/, ""));

const FIELDS = [
	[1, 12],
	[3, 4],
	[4, 2],
] as const;

/** Guides explain, so that they go before what they explain. */
const KINDS: Readonly<Record<string, number>> = { Guide: 1.5, Error: 1.2, Operations: 1.2, Roles: 1.2, Model: 0.7 };

export function ranked(index: readonly Entry[], question: string, most = 8): Entry[] {
	const asked = wordsOf(inWordsOfThese(question));
	const telling = asked.filter((word) => !EMPTY.has(word));
	const terms = (telling.length > 0 ? telling : asked).map((word, place, all) => ({
		word,
		stem: stem(word),
		last: place === all.length - 1,
	}));
	if (terms.length === 0) return [];
	const prepared = index.map((entry) => ({
		entry,
		fields: FIELDS.map(([place, weight]) => ({ weight, words: wordsOf(entry[place]).flatMap(parts) })),
	}));
	const scores = terms.map((term) =>
		prepared.map(({ fields }) =>
			Math.max(...fields.map(({ weight, words }) => weight * Math.max(0, ...words.map((word) => likeness(word, term))))),
		),
	);
	// A word that few entries have ranks higher.
	const rarity = scores.map((some) => Math.log(1 + index.length / (1 + some.filter((score) => score > 0).length)));
	return prepared
		.map(({ entry }, place) => {
			const found = scores.map((some, term) => (some[place] ?? 0) * (rarity[term] ?? 0));
			const share = found.filter((score) => score > 0).length / terms.length;
			const whole = entry[1].toLowerCase() === question.trim().toLowerCase() ? 100 : 0;
			return { entry, score: whole + found.reduce((sum, score) => sum + score, 0) * share ** 2 * (KINDS[entry[0]] ?? 1) };
		})
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.slice(0, most)
		.map(({ entry }) => entry);
}

/** `loan.disbursed` and `INVALID_STATE` are found by their parts too. */
const parts = (word: string): string[] => [word, ...(/[._]/.test(word) ? word.split(/[._]/) : [])];

function likeness(word: string, term: { word: string; stem: string; last: boolean }): number {
	if (word === term.word) return 1;
	if (stem(word) === term.stem) return 0.9;
	// A text that is being typed is a beginning.
	return term.last && term.word.length > 1 && word.startsWith(term.word) ? 0.6 : 0;
}
