// `npm run client`: makes the generated part of the client again, of the operations as they are now. `--check` only compares.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { printClient } from "./client-printer.ts";
import { readCommandLine } from "./command-line.ts";
import { wholeDocument } from "./document-made.ts";
import { repository } from "./service.ts";

const usage = `npm run client -- [options]

  --check  writes nothing, and fails when the client is not that of the operations
`;

const { values } = readCommandLine(usage, { options: { check: { type: "boolean" } } });
// The operations of a sandbox too, which exist in no production.
const printed = printClient(await wholeDocument(repository));
const file = path.join(repository, "client/src/generated.ts");
if (!values.check) writeFileSync(file, printed);
else if (readFileSync(file, "utf8") !== printed) {
	process.stderr.write("client/src/generated.ts is not that of the operations. Run: npm run client\n");
	process.exitCode = 1;
}
