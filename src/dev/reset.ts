// `npm run reset`: deletes the local data of `npm start`, and leaves `.dev.vars` and its secrets.

import { rmSync } from "node:fs";
import path from "node:path";
import { holderOf, nameOf } from "./claim.ts";
import { readCommandLine } from "./command-line.ts";
import { defaultStatePath } from "./service.ts";

const usage = `npm run reset -- [options]

  --persist-to <dir>  directory of the data to delete (default .wrangler/state)
`;

const { values } = readCommandLine(usage, { options: { "persist-to": { type: "string" } } });
const statePath = path.resolve(values["persist-to"] ?? defaultStatePath);
const holder = holderOf(statePath);
if (holder) {
	process.stderr.write(`The data is ${nameOf(holder)}. Stop it first.\n`);
	process.exitCode = 1;
} else {
	rmSync(statePath, { recursive: true, force: true });
	process.stdout.write(`Deleted ${path.relative(process.cwd(), statePath)}\n`);
}
