// What the search of the reference looks through, loaded when it is first used.

import { ERRORS } from "../shared/errors";
import { PERMISSIONS } from "../shared/permissions";
import { EVENTS, type Schema } from "./contents";
import type { Site } from "./layout";

/** Kind, title, path below `/docs`, what stands beneath the title, and further words to find it by. */
export type Entry = readonly [kind: string, title: string, path: string, about: string, words: string];

const membersIn = (schema: Schema | undefined): string[] => Object.keys((schema?.properties as object | undefined) ?? {});

/** Each word once. */
const words = (...texts: readonly string[]): string =>
	[
		...new Set(
			texts
				.join(" ")
				.toLowerCase()
				.match(/[a-z0-9_.]{2,}/g) ?? [],
		),
	].join(" ");

export const searchIndex = ({ contents, guides }: Site): Entry[] => [
	...guides.flatMap(({ path, title, about, sections }): Entry[] => [
		["Guide", title, path, about, ""],
		...sections.map(({ id, title: section, text }): Entry => ["Guide", section, `${path}#${id}`, title, words(text)]),
	]),
	...contents.tags.flatMap(({ slug, name, about, operations }): Entry[] => [
		["Operations", name, slug, about, ""],
		...operations.map(
			({ id, method, path, summary, about: text, parameters, body }): Entry => [
				"Operation",
				summary,
				`${slug}#${id}`,
				`${method} ${path}`,
				words(id.replaceAll(/([A-Z])/g, " $1"), id, ...text, ...parameters.map(({ name: one }) => one), ...membersIn(body?.schema)),
			],
		),
	]),
	...Object.entries(ERRORS).map(
		([code, { status, description, remedy }]): Entry => [
			"Error",
			code,
			`errors#${code}`,
			description,
			words(String(status), "error", remedy),
		],
	),
	["Error", "All errors by their status", "errors", "400, 401, 403, 404, 409, 412, 413, 426, 429, 500, 503", "why error code status"],
	...contents.events.map(
		({ type, summary, data }): Entry => ["Event", type, `${EVENTS}#${type}`, summary, words("webhook event", ...membersIn(data))],
	),
	["Roles", "Which role has which permission", "roles#permissions", "Roles and scopes", words("may who allowed", ...PERMISSIONS)],
	["Roles", "Which role's keys have which scope", "roles#scopes", "Roles and scopes", "may api key who allowed"],
	...[...contents.schemas].flatMap(([name, schema]): Entry[] => {
		const home = contents.homes.get(name);
		return home ? [["Model", name, `${home}#model-${name}`, "", words(name.replaceAll(/([A-Z])/g, " $1"), ...membersIn(schema))]] : [];
	}),
];
