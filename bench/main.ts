// `npm run bench`: every part in turn, or the one that it names, to which further words are given: `webhooks [part] [local | deployed]`, `http`,
// `kills [kills] [seed] [databases] [local | deployed]`, `soak [minutes]`, `scale [--write]`, `start [runs]`, `crowds [--rows 100000]` or
// `client [directory]`.

import { spawnSync } from "node:child_process";
import path from "node:path";

const PARTS = {
	webhooks: "webhooks.ts",
	http: "http.ts",
	kills: "kills.ts",
	soak: "soak.ts",
	scale: "scale.ts",
	start: "start.ts",
	crowds: "crowds.ts",
	client: "client.ts",
} as const;

const [named, ...rest] = process.argv.slice(2);
if (named !== undefined && !(named in PARTS)) {
	console.error(`There is no part ${named}; there are ${Object.keys(PARTS).join(", ")}.`);
	process.exit(1);
}
for (const [name, file] of Object.entries(PARTS)) {
	if (named !== undefined && name !== named) continue;
	const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, file), ...(named === undefined ? [] : rest)], {
		stdio: "inherit",
	});
	if (status !== 0) process.exit(status ?? 1);
}
