// `npm run audit:verify -- <export> --jwks <file> [--known <file>]`: checks an export of the audit trail, and names the first row or
// seal of each stream that was changed. It needs no network: the keys and the known heads come from files.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkTrail, Head, KeySet, Line } from "./audit-trail.ts";

const USAGE = `npm run audit:verify -- <export> --jwks <file> [--known <file>]

  <export>   what npm run audit:export wrote
  --jwks     the service's public keys, from /.well-known/jwks.json, those of earlier times included
  --known    heads that were kept elsewhere, one a line: the data of audit.sealed events
`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { jwks: { type: "string" }, known: { type: "string" } },
});
const [file, ...more] = positionals;
if (!file || more.length > 0 || !values.jwks) {
	process.stderr.write(USAGE);
	process.exit(2);
}

const linesOf = (name: string): unknown[] =>
	readFileSync(name, "utf8")
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map((line) => JSON.parse(line) as unknown);

const lines = linesOf(file).map((line) => Line.parse(line));
const keys = KeySet.parse(JSON.parse(readFileSync(values.jwks, "utf8")));
const known = values.known ? linesOf(values.known).map((line) => Head.parse(line)) : [];

const verdicts = checkTrail(lines, keys, known);
for (const { stream, fault, sealedThrough, unsealed } of verdicts) {
	if (fault) process.stderr.write(`${stream}: ${fault}\n`);
	else process.stdout.write(`${stream}: intact through row ${sealedThrough}; ${unsealed} rows are not sealed yet\n`);
}
if (verdicts.length === 0) process.stdout.write("The export is empty.\n");
process.exit(verdicts.some(({ fault }) => fault) ? 1 : 0);
