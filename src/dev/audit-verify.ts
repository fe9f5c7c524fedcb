// `npm run audit:verify -- <export> --jwks <file> [--known <file>]`: checks an export of the audit trail, and names the first row or
// seal of each stream that was changed. It needs no network: the keys and the known heads come from files.

import { readFileSync } from "node:fs";
import type * as z from "zod";
import { checkTrail, Head, KeySet, Line } from "./audit-trail.ts";
import { misused, readCommandLine } from "./command-line.ts";

const usage = `npm run audit:verify -- <export> --jwks <file> [--known <file>]

  <export>   what npm run audit:export wrote
  --jwks     the service's public keys, from /.well-known/jwks.json, those of earlier times included
  --known    heads that were kept elsewhere, one a line: the data of audit.sealed events
`;

const { values, positionals } = readCommandLine(usage, {
	allowPositionals: true,
	options: { jwks: { type: "string" }, known: { type: "string" } },
});
const { jwks = misused(usage, "--jwks is required.") } = values;
const [file = misused(usage, "The export is required."), ...more] = positionals;
if (more.length > 0) misused(usage, `Only one export can be checked: ${more[0]}`);

function fail(problem: string): never {
	process.stderr.write(`${problem}\n`);
	process.exit(1);
}

function textOf(name: string): string {
	try {
		return readFileSync(name, "utf8");
	} catch (error) {
		return fail(`${name} cannot be read: ${error instanceof Error && "code" in error ? error.code : error}`);
	}
}

/** The value of a JSON text. `place` names the text when it is something else. */
function parse<S extends z.ZodType>(schema: S, text: string, place: string): z.output<S> {
	try {
		return schema.parse(JSON.parse(text));
	} catch {
		return fail(`${place}: not what is expected there`);
	}
}

const parseLines = <S extends z.ZodType>(schema: S, name: string): z.output<S>[] =>
	textOf(name)
		.split("\n")
		.flatMap((line, index) => (line.trim() === "" ? [] : [parse(schema, line, `${name}, line ${index + 1}`)]));

const verdicts = checkTrail(
	parseLines(Line, file),
	parse(KeySet, textOf(jwks), jwks),
	values.known === undefined ? [] : parseLines(Head, values.known),
);
if (verdicts.length === 0) fail("The export is empty: nothing was verified.");
for (const { stream, fault, sealedThrough, unsealed } of verdicts) {
	if (fault) process.stderr.write(`${stream}: ${fault}\n`);
	else process.stdout.write(`${stream}: intact through row ${sealedThrough}; ${unsealed} rows are not sealed yet\n`);
}
process.exit(verdicts.some(({ fault }) => fault) ? 1 : 0);
