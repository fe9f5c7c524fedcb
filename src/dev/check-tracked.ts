// Part of `npm run check`: fails when git has a file that .gitignore names.

import { repository } from "./service.ts";
import { trackedThoughIgnored } from "./tracked.ts";

const found = trackedThoughIgnored(repository);
if (found.length > 0) {
	process.stderr.write(`.gitignore names files that are in git: git rm --cached ${found.join(" ")}\n`);
	process.exitCode = 1;
}
