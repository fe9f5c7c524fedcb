// Part of `npm run check`: fails when tables and migrations differ.

import { differences } from "./schema.ts";
import { repository } from "./service.ts";

const found = differences(repository);
if (found.length > 0) {
	process.stderr.write(`${found.join("\n")}\nRun: npm run migrations\n`);
	process.exitCode = 1;
}
