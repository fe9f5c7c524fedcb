// The languages in which there are texts for people.

export const LOCALES = ["en", "sw", "fr", "pt", "am"] as const;
export type Locale = (typeof LOCALES)[number];

export const DEFAULT_LOCALE: Locale = "en";
