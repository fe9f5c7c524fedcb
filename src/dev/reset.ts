// `npm run reset`: deletes the local data of `npm start`, and leaves `.dev.vars` and its secrets. A directory that holds anything else
// stays as it is.

import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { CLAIM_FILES, claim, LOCK_JOURNAL, nameOf } from "./claim.ts";
import { readCommandLine } from "./command-line.ts";
import { SHARDS_FILE } from "./databases.ts";
import { CONFIG_DIRECTORY, DATA_DIRECTORY, defaultStatePath } from "./service.ts";

const usage = `npm run reset -- [options]

  --persist-to <dir>  directory of the data to delete (default .wrangler/state)
`;

/** What a service makes in the directory of its data. */
const OURS = new Set<string>([...CLAIM_FILES, LOCK_JOURNAL, SHARDS_FILE, DATA_DIRECTORY, CONFIG_DIRECTORY]);

function refuse(reason: string): void {
	process.stderr.write(`${reason}\n`);
	process.exitCode = 1;
}

/** Why the directory is not the data of a service, as far as its names show; undefined when it is. */
function whyNotOurs(statePath: string, names: readonly string[]): string | undefined {
	const other = names.find((name) => !OURS.has(name));
	if (other !== undefined) return `it holds ${other}`;
	// `npx wrangler dev` leaves no claim on the checkout's own data.
	const claimed = CLAIM_FILES.every((name) => names.includes(name));
	return claimed || statePath === defaultStatePath ? undefined : "no service has run on it";
}

function reset(statePath: string): void {
	const shown = path.relative(process.cwd(), statePath) || statePath;
	let names: string[];
	try {
		names = readdirSync(statePath);
	} catch (error) {
		if (!(error instanceof Error && "code" in error)) throw error;
		if (error.code === "ENOENT") process.stdout.write(`There is no data: ${shown} does not exist.\n`);
		else refuse(`${shown} is not the data of this service: ${error.message}. Nothing was deleted.`);
		return;
	}
	// Before the claim, which would make files in a directory of somebody else.
	const reason = whyNotOurs(statePath, names);
	if (reason !== undefined) {
		refuse(`${shown} is not the data of this service: ${reason}. Nothing was deleted.`);
		return;
	}
	const claimed = claim(statePath);
	if ("holder" in claimed) {
		refuse(`The data is ${nameOf(claimed.holder)}. Stop it first.`);
		return;
	}
	rmSync(statePath, { recursive: true });
	claimed.release();
	process.stdout.write(`Deleted ${shown}\n`);
}

const { values } = readCommandLine(usage, { options: { "persist-to": { type: "string" } } });
reset(path.resolve(values["persist-to"] ?? defaultStatePath));
