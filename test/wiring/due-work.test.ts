// The sweep does every kind of work that a domain has for it: a portion, which takes the services of a job and says whether more may
// be waiting, and the removal of rows that have expired.

import { expect, it } from "vitest";
import { steps } from "../../src/wiring/cron";

const sources = import.meta.glob<string>(["../../src/{domains,http}/**/*.ts", "../../src/wiring/{home-messages,unsettled-names}.ts"], {
	eager: true,
	query: "?raw",
	import: "default",
});
const PORTION = /export (?:async )?(?:function|const) (\w+)(?: = (?:async )?)?\((?:\w+|{[^}]*}): JobServices\b[^;{]*?Promise<boolean>/g;
const EXPIRED = /export (?:function|const) (\w+)[^;{]*?\): Expired\b/g;
const modules = import.meta.glob<Record<string, unknown>>("../../src/domains/**/*.ts");
const SENT = /export const (\w+) = sendDue\(/g;
const text = Object.values(sources).join("\n");
const declared = [PORTION, EXPIRED].flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = ""]) => name));

it("the sweep does all work that is declared", async () => {
	// A step is the function itself, or calls it.
	const done = steps.map(({ run }) => (run.name === "run" ? String(run) : run.name)).join("\n");
	expect(declared.length).toBeGreaterThan(20);
	expect(declared.filter((name) => !new RegExp(`\\b${name}\\b`).test(done))).toEqual([]);
	// An outbox sends functions without a name.
	const sent = Object.entries(sources).flatMap(([file, source]) => Array.from(source.matchAll(SENT), ([, name = ""]) => ({ file, name })));
	for (const { file, name } of sent)
		expect(
			steps.map(({ run }) => run as unknown),
			name,
		).toContain((await modules[file]?.())?.[name]);
	expect(declared.length + sent.length).toBeGreaterThanOrEqual(steps.length);
});
