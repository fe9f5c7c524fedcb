// `npm run phone-numbering`: writes what the service needs to know of the world's phone numbers, out of libphonenumber's metadata:
// every country code with its possible lengths, and the whole numbering plans of the countries served alone.

import { writeFileSync } from "node:fs";
import path from "node:path";
import metadata from "libphonenumber-js/metadata.mobile.json";
import { repository } from "./service.ts";

const SERVED = ["ET", "KE", "RW", "TZ", "UG"] as const;

type Plan = readonly unknown[];
const [LENGTHS, FORMATS] = [3, 4];

/** The text of `src/shared/phone-numbering.json`. */
export function phoneNumbering(): string {
	const countries: Readonly<Record<string, Plan>> = metadata.countries;
	const nonGeographic: Readonly<Record<string, Plan>> = metadata.nonGeographic;
	const codesByLengths: Record<string, string[]> = {};
	const add = (code: string, plan: Plan | undefined) => {
		const lengths = String(plan?.[LENGTHS]);
		codesByLengths[lengths] = [...(codesByLengths[lengths] ?? []), code];
	};
	// Of the countries that share a code the first one is the main one.
	for (const [code, [main = ""]] of Object.entries(metadata.country_calling_codes)) add(code, countries[main]);
	for (const [code, plan] of Object.entries(nonGeographic)) add(code, plan);
	const numbering = {
		codes_by_lengths: codesByLengths,
		served: {
			version: metadata.version,
			country_calling_codes: Object.fromEntries(SERVED.map((country) => [countries[country]?.[0], [country]])),
			// Numbers are checked and never written in a country's own form.
			countries: Object.fromEntries(SERVED.map((country) => [country, countries[country]?.with(FORMATS, [])])),
		},
	};
	return `${JSON.stringify(numbering, null, "\t")}\n`;
}

if (process.argv[1] === import.meta.filename) {
	writeFileSync(path.join(repository, "src/shared/phone-numbering.json"), phoneNumbering());
}
