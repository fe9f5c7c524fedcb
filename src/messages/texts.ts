// Texts for people, in their language.

import { amountText } from "../shared/currency";
import { am } from "./am";
import { type Catalogue, PERSONAL_REFUSALS, type PersonalRefusal } from "./catalogue";
import { en } from "./en";
import { fr } from "./fr";
import { pt } from "./pt";
import { sw } from "./sw";

export const LOCALES = ["en", "sw", "fr", "pt", "am"] as const;
export type Locale = (typeof LOCALES)[number];

export const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { en, sw, fr, pt, am };

export const DEFAULT_LOCALE: Locale = "en";

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

type Sum = { readonly amount: number; readonly currency: string };

const isPersonal = (reason: string): reason is PersonalRefusal => PERSONAL_REFUSALS.some((one) => one === reason);

/** What the user is told of a refusal, by the first of its reasons that they can do something about; undefined for none. */
export function refusalText(locale: Locale, reasons: readonly string[], sum?: Sum): string | undefined {
	const reason = reasons.find(isPersonal);
	if (reason === undefined) return undefined;
	const text = CATALOGUES[locale].refusals[reason];
	if (sum) return text.replace("{sum}", `${sum.currency} ${amountText(sum.amount, sum.currency)}`);
	return text.includes("{sum}") ? undefined : text;
}

/** How to repay an account by M-Pesa. */
export const payBillText = (locale: Locale, shortcode: string, account: string): string =>
	CATALOGUES[locale].payBill.replace("{shortcode}", shortcode).replace("{account}", account);

type Code = { readonly code: string; readonly minutes: number; readonly lender?: string | undefined };

/** What goes to a phone or mail box with a one-time password. */
export function codeText(locale: Locale, { code, minutes, lender }: Code): string {
	const { code: alone, codeOfLender } = CATALOGUES[locale];
	const forms = lender === undefined ? alone : codeOfLender;
	const values: Readonly<Record<string, string>> = { code, minutes: String(minutes), lender: lender ?? "" };
	const text = forms[new Intl.PluralRules(locale).select(minutes)] ?? forms.other;
	return text.replaceAll(/{(\w+)}/g, (_, name: string) => values[name] ?? "");
}
