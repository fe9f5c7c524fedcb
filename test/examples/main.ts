// `npm run examples`: runs tests, and keeps requests and answers that they see as the examples of the API's document. A recorded example
// stays as long as the document allows it.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { readCommandLine } from "../../src/dev/command-line.ts";
import { wholeDocument } from "../../src/dev/document-made.ts";
import type { Examples } from "../../src/http/reference/openapi.examples.ts";
import type { Recorded } from "./exchange.ts";
import { merged } from "./merge.ts";

const usage = `npm run examples -- [options] [tests…]

  --again  forgets what was recorded before

Without tests, those that call every operation: test/contract/reads.test.ts and changes.test.ts.
`;
const { values, positionals } = readCommandLine(usage, { options: { again: { type: "boolean", default: false } }, allowPositionals: true });

const root = path.resolve(import.meta.dirname, "../..");
const file = path.join(root, "src/http/reference/examples.json");

const NONE: Examples = { operations: {}, refusals: { Error: {}, Problem: {} } };

/** The answers with the most members, by what they are examples of. */
const best = new Map<string, Recorded>();
const server = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on("data", (chunk) => chunks.push(chunk));
	request.on("end", () => {
		const recorded: Recorded = JSON.parse(Buffer.concat(chunks).toString());
		if (recorded.members > (best.get(recorded.key)?.members ?? -1)) best.set(recorded.key, recorded);
		response.end();
	});
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));

const tests = positionals.length > 0 ? positionals : ["test/contract/reads.test.ts", "test/contract/changes.test.ts"];
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const EXAMPLES_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const child = spawn(process.execPath, [vitest, "run", "--project", "workers", "--reporter", "dot", ...tests], {
	cwd: root,
	env: { ...process.env, EXAMPLES_URL },
	stdio: ["ignore", "ignore", "inherit"],
});
const code = await new Promise((resolve) => child.once("exit", resolve));
server.close();
if (code !== 0) {
	console.error("The tests have failed: nothing is kept of what they saw.");
	process.exit(1);
}

const document = await wholeDocument(root);
const known: Examples = values.again ? NONE : JSON.parse(readFileSync(file, "utf8"));
writeFileSync(file, `${JSON.stringify(merged(known, [...best.values()], document), null, "\t")}\n`);
console.log(`${best.size} kinds of answers seen; the served document shows them`);
