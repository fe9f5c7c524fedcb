// `npm run document`: writes docs/openapi.json, the API's document as it is committed.

import { readCommandLine } from "./command-line.ts";
import { lostOperations, madeDocument } from "./document-made.ts";
import { repository } from "./service.ts";

const { values } = readCommandLine("npm run document -- [options]\n\n  --removing  also where clients no longer find an operation\n", {
	options: { removing: { type: "boolean", default: false } },
});
const { text, committed, write } = await madeDocument(repository);
const lost = lostOperations(committed, text);
if (lost.length > 0 && !values.removing) {
	console.error(`Clients would no longer find:\n  ${lost.join("\n  ")}\nIf that is meant: npm run document -- --removing`);
	process.exit(1);
}
write();
