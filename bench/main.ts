// `npm run bench`: every part in turn, or the part that its first argument names, with the other arguments.

import { spawnSync } from "node:child_process";
import path from "node:path";

const PARTS = {
	webhooks: "webhooks.ts",
	http: "http.ts",
	cost: "cost.ts",
	kills: "kills.ts",
	scale: "scale.ts",
	global: "global.ts",
	startup: "startup.ts",
	console: "console.ts",
} as const;

const usage = `npm run bench -- [part]

  webhooks [part] [unbounded | deployed]                how fast events reach their receivers
  http                                                  requests a second
  cost                                                  the processor time of ten operations beside that of their rows alone
  kills [kills] [seed] [databases] [unbounded | deployed]
                                                        what a service loses that is killed again and again
  scale [--write]                                       what operations cost in rows, for docs/scale.md
  global                                                how long calls take from places that are far from the database
  console [users]                                       what each page of a lender's console asks for, in rows and ms, by Chromium
  startup                                               what it takes of a processor to start an isolate of each Worker

Without a part, all in turn.
`;

const [named, ...rest] = process.argv.slice(2);
if (named === "--help" || named === "-h") {
	process.stdout.write(usage);
	process.exit(0);
}
if (named !== undefined && !(named in PARTS)) {
	process.stderr.write(`There is no part ${named}\n\n${usage}`);
	process.exit(2);
}
for (const [name, file] of Object.entries(PARTS)) {
	if (named !== undefined && name !== named) continue;
	const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, file), ...(named === undefined ? [] : rest)], {
		stdio: "inherit",
	});
	if (status !== 0) process.exit(status ?? 1);
}
