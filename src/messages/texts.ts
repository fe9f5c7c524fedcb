// Texts for people, in their language.

import { decimalsOf } from "../shared/currency";
import { DEFAULT_LOCALE, LOCALES, type Locale } from "../shared/locale";
import { am } from "./am";
import { type Catalogue, type Kinds, MESSAGES, type Message, type MessageKey, PERSONAL_REFUSALS, type PersonalRefusal } from "./catalogue";
import { en } from "./en";
import { fr } from "./fr";
import { filled, namesIn, PatternFault, readPattern } from "./pattern";
import { pt } from "./pt";
import { sw } from "./sw";

export const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { en, sw, fr, pt, am };

/** How each language writes numbers and dates where it is spoken. */
const REGIONS: Readonly<Record<Locale, string>> = { en: "en-GB", sw: "sw-KE", fr: "fr-FR", pt: "pt-MZ", am: "am-ET" };

/** More of an `Accept-Language` is no person's choice. */
const LONGEST_HEADER = 200;

/** The first language of an `Accept-Language` that there are texts in, by the weights of RFC 9110; undefined for none. */
export function chosenLocale(header: string | undefined): Locale | undefined {
	const wanted = (header ?? "")
		.slice(0, LONGEST_HEADER)
		.split(",")
		.map((range) => {
			const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
			const weight = parameters.map((one) => /^\s*q=(\d(?:\.\d{0,3})?)$/.exec(one)?.[1]).find((one) => one !== undefined);
			return { language: tag.split("-")[0], weight: Number(weight ?? 1) };
		})
		.filter(({ weight }) => weight > 0)
		.toSorted((one, other) => other.weight - one.weight);
	for (const { language } of wanted) {
		const locale = LOCALES.find((one) => one === language);
		if (locale) return locale;
	}
	return undefined;
}

export const localeOf = (header: string | undefined): Locale => chosenLocale(header) ?? DEFAULT_LOCALE;

/** What is known of somebody's language: their choice, and the language that is theirs without a choice. */
export type Known = { readonly locale: Locale | null; readonly usualLocale: Locale | null };

/** The language of what is shown to somebody in answer to a request, which may ask for one. */
export const shownIn = (known: Known | undefined, asked: Locale | undefined): Locale =>
	known?.locale ?? asked ?? known?.usualLocale ?? DEFAULT_LOCALE;

const isPersonal = (reason: string): reason is PersonalRefusal => PERSONAL_REFUSALS.some((one) => one === reason);

/** The message to the user about a refusal, by the first of its reasons that they can do something about; undefined for none. */
export function refusalText(locale: Locale, reasons: readonly string[], sum?: Kinds["sum"]): string | undefined {
	const reason = reasons.find(isPersonal);
	if (reason === undefined) return undefined;
	const text = CATALOGUES[locale].refusals[reason];
	if (sum) return text.replace("{sum}", () => sumIn(locale, sum));
	return text.includes("{sum}") ? undefined : text;
}

/** What a push says. */
export const newMessageText = (locale: Locale): string => CATALOGUES[locale].newMessage;

/** How to repay an account by M-Pesa. */
export const payBillText = (locale: Locale, shortcode: string, account: string): string =>
	CATALOGUES[locale].payBill.replace("{shortcode}", shortcode).replace("{account}", account);

/** An SMS with one of these spaces has less than half the room. */
const withPlainSpaces = (text: string): string => text.replaceAll(/[\u00a0\u2009\u202f]/g, " ");

/** An amount with its currency: `KES 71,007.25`. */
export function sumIn(locale: Locale, { amount, currency }: Kinds["sum"]): string {
	const decimals = decimalsOf(currency);
	const fraction = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
	const format = new Intl.NumberFormat(REGIONS[locale], { style: "currency", currency, currencyDisplay: "code", ...fraction });
	// As a text, because a fraction that is a number is rounded.
	const units = `${amount}E-${decimals}` as `${number}`;
	return withPlainSpaces(format.format(units));
}

export const momentIn = (locale: Locale, moment: number): string => {
	const day = { day: "numeric", month: "long", year: "numeric" } as const;
	const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC", timeZoneName: "short" } as const;
	return withPlainSpaces(new Intl.DateTimeFormat(REGIONS[locale], { ...day, ...time }).format(moment));
};

/** An amount without its currency. */
export function amountIn(locale: Locale, { amount, currency }: Kinds["sum"]): string {
	const decimals = decimalsOf(currency);
	const format = new Intl.NumberFormat(REGIONS[locale], { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
	return withPlainSpaces(format.format(`${amount}E-${decimals}` as `${number}`));
}

/** A day of the calendar. */
export const dayIn = (locale: Locale, day: string, month: "short" | "long"): string =>
	withPlainSpaces(
		new Intl.DateTimeFormat(REGIONS[locale], { day: "numeric", month, year: "numeric", timeZone: "UTC" }).format(Date.parse(day)),
	);

/** Who a message comes from, and how they say it. */
export type Sender = {
	/** The lender's name; undefined for somebody who is no lender's customer. */
	readonly lender?: string | undefined;
	/** Their own text in place of the catalogue's. */
	readonly own?: string | undefined;
};

/** The text of a message. */
export function messageText(locale: Locale, { key, values }: Message, { lender, own }: Sender): string {
	const { messages, from } = CATALOGUES[locale];
	const text = own ?? messages[key];
	const kinds: { readonly [name: string]: keyof Kinds } = MESSAGES[key];
	const given = (name: string): unknown => (values as { readonly [name: string]: unknown })[name];
	const shown = (name: string): string => {
		const value = given(name);
		switch (kinds[name]) {
			case "sum":
				return sumIn(locale, value as Kinds["sum"]);
			case "moment":
				return momentIn(locale, value as number);
			case "number":
				return withPlainSpaces(new Intl.NumberFormat(REGIONS[locale]).format(value as number));
			default:
				return name === "lender" ? (lender ?? "") : String(value);
		}
	};
	const counted = (name: string) => Number(given(name));
	const said = filled(readPattern(text), { shown, counted, rules: new Intl.PluralRules(locale) });
	return lender === undefined || text.includes("{lender}") ? said : `${from.replace("{lender}", () => lender)}${said}`;
}

/** What is wrong with a text in place of the catalogue's; undefined for nothing. */
export function faultOfText(key: MessageKey, text: string): string | undefined {
	try {
		const names = namesIn(readPattern(text));
		const places = placesOf(key);
		const unknown = [...names].find((name) => !places.includes(name));
		if (unknown !== undefined)
			return `has {${unknown}}, which this message is not filled with: there are ${places.map((name) => `{${name}}`).join(", ")}`;
		const missing = Object.keys(MESSAGES[key]).find((name) => !names.has(name));
		return missing === undefined ? undefined : `must have {${missing}}`;
	} catch (error) {
		if (error instanceof PatternFault) return error.message;
		throw error;
	}
}

/** The places that a text of this message may have. */
export const placesOf = (key: MessageKey): readonly string[] => [...Object.keys(MESSAGES[key]), "lender"];
