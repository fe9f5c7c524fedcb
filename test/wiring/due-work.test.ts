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
const text = Object.values(sources).join("\n");
const declared = [PORTION, EXPIRED].flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = ""]) => name));

it("the sweep does all work that is declared", () => {
	// A step is the function itself, or calls it.
	const done = steps.map(({ run }) => (run.name === "run" ? String(run) : run.name)).join("\n");
	expect(declared.length).toBeGreaterThan(20);
	expect(declared.filter((name) => !new RegExp(`\\b${name}\\b`).test(done))).toEqual([]);
	expect(declared.length).toBeGreaterThanOrEqual(steps.length);
});
