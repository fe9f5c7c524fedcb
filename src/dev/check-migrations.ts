// Part of `npm run check`: fails when tables and migrations differ, and when a migration was changed or removed.

import { differences } from "./schema.ts";
import { repository } from "./service.ts";

const found = differences(repository);
if (found.length > 0) {
	process.stderr.write(`${found.join("\n")}\nFor changes of tables and triggers: npm run migrations <name>\n`);
	process.exitCode = 1;
}
