// `npm run document`: writes docs/openapi.json, the API's document as it is committed, and docs/api.lock, which a reviewer reads. `--check`
// only compares.

import { writeFileSync } from "node:fs";
import { lostOperations } from "./api-lock.ts";
import { readCommandLine } from "./command-line.ts";
import { madeDocument, servedDocument } from "./document-made.ts";
import { repository } from "./service.ts";

const usage = `npm run document -- [options]

  --check          writes nothing, and fails when they are not those of the operations
  --removing       also where clients no longer find an operation
  --served <file>  writes instead what /openapi.json answers, with its examples, into the file
`;
const { values } = readCommandLine(usage, {
	options: { check: { type: "boolean", default: false }, removing: { type: "boolean", default: false }, served: { type: "string" } },
});
if (values.served !== undefined) {
	writeFileSync(values.served, await servedDocument(repository));
	process.exit();
}
const { document, lock } = await madeDocument(repository);
const lost = lostOperations(lock.committed, lock.text);
if (values.check) {
	const stale = Object.entries({ "docs/openapi.json": document, "docs/api.lock": lock }).filter(
		([, { text, committed }]) => text !== committed,
	);
	for (const [name] of stale) console.error(`${name} is out of date: run npm run document, and commit what it writes`);
	if (stale.length > 0) process.exit(1);
} else {
	if (lost.length > 0 && !values.removing) {
		console.error(`Clients would no longer find:\n  ${lost.join("\n  ")}\nIf that is meant: npm run document -- --removing`);
		process.exit(1);
	}
	document.write();
	lock.write();
}
