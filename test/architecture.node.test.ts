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
			.filter((name) => /\.tsx?$/.test(name) && !/^generators\/(node_modules|out)\b/.test(name))
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

	it("has no circle of files of the tests", () => {
		const tests = graphOf(textsOf("test"), "test/");
		expect(tests.size).toBeGreaterThan(500);
		expect(circlesOf(tests)).toEqual([]);
	});

	it("has in no folder a circle of what lies in it: of layers, of domains, of the folders and files of a domain", () => {
		const folders = foldersOf(graph);
		expect(folders).toEqual(expect.arrayContaining(["src", "src/domains", "src/domains/webhooks", "src/http"]));
		expect(folders.map((folder) => [folder, circlesOf(entriesOf(folder, graph))]).filter(([, circles]) => circles?.length !== 0)).toEqual(
			[],
		);
	});

	it("would show a circle of two", () => {
		const planted = withImports({ "src/domains/users/store.ts": 'import { memberships } from "../organizations/table";' });
		expect(circlesOf(entriesOf("src/domains", planted))).toEqual([["organizations", "users"]]);
		const files = withImports({ "src/db/a.ts": 'import type { B } from "./b";', "src/db/b.ts": 'import type { A } from "./a";' });
		expect(circlesOf(files)).toEqual([["src/db/a.ts", "src/db/b.ts"]]);
	});

	it("would show a circle of three, of which one imports only a type", () => {
		const planted = withImports({
			"src/domains/health/a.policy.ts": 'import { b } from "../webhooks/b.policy";',
			"src/domains/webhooks/b.policy.ts": 'import type { C } from "../app-settings/c.policy";',
			"src/domains/app-settings/c.policy.ts": 'import { a } from "../health/a.policy";',
		});
		expect(circlesOf(planted)).toEqual([
			["src/domains/app-settings/c.policy.ts", "src/domains/health/a.policy.ts", "src/domains/webhooks/b.policy.ts"],
		]);
		expect(circlesOf(entriesOf("src/domains", planted))).toEqual([["app-settings", "health", "webhooks"]]);
	});

	it("would show a circle of folders whose files form none", () => {
		const planted = withImports({ "src/domains/loans/applications/a.policy.ts": 'import type { Quote } from "../products/wire";' });
		expect(circlesOf(planted)).toEqual([]);
		expect(circlesOf(entriesOf("src/domains/loans", planted))).toEqual([["applications", "products"]]);
	});

	it("would show an import that climbs, even of a type and at run time", () => {
		const climbing = {
			"src/db/guards.ts": 'import type { Operation } from "../http/operation";',
			"src/shared/time.ts": 'type Mount = typeof import("../http/mount");',
		};
		const planted = withImports(climbing);
		expect(circlesOf(entriesOf("src", planted))).toEqual([["db", "http", "runtime", "shared"]]);
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

	it("makes no markup of texts, and stores nothing", () => {
		const FORBIDDEN =
			/innerHTML|outerHTML|insertAdjacentHTML|srcdoc|\beval\b|localStorage|sessionStorage|indexedDB|document\.cookie|\bconsole\.\w+\(/i;
		expect(files.filter(([, text]) => FORBIDDEN.test(text)).map(([file]) => file)).toEqual([]);
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
});

describe("every test file", () => {
	it("opens with what it holds", () => {
		const files = Object.entries(textsOf("test")).filter(([file]) => file.endsWith(".test.ts"));
		expect(files.length).toBeGreaterThan(200);
		expect(files.filter(([, text]) => !/^(\/\/\/ .*\n)?\/\/ /.test(text)).map(([file]) => file)).toEqual([]);
	});
});

describe("the rules", () => {
	const policy = "src/domains/loan-products/policy.ts";
	const store = "src/domains/users/store.ts";

	it.each([
		["a lower layer that imports a higher one", "src/http/mount.ts", 'import { raise } from "../events/raise";', "layers"],
		["a provider that imports a domain", "src/providers/disburser.ts", 'import type { A } from "../domains/loans/table";', "layers"],
		["a provider that imports an operation", "src/providers/x.ts", 'import { a } from "../domains/loans/products/operations";', "layers"],
		["a shared file that imports ours", "src/shared/time.ts", 'import { verify } from "../webhook-verify/verify";', "layers"],
		["a verifier that imports ours", "src/webhook-verify/verify.ts", 'import { toHex } from "../shared/bytes";', "layers"],
		["development code in the Worker", "src/wiring/app.ts", 'import { start } from "../dev/start.ts";', "layers"],
		["the Worker that imports the console", "src/wiring/app.ts", 'import { go } from "../console/router.ts";', "layers"],
		["the console that imports the Worker", "src/console/ui/state.tsx", 'import type { A } from "../../shared/time";', "layers"],
		["development code that imports the Worker", "src/dev/start.ts", 'import { app } from "../wiring/app";', "layers"],
		["an import for its effect", "src/db/database.ts", 'import "../http/mount";', "layers"],
		["an import at run time", "src/db/database.ts", 'const a = await import("../http/mount");', "layers"],
		["a folder that the table does not know", "src/db/database.ts", 'import { a } from "../helpers/a";', "layers"],
		["an edge between domains that is not listed", "src/domains/messages/store.ts", 'import { users } from "../users/table";', "domains"],
		[
			"a leaf that imports more than the kernel",
			"src/domains/loan-terms/a.policy.ts",
			'import type { C } from "../../runtime/config";',
			"leaf",
		],
		["a leaf with I/O of its own", "src/domains/loan-terms/store.ts", "", "leaf"],
		["a file of a domain without a role", "src/domains/users/helpers.ts", "", "role"],
		["a policy that imports a framework", policy, 'import { ok } from "../../../http/operation";', "policy"],
		["a policy that imports types of a table", policy, 'import type { Row } from "../table";', "policy"],
		["a policy that imports a database package", policy, 'import { sql } from "drizzle-orm";', "policy"],
		["a policy that imports the platform", policy, 'import { env } from "cloudflare:workers";', "policy"],
		["a policy that reads the clock", policy, "const at = Date.now();", "policy"],
		["a policy that makes a date of now", policy, "const at = new Date();", "policy"],
		["a policy that draws at random", policy, "const a = Math.random();", "policy"],
		["a policy that draws bytes", policy, "const a = crypto.getRandomValues(b);", "policy"],
		[
			"a lifecycle that reads the clock in a template",
			"src/domains/loans/applications/lifecycle.ts",
			"const a = `$" + "{Date.now()}`;",
			"lifecycle",
		],
		["a store that imports the framework", store, 'import { mount } from "../../http/mount";', "store"],
		["a store that reads the clock", store, "const a = Date.now();", "store"],
		["a store that runs a statement", store, "await services.db.read(statement);", "store"],
		["a store that commits", store, "await services.commit([statement], undefined);", "store"],
		["a store that commits in another home", store, "await services.at(home).commitRegardless([statement]);", "store"],
		["a store that imports a plan", store, 'import { post } from "../current-accounts/ledger/plan";', "store"],
		["a store that imports a procedure", store, 'import { tryCode } from "../otp/procedure";', "procedure"],
		["a plan that runs a statement", "src/domains/users/plan.ts", "await there.read(statement);", "plan"],
		["a plan that commits", "src/domains/users/plan.ts", "await services.commit(writes, answer);", "plan"],
		["a plan that imports a procedure", "src/domains/otp/plan.ts", 'import { tryCode } from "./procedure";', "procedure"],
		["a procedure that imports an operation", "src/domains/otp/procedure.ts", 'import { a } from "./operations";', "procedure"],
		["a wire that imports a store", "src/domains/users/wire.ts", 'import { findUser } from "./store";', "wire"],
		["a table that imports a store", "src/domains/users/table.ts", 'import { findUser } from "./store";', "table"],
		["a table that imports values of a wire", "src/domains/users/table.ts", 'import { User } from "./wire";', "table"],
		["a table of the database that imports its access", "src/db/a.table.ts", 'import { Database } from "./database";', "table"],
		["a job that imports the framework", "src/domains/users/job.ts", 'import { mount } from "../../http/mount";', "job"],
		["a job that another domain imports", "src/domains/otp/operations.ts", 'import { a } from "../users/job";', "job"],
		["an operation that a store imports", store, 'import { getMe } from "./operations";', "operations"],
		["an operation that a callers file imports", "src/domains/users/callers.ts", 'import { getMe } from "./operations";', "operations"],
		["a cache that commits", "src/domains/branding/cache.ts", "await services.commit(writes, answer);", "cache"],
		["a signature that asks the database", "src/domains/tokens/a.crypto.ts", 'import { keyset } from "../../db/keyset";', "crypto"],
		["a signature that reads the clock", "src/domains/tokens/a.crypto.ts", "const a = Date.now();", "crypto"],
		["an adapter that another domain imports", "src/domains/users/plan.ts", 'import { a } from "../organizations/a.adapter";', "adapter"],
		["an adapter that commits", "src/domains/organizations/a.adapter.ts", "await databases.directory.commit(writes);", "adapter"],
		["a Durable Object that imports a store", "src/domains/webhooks/a.object.ts", 'import { a } from "./store";', "object"],
		["a Durable Object that another domain imports", "src/domains/work/plan.ts", 'import { A } from "../webhooks/a.object";', "object"],
	])("refuse %s", (_, file, text, rule) => {
		const found = judge({ [file]: text });
		expect(found.filter((one) => one.startsWith(`${rule}: ${file} `))).not.toEqual([]);
	});

	it.each([
		["imports downwards", "src/wiring/app.ts", 'import { a } from "../domains/users/operations";\nimport { b } from "../shared/time";'],
		["a job of the same domain", "src/domains/webhooks/feed/operations.ts", 'import { a } from "../deliveries/job";'],
		["a plan of what a job does after the commit", "src/domains/messages/plan.ts", 'import { sendMessages } from "./job";'],
		["a plan with a type of a procedure", "src/domains/otp/plan.ts", 'import type { SendCaps } from "./procedure";'],
		["a procedure that reads and commits", "src/domains/otp/procedure.ts", "await db.read(a); await services.commitRegardless([b]);"],
		["a policy with a date of an instant handed in", policy, "const a = new Date(now);"],
		["comments and texts that name what is forbidden", policy, '// Date.now() and the caller\'s crypto\nconst a = "Math.random()";'],
		["a commented import", policy, '/* import { sql } from "drizzle-orm"; */'],
		["a table with an enum of a lifecycle", "src/domains/loans/applications/table.ts", 'import { A } from "./lifecycle";'],
		["a table with a type of a wire", "src/domains/app-settings/table.ts", 'import { type A, type B } from "./wire";'],
	])("allow %s", (_, file, text) => {
		expect(judge({ [file]: text })).toEqual([]);
	});

	it("see every form of import, on one line or many", () => {
		const text =
			'import {\n\ta,\n\ttype B,\n} from "./x";\nimport type { C } from "../y.ts";\nexport * from "./z";\nimport * as w from "zod";\n';
		expect(importsOf("src/db/a.ts", text)).toEqual([
			{ target: "src/db/x.ts", typeOnly: false },
			{ target: "src/y.ts", typeOnly: true },
			{ target: "src/db/z.ts", typeOnly: false },
			{ target: "zod", typeOnly: false },
		]);
	});
});
