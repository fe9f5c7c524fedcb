// `npm run house`: how much of the sources one has to read, in figures that can be compared before and after a change. `-- --names` also
// lists the names and files that are counted.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { oneLetterAliases, reads, sharedNames, shortFilesOfOne, sizes, walk } from "./house/counts.ts";
import { parse, type Sources } from "./house/sources.ts";

const repository = path.resolve(import.meta.dirname, "..");
/** What moves money, from the call that orders it to what a provider reports of it, and the attempt to deliver a webhook. */
const WALKS = [
	...["applyForLoan", "draw", "orderTransfer", "refundOverpayment", "repayFromWallet", "recordRepayment"],
	...["consume", "confirmDaraja", "verifyDarajaConfirmation"],
];
const FOLDERS = ["src", "client/src", "test", "tools", "bench"];
const NOT_OURS = /^test\/generators\/(?:node_modules|out)\/|^test\/browser\/out\/|^client\/src\/generated\.ts$/;

function readSources(): Sources {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(path.join(repository, folder), { recursive: true, encoding: "utf8" })
			.map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
			.filter((file) => /\.tsx?$/.test(file) && !NOT_OURS.test(file)),
	);
	return Object.fromEntries(files.sort().map((file) => [file, readFileSync(path.join(repository, file), "utf8")]));
}

const sources = readSources();
const ofTheService = Object.fromEntries(Object.entries(sources).filter(([file]) => file.startsWith("src/")));
const parsed = parse(ofTheService);
const print = (line = "") => process.stdout.write(`${line}\n`);
const row = (cells: readonly (string | number)[]) =>
	print(cells.map((cell, index) => (index === 0 ? String(cell).padEnd(36) : String(cell).padStart(12))).join(""));

print("Files to open in order to follow a name: domain files at the first step, up to the second, in all; all files of ours");
row(["", "ideas", "ideas of 2", "first", "second", "in all", "all files"]);
for (const start of WALKS) {
	const found = walk(parsed, start);
	row(found ? [start, found.ideas, found.ideasOfTwoSteps, ...found.domainFiles, found.files] : [start, "not found"]);
}

const short = shortFilesOfOne(parsed, ofTheService);
const shared = sharedNames(parsed);
const { byPlace, spread, byName } = reads(parsed);
print();
row(["files under 30 lines, one importer", short.length]);
row(["value names of two files or more", shared.length]);
row(["reads by place", byPlace]);
row(["  of them with a spread", spread]);
row(["reads by name", byName]);
row(["one-letter table aliases", oneLetterAliases(parsed)]);

print();
row(["", "files", "lines"]);
for (const [folder, { files, lines }] of sizes(sources)) row([folder, files, lines]);

if (process.argv.includes("--names")) {
	print();
	for (const file of short) print(`short: ${file}`);
	for (const [name, files] of shared) print(`${name}: ${files.join(" ")}`);
}
