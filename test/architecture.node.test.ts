// What may import what, over the whole graph of the sources, and where each file lies.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ENGINES, LONG_TABLES, MOST_LINES, MOST_LINES_OF_ENGINES, SHARED_WITH_CONSOLE } from "./architecture.data.ts";
import { circlesOf, entriesOf, foldersOf, graphOf, importsOf, judge, type Sources, unusedDomainImports } from "./support/architecture.ts";

const root = path.resolve(import.meta.dirname, "..");
const textsOf = (folder: string): Sources =>
	Object.fromEntries(
		readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
			.filter((name) => /\.tsx?$/.test(name) && !/^(?:generators|real\/\w+)\/out\b|\bnode_modules\b/.test(name))
			.map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
			.map((file) => [file, readFileSync(path.join(root, file), "utf8")]),
	);
const sources = textsOf("src");

describe("the sources", () => {
	it("import only what the table of imports allows, without an exception", () => {
		expect(Object.keys(sources).length).toBeGreaterThan(100);
		expect(judge(sources)).toEqual([]);
	});

	it("import none of the programs that use them", () => {
		const targets = Object.entries(sources).flatMap(([file, text]) => importsOf(file, text).map(({ target }) => target));
		expect(targets.filter((target) => /^(?:tools|bench|test)\//.test(target))).toEqual([]);
	});

	it("use every allowed import between domains", () => {
		expect(unusedDomainImports(sources)).toEqual([]);
	});

	it("know databases by their homes: only one file names bindings, and only one opens D1 sessions", () => {
		const deployed = Object.entries(sources).filter(([file]) => !file.startsWith("src/dev/") && !file.endsWith(".d.ts"));
		const naming = deployed.filter(([, text]) => /\benv\.DB\b|\bSHARD_/.test(text)).map(([file]) => file);
		expect(naming).toEqual(["src/db/places.ts"]);
		const opening = deployed.filter(([, text]) => /\bnew Database\(/.test(text)).map(([file]) => file);
		expect(opening).toEqual(["src/db/databases.ts"]);
	});
});

describe("the graph of all imports, those of types included", () => {
	const graph = graphOf(sources);
	/** The graph with these lines added at the end of these files, which need not exist. */
	const withImports = (added: Sources) =>
		graphOf({
			...sources,
			...Object.fromEntries(Object.entries(added).map(([file, line]) => [file, `${sources[file] ?? ""}\n${line}\n`])),
		});

	it("has no circle of files", () => {
		expect(graph.size).toBeGreaterThan(100);
		expect(circlesOf(graph)).toEqual([]);
	});

	it.each([
		["the tests", "test", 500],
		["the tools", "tools", 20],
		["the benches", "bench", 20],
		["the client", "client/src", 3],
	])("has no circle of files of %s", (_, folder, least) => {
		const files = graphOf(textsOf(folder), `${folder}/`);
		expect(files.size).toBeGreaterThan(least);
		expect(circlesOf(files)).toEqual([]);
	});

	it("has in no folder a circle of what lies in it: of layers, of domains, of the folders and files of a domain", () => {
		const folders = foldersOf(graph);
		expect(folders).toEqual(expect.arrayContaining(["src", "src/domains", "src/domains/webhooks", "src/http"]));
		expect(folders.map((folder) => [folder, circlesOf(entriesOf(folder, graph))]).filter(([, circles]) => circles?.length !== 0)).toEqual(
			[],
		);
	});

	it("would show a circle of two", () => {
		const planted = withImports({ "src/domains/organizations/store.ts": 'import { agents } from "../commissions/table";' });
		expect(circlesOf(entriesOf("src/domains", planted))).toEqual([["commissions", "organizations"]]);
		const files = withImports({ "src/db/a.ts": 'import type { B } from "./b";', "src/db/b.ts": 'import type { A } from "./a";' });
		expect(circlesOf(files)).toEqual([["src/db/a.ts", "src/db/b.ts"]]);
	});

	it("lets domains know each other by their models, and would show a model that knows the upper half of its domain", () => {
		const knowing = withImports({ "src/domains/organizations/store.ts": 'import { users } from "../users/model/table";' });
		expect(knowing.get("src/domains/users/profile.operations.ts")?.has("src/domains/organizations/store.ts")).toBe(true);
		expect(circlesOf(entriesOf("src/domains", knowing))).toEqual([]);
		const upwards = { "src/domains/users/model/store.ts": 'import { findProfile } from "../profile.store";' };
		expect(circlesOf(entriesOf("src/domains", withImports(upwards)))).toContainEqual(expect.arrayContaining(["users", "users/model"]));
		expect(judge(upwards)).toEqual(["domains: src/domains/users/model/store.ts users/model imports users"]);
	});

	it("would show a circle of three, of which one imports only a type", () => {
		const planted = withImports({
			"src/domains/branding/a.policy.ts": 'import { b } from "../webhooks/b.policy";',
			"src/domains/webhooks/b.policy.ts": 'import type { C } from "../app-settings/c.policy";',
			"src/domains/app-settings/c.policy.ts": 'import { a } from "../branding/a.policy";',
		});
		expect(circlesOf(planted)).toEqual([
			["src/domains/app-settings/c.policy.ts", "src/domains/branding/a.policy.ts", "src/domains/webhooks/b.policy.ts"],
		]);
		expect(circlesOf(entriesOf("src/domains", planted))).toEqual([["app-settings", "branding", "webhooks"]]);
	});

	it("would show a circle of folders whose files form none", () => {
		const planted = withImports({ "src/domains/organizations/members/a.policy.ts": 'import type { A } from "../invitations/lifecycle";' });
		expect(circlesOf(planted)).toEqual([]);
		expect(circlesOf(entriesOf("src/domains/organizations", planted))).toEqual([["invitations", "members"]]);
	});

	it("would show an import that climbs, even of a type and at run time", () => {
		const climbing = {
			"src/db/guards.ts": 'import type { Operation } from "../http/operation";',
			"src/shared/time.ts": 'type Mount = typeof import("../http/mount");',
		};
		const planted = withImports(climbing);
		expect(circlesOf(entriesOf("src", planted))).toEqual([["db", "http", "messages", "runtime", "shared"]]);
		const judged = judge({ ...sources, ...climbing }).filter((one) => one.startsWith("layers: "));
		expect(judged).toEqual([
			"layers: src/db/guards.ts imports src/http/operation.ts",
			"layers: src/shared/time.ts imports src/http/mount.ts",
		]);
	});
});

describe("the modules of the Worker, which may first run within a request", () => {
	// Workerd lets no other request use a promise, a body or a signal that one has made.
	const HELD =
		/^(?:export )?(?:const|let) \w+(?:: [^=;]+)? = (?:await\b|fetch\(|crypto\.subtle\b|caches\b|Promise\b|AbortSignal\b|scheduler\b|new (?:Promise|Request|Response|AbortController|\w+Stream)\b)/m;

	it("hold no I/O object at their top level", () => {
		const deployed = Object.entries(sources).filter(([file]) => !/^src\/(?:dev|console)\//.test(file));
		expect(deployed.filter(([, text]) => HELD.test(text)).map(([file]) => file)).toEqual([]);
	});

	it.each(["const a = new Response();", "export const a: Promise<B> = crypto.subtle.digest(b);", "let a = await b();"])(
		"would be found to hold one: %s",
		(text) => expect(text).toMatch(HELD),
	);
});

describe("the console", () => {
	const files = Object.entries(sources).filter(([file]) => file.startsWith("src/console/"));

	it("has of other folders the client's types and the table of currencies alone, and of packages Preact", () => {
		expect(files.length).toBeGreaterThan(20);
		const outside = files.flatMap(([file, text]) =>
			importsOf(file, text).filter(({ target, typeOnly }) => {
				if (target.startsWith("src/console/") || target === "preact" || target === "preact/hooks") return false;
				if (SHARED_WITH_CONSOLE.includes(target)) return importsOf(target, sources[target] ?? "").length > 0;
				return !(typeOnly && target === "client/src/generated.ts");
			}),
		);
		expect(outside.map(({ target }) => target)).toEqual([]);
	});

	it("makes no markup of texts, and stores nothing but that somebody has signed out, and the filters that they keep", () => {
		const FORBIDDEN =
			/innerHTML|outerHTML|insertAdjacentHTML|srcdoc|\beval\b|localStorage|sessionStorage|indexedDB|document\.cookie|\bconsole\.\w+\(/i;
		const KEPT = /localStorage\.(setItem\(key, JSON\.stringify\(next\)\)|getItem\(key\))/g;
		const SIGNED_OUT = /localStorage\.(setItem\(LEFT, "yes"\)|removeItem\(LEFT\)|getItem\(LEFT\))/g;
		expect(files.filter(([, text]) => FORBIDDEN.test(text.replaceAll(SIGNED_OUT, "").replaceAll(KEPT, ""))).map(([file]) => file)).toEqual(
			[],
		);
	});
});

describe("the start of an isolate", () => {
	/** The files that run when `first` is imported: those that it reaches without `import()`. */
	function runAtImport(first: string, among: Sources = sources, found = new Set<string>()): Set<string> {
		const text = among[first];
		if (text === undefined || found.has(first)) return found;
		found.add(first);
		for (const { target, typeOnly } of importsOf(first, text.replaceAll(/\bimport\(/g, "load("))) {
			if (!typeOnly) runAtImport(target, among, found);
		}
		return found;
	}

	it("runs no operations and no jobs", () => {
		const files = [...runAtImport("src/worker.ts")];
		expect(files).toContain("src/http/mount.ts");
		expect(files.filter((file) => /(?:operations|job)\.ts$/.test(file))).toEqual([]);
	});

	it("would be found to run what a static import reaches, and not what import() reaches", () => {
		const among = { "src/a.ts": 'import { b } from "./b";\nconst c = () => import("./c");', "src/b.ts": "", "src/c.ts": "" };
		expect([...runAtImport("src/a.ts", among)]).toEqual(["src/a.ts", "src/b.ts"]);
	});
});

describe("the files of src and test", () => {
	it("have at most 300 lines, except the named tables of data, and the named engines at most 500", () => {
		const files = Object.entries({ ...sources, ...textsOf("test") });
		expect(files.length).toBeGreaterThan(200);
		const longerThan = (most: number) => files.filter(([, text]) => text.trimEnd().split("\n").length > most).map(([file]) => file);
		expect(longerThan(MOST_LINES).toSorted()).toEqual([...ENGINES, ...LONG_TABLES].toSorted());
		expect(longerThan(MOST_LINES_OF_ENGINES).filter((file) => ENGINES.includes(file))).toEqual([]);
	});

	it("are at most 60 lines where every request passes first, at the edge", () => {
		expect(textsOf("src")["src/edge.ts"]?.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
	});
});

describe("every test file", () => {
	it("opens with what it holds", () => {
		const files = Object.entries(textsOf("test")).filter(([file]) => file.endsWith(".test.ts"));
		expect(files.length).toBeGreaterThan(200);
		expect(files.filter(([, text]) => !/^(\/\/\/ .*\n)?\/\/ /.test(text)).map(([file]) => file)).toEqual([]);
	});
});
