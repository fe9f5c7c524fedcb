// `npm run reset`: deletes the local data of `npm start`, and leaves `.dev.vars` and its secrets.

import { rmSync } from "node:fs";
import path from "node:path";
import { holderOf, nameOf } from "./claim.ts";
import { defaultStatePath } from "./service.ts";

const holder = holderOf(defaultStatePath);
if (holder) {
	process.stderr.write(`The data is ${nameOf(holder)}. Stop it first.\n`);
	process.exitCode = 1;
} else {
	rmSync(defaultStatePath, { recursive: true, force: true });
	process.stdout.write(`Deleted ${path.relative(process.cwd(), defaultStatePath)}\n`);
}
