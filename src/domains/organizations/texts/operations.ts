// The texts of messages to a lender's customers: the service's, or the lender's own in their place.

import * as z from "zod";
import { first } from "../../../db/reads";
import { memberOfPath, organizationPath } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { CUSTOMER_MESSAGES, type CustomerMessage, exampleOf } from "../../../messages/catalogue";
import { CATALOGUES, faultOfText, messageText, placesOf } from "../../../messages/texts";
import { bounded } from "../../../shared/bounded";
import { ApiError, InvalidInput } from "../../../shared/errors";
import { DEFAULT_LOCALE, LOCALES, type Locale } from "../../../shared/locale";
import { isShown, MUST_BE_SHOWN } from "../../../shared/shown-text";
import { findTexts, replaceTexts } from "./store";
import type { OwnTexts } from "./table";

/** About four SMS. */
const LONGEST = 500;

const Text = z.string().trim().min(1).max(LONGEST).refine(isShown, MUST_BE_SHOWN);

const Texts = z
	.object({
		locale: z.enum(LOCALES),
		default_locale: z.enum(LOCALES).nullable().meta({ description: "The language of customers whose own is not known; null for English" }),
		reviewed: z.boolean().meta({ description: "Whether somebody whose language it is has read the service's texts" }),
		texts: z.array(
			z.object({
				message: z.enum(CUSTOMER_MESSAGES),
				standard: z.string().meta({ description: "The service's text" }),
				own: z.string().nullable().meta({ description: "The lender's, in its place" }),
				placeholders: z
					.array(z.string())
					.meta({ description: "The values that the service fills in when it sends the text. All but `lender` must stand in it" }),
				preview: z.string().meta({ description: "As a customer reads it, with made-up values" }),
			}),
		),
	})
	.meta({ id: "OrganizationTexts" });

const TextsChange = z
	.strictObject({
		locale: z.enum(LOCALES),
		default_locale: z.enum(LOCALES).nullable().optional().meta({ description: "Stays as it is where it is left out" }),
		texts: bounded(z.partialRecord(z.enum(CUSTOMER_MESSAGES), Text), CUSTOMER_MESSAGES.length).meta({
			description: "All own texts in this language, by message; the service's for each that is left out",
		}),
		preview_only: z.boolean().default(false).meta({ description: "Answers how the texts would read, and changes nothing" }),
	})
	.meta({
		id: "OrganizationTextsChange",
		examples: [{ locale: "en", texts: { LOAN_PAID_OUT: "{lender} has sent you {sum}. Thank you for borrowing with us." } }],
	});

const DESCRIPTION =
	"Texts are written as ICU messages: `{sum}` stands for a value, and `{minutes, plural, one {# minute} other {# minutes}}` counts. A text without `{lender}` begins with the lender's name.";

export const getOrganizationTexts = operation({
	id: "getOrganizationTexts",
	method: "GET",
	path: "/v1/organizations/{organizationId}/texts",
	summary: "The texts of messages to the organization's customers",
	description: DESCRIPTION,
	access: memberOfPath("org:members:read"),
	request: {
		path: organizationPath,
		query: z.object({ locale: z.enum(LOCALES).optional().meta({ description: "Without it, in `default_locale`" }) }),
	},
	response: Texts,
	errors: ["NOT_FOUND"],
	async handle({ caller: { organizationId }, query: { locale } }, { db }) {
		const seen = await db.read(first(findTexts(db.orm, organizationId)));
		if (!seen) throw new ApiError("NOT_FOUND");
		return toTexts(locale ?? seen.locale ?? DEFAULT_LOCALE, seen);
	},
});

export const putOrganizationTexts = operation({
	id: "putOrganizationTexts",
	method: "PUT",
	path: "/v1/organizations/{organizationId}/texts",
	summary: "Replace the organization's own texts in one language",
	description: `${DESCRIPTION} Messages that wait to be sent, and those in inboxes, get the new texts.`,
	access: memberOfPath("org:branding:write"),
	request: { path: organizationPath, body: TextsChange },
	response: Texts,
	errors: ["NOT_FOUND"],
	async handle({ caller: { organizationId }, body: { locale, default_locale, texts, preview_only } }, services) {
		const { db, now } = services;
		const faults = Object.entries(texts).flatMap(([message, text]) => {
			const reason = faultOfText(message as CustomerMessage, text);
			return reason === undefined ? [] : [{ path: `texts.${message}`, reason, sub_code: "INVALID_FORMAT" as const }];
		});
		const seen = await db.read(first(findTexts(db.orm, organizationId)));
		if (!seen) throw new ApiError("NOT_FOUND");
		if (faults.length > 0) throw new InvalidInput(faults);
		const defaultLocale = default_locale === undefined ? seen.locale : default_locale;
		const after = toTexts(locale, { name: seen.name, locale: defaultLocale, texts: { ...seen.texts, [locale]: texts } });
		if (preview_only) return after;
		return services.commit([replaceTexts(db.orm, { organizationId, now, locale, texts, defaultLocale: default_locale })], after);
	},
});

type Seen = { readonly name: string; readonly locale: Locale | null; readonly texts: OwnTexts | null };

function toTexts(locale: Locale, { name: lender, locale: default_locale, texts }: Seen): z.input<typeof Texts> {
	const { messages, reviewed } = CATALOGUES[locale];
	return {
		locale,
		default_locale,
		reviewed,
		texts: CUSTOMER_MESSAGES.map((message) => {
			const own = texts?.[locale]?.[message];
			return {
				message,
				standard: messages[message],
				own: own ?? null,
				placeholders: [...placesOf(message)],
				preview: messageText(locale, exampleOf(message), { lender, own }),
			};
		}),
	};
}
