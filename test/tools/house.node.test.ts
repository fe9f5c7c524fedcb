// `npm run house` counts what is planted in sources: names and files on the way of a walk, short files, shared names, reads and aliases.

import { expect, it } from "vitest";
import { oneLetterAliases, reads, sharedNames, shortFilesOfOne, sizes, walk } from "../../tools/house/counts.ts";
import { parse } from "../../tools/house/sources.ts";

const long = "// A line.\n".repeat(30);
const sources = {
	"src/domains/tips/operations.ts": `
import { commit, type Writes } from "../../db/commit";
import { planTip } from "./plan";
import type { Tip } from "./table";
import * as wallets from "../wallets/store";
export const giveTip = { id: "giveTip", handle: (tip: Tip): Writes => { const pay = 1; return commit(checked(planTip(tip)), pay); } };
const checked = (tip: Tip) => refuse ?? { refuse, planTip: wallets.pay };
import { refuse } from "../wallets/policy";
`,
	"src/domains/tips/plan.ts": `${long}import { pay } from "../wallets/store";\nexport function planTip(tip: unknown) { return pay(tip); }\nexport const unused = pay;`,
	"src/domains/tips/table.ts": "export type Tip = { refuse: number };",
	"src/domains/wallets/policy.ts": "export const refuse = undefined;",
	"src/domains/wallets/store.ts": `
import { tables } from "./table";
import { alias } from "drizzle-orm/sqlite-core";
const a = alias(tables, "a");
const tips = alias(tables, "tips");
export const pay = (tip: unknown) => [tips, tip, sql\`select 1 from \${a} as a join wallets as wallet\`];
export { pay as alsoPay };
`,
	"src/domains/wallets/table.ts": `import { refuse } from "./policy";\nexport const tables = { refuse };\nexport const unused = 1;`,
	"src/db/commit.ts": `${long}export type Writes = unknown;
export const commit = async (...all: unknown[]) => {
	await db.read(first);
	await there.db.read(first, ...all);
	const { refuse } = await db.read({ refuse: all });
	reader.read();
	return refuse;
};`,
};
const parsed = parse(sources);

it("a walk counts the names of other files, and the files at each step, but neither types nor what is hidden by a local name", () => {
	// First: commit, planTip, refuse of the policy; a namespace is followed by no name. Second: pay. Third: tables.
	expect(walk(parsed, "giveTip")).toEqual({ ideas: 3, ideasOfTwoSteps: 4, domainFiles: [3, 4, 5], files: 6 });
	expect(walk(parsed, "nothing")).toBeUndefined();
});

it("short files are those that exactly one other imports, for values or types", () => {
	// The tables of wallets and of tips; not the policy, which two import, nor the operations, which nobody does.
	expect(shortFilesOfOne(parsed, sources)).toEqual(["src/domains/tips/table.ts", "src/domains/wallets/table.ts"]);
});

it("a shared name is a name that two files export as a value", () => {
	expect(sharedNames(parsed)).toEqual([["unused", ["src/domains/tips/plan.ts", "src/domains/wallets/table.ts"]]]);
});

it("reads are counted by place and by name, and not those without a statement", () => {
	expect(reads(parsed)).toEqual({ byPlace: 2, spread: 1, byName: 1 });
});

it("aliases of one letter are counted in code and in a statement's text", () => {
	expect(oneLetterAliases(parsed)).toBe(2);
});

it("files and lines are counted by folder, and by domain", () => {
	const found = sizes({ "src/domains/tips/plan.ts": "a\nb\n", "src/domains/tips/x/store.ts": "a", "src/worker.ts": "a\n" });
	expect(Object.fromEntries(found)).toEqual({
		src: { files: 3, lines: 4 },
		"src/domains": { files: 2, lines: 3 },
		"src/domains/tips": { files: 2, lines: 3 },
	});
});
