// `npm run audit`: licences, exact versions and hashes of all packages, and the advisories that the registry knows for
// those that are deployed. All but the advisories is read from this checkout; if the registry gives no answer, the audit
// says so and does not fail for that.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { complaintsAbout, LockFile, Manifest, productionPackages } from "./dependencies.ts";

const PATIENCE_MS = 60_000;
const directory = path.resolve(import.meta.dirname, "../..");

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(directory, file), "utf8"));

const Report = z.object({
	vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
	metadata: z.object({ dependencies: z.object({ prod: z.int().min(1) }) }),
});

/** The packages that advisories name; undefined when the registry gives no answer. */
async function advisories(): Promise<string[] | undefined> {
	// The npm that runs this script, where one does.
	const npm = process.env.npm_execpath;
	const [command, first] = npm ? [process.execPath, [npm]] : ["npm", []];
	const { stdout } = await promisify(execFile)(command, [...first, "audit", "--omit=dev", "--json", "--fetch-retries=0"], {
		cwd: directory,
		timeout: PATIENCE_MS,
		// It ends with 1 when it finds something, too.
	}).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
	try {
		const { vulnerabilities } = Report.parse(JSON.parse(stdout));
		return Object.entries(vulnerabilities).map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
	} catch {
		return undefined;
	}
}

const say = (line: string) => process.stdout.write(`${line}\n`);

const lock = LockFile.parse(read("package-lock.json"));
const complaints = complaintsAbout(Manifest.parse(read("package.json")), lock);
const deployed = productionPackages(lock);
for (const { name, version, licence } of deployed) say(`${name.padEnd(30)} ${version.padEnd(22)} ${licence}`);
say(`${deployed.length} production packages, ${Object.keys(lock.packages).length - 1} with those for development`);

const found = await advisories();
if (found === undefined) say("Advisories: the registry could not be asked.");
else if (found.length === 0) say("Advisories: none for the production packages.");
else complaints.push(...found.map((one) => `advisory: ${one}`));

for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
process.exit(complaints.length === 0 ? 0 : 1);
