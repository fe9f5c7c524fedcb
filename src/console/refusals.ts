// What the service says of a refusal, as people read it.

import { day, minute, words } from "./format.ts";

/** For programs: what the states are called, and what to send again. */
const FOR_PROGRAMS = /: this is possible |Idempotency-Key|^The resource's state/;

/** Instants and days as people write them, codes as words, without ids. */
const legible = (text: string): string =>
	text
		.replaceAll(/ ?\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "")
		.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => minute(Date.parse(at)))
		.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, day)
		.replaceAll(/\b[A-Z]{2,}(?:_[A-Z]+)+\b|\b[A-Z]{4,}\b/g, (code) => words(code).toLowerCase());

/** A member of what was sent, as its field is called or nearly so: `body.short_code` is "Short code". */
export const fieldOf = (path: string): string =>
	words(path.replace(/^(?:body|query|path|headers?)\./, "").replaceAll(".", ", ")).replace(/^Api\b/, "API");

/** Why the state of something does not allow it; undefined where the sentence is for programs. */
export function reasonOfState(description: string): string | undefined {
	if (!description || FOR_PROGRAMS.test(description)) return undefined;
	const text = legible(description);
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
