// `npm run client`: makes the generated part of the client anew, of the operations as they are now. `--check` only compares.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Document, printClient } from "./client-printer.ts";
import { readCommandLine } from "./command-line.ts";
import { repository } from "./service.ts";
import { workerModule } from "./worker-module.ts";

const usage = `npm run client -- [options]

  --check  writes nothing, and fails when the client is not that of the operations
`;

type Documents = { documentOf(name: "openapi.json", baseUrl: string, env: { ENVIRONMENT: "local" }): Promise<string> };

const { values } = readCommandLine(usage, { options: { check: { type: "boolean" } } });
const { documentOf } = await workerModule<Documents>(repository, "src/wiring/documents.ts");
// The operations of a sandbox too, which exist in no production.
const document = JSON.parse(await documentOf("openapi.json", "http://localhost", { ENVIRONMENT: "local" })) as Document;
const printed = printClient(document);
const file = path.join(repository, "client/src/generated.ts");
if (!values.check) writeFileSync(file, printed);
else if (readFileSync(file, "utf8") !== printed) {
	process.stderr.write("client/src/generated.ts is not that of the operations. Run: npm run client\n");
	process.exitCode = 1;
}
