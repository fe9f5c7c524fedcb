// `npm run test:real`: what people have who use the service, each with the built service on this machine. Each part has a folder and
// packages of its own, and names what is not on this machine.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { readCommandLine } from "../../src/dev/command-line.ts";

/** What each shows, by its folder. */
const PARTS: Readonly<Record<string, string>> = {
	openfga: "a real OpenFGA: decisions, tuples, failures",
	oidc: "a real OpenID provider, and the console in Chromium",
	clients: "clients of the document in ten languages, four of which play a journey",
	schemathesis: "a tester of APIs, as five callers",
};

const usage = `npm run test:real -- [part] [options of the part]

${Object.entries(PARTS)
	.map(([part, shows]) => `  ${part.padEnd(13)} ${shows}`)
	.join("\n")}

All of them without a part. Anything else (java, kotlin, go, python and others) means clients.
`;

const given = process.argv.slice(2);
// The options of a part are its own.
if (given.length === 0 || given[0]?.startsWith("-")) readCommandLine(usage, {});
const [first = ""] = given;
const isPart = first in PARTS;
const chosen = given.length === 0 ? Object.keys(PARTS) : [isPart ? first : "clients"];
const summary: { [part: string]: { result: string; seconds: number } } = {};
for (const part of chosen) {
	console.log(`\n== ${part}: ${PARTS[part]}`);
	const began = performance.now();
	const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, part, "main.ts"), ...given.slice(isPart ? 1 : 0)], {
		stdio: "inherit",
	});
	summary[part] = { result: status === 0 ? "passed" : "FAILED", seconds: Math.round((performance.now() - began) / 1000) };
	if (status !== 0) process.exitCode = 1;
}
console.log();
console.table(summary);
