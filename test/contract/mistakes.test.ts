// Mistakes, and the answers that their makers get: what to send instead, or what is missing. A row of a table is a request, and under it the
// answer's status, code and sentence. `$name` stands for what the parties have, `[name: value]` for a header.

import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../src/http/answers/error-body";
import { ERRORS } from "../../src/shared/errors";
import { servePath } from "../support/serve";
import { fakeWorld } from "../support/webhooks";
import { APPS } from "./mistakes/apps";
import { givenParties } from "./mistakes/parties";
import { KEYS } from "./mistakes/partners";
import { MEMBERS, OPERATORS } from "./mistakes/staff";

const TABLES = { "apps and their users": APPS, "partners' servers": KEYS, "members of an organization": MEMBERS, operators: OPERATORS };

type Row = { request: string; answer: string };

const rowsOf = (table: string): Row[] =>
	[...table.trim().matchAll(/^(\S.*)\n {2}(.*)$/gm)].map(([, request = "", answer = ""]) => ({ request, answer }));

const all = Object.values(TABLES).flatMap(rowsOf);

/** Says no more than the meaning of its code. */
const isPoor = ({ answer }: Row): boolean => {
	const [, code = "", sentence = ""] = /^\d+ (\w+) (.*)$/.exec(answer) ?? [];
	return sentence === ERRORS[code as keyof typeof ERRORS].description || /^(Bad Request|Invalid input)$/.test(sentence);
};

/** The answer in the table's form, to a caller who sends no header for it: where `description` is the specification's, the first fault has the sentence. */
async function answerTo(request: string, { credentials, names }: Awaited<ReturnType<typeof givenParties>>): Promise<string> {
	const fill = (text: string) => text.replaceAll(/\$(\w+)/g, (whole, name: string) => (names as Record<string, string>)[name] ?? whole);
	const [, who = "", method = "", path = "", headers = "", body] =
		/^(\w+) ([A-Z]+) (\S+)((?: \[[\w-]+: [^\]]*\])*)(?: (.*))?$/.exec(request) ?? [];
	const as = credentials[who];
	const response = await servePath(fill(path), {
		method,
		headers: {
			...(body !== undefined && { "content-type": "application/json" }),
			...(as !== undefined && (as.startsWith("sk_") ? { "x-api-key": as } : { authorization: `Bearer ${as}` })),
			...Object.fromEntries([...headers.matchAll(/\[([\w-]+): ([^\]]*)\]/g)].map(([, name = "", value = ""]) => [name, fill(value)])),
		},
		...(body !== undefined && { body: fill(body) }),
	});
	const { code, description, reason, invalid_params = [] } = ErrorBody.parse(await response.json());
	const [fault, ...others] = invalid_params;
	expect(reason).toMatch(/^[A-Z][A-Z_]+$/);
	if (!fault) return `${response.status} ${code} ${description}`;
	return `${response.status} ${code} ${fault.path} ${fault.reason}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
}

describe("the table of mistakes", () => {
	it("has as many as were made when answers were first judged, and more", () => {
		expect(all.length).toBeGreaterThanOrEqual(148);
		expect(new Set(all.map(({ request }) => request)).size).toBe(all.length);
	});

	it("has a sentence of its own for all but a few, whose code says all", () => {
		expect(all.filter(isPoor).length).toBeLessThanOrEqual(8);
	});
});

describe.each(Object.entries(TABLES))("%s", (_, table) => {
	it("get an answer that says what to send", async () => {
		fakeWorld();
		const parties = await givenParties();
		const told: Row[] = [];
		const rows = rowsOf(table);
		for (const { request } of rows) told.push({ request, answer: await answerTo(request, parties) });
		expect(told).toEqual(rows.map(({ request, answer }) => ({ request, answer: answer.replace("$yesterday", parties.names.yesterday) })));
	});
});
