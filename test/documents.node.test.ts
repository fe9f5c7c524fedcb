// The documents claim nothing without proof: each test, file, command and name of code that they mention exists, and their code compiles.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lockOf, lostOperations } from "../src/dev/api-lock";
import { madeDocument } from "../src/dev/document-made";
import { PAYMENT_PROVIDERS } from "../src/shared/payment-providers";
import { webhookDigest } from "../src/webhook-verify/verify";
import { ROLES } from "./architecture.data.ts";
import receiver from "./documents/receiver.ts";

const documents = [
	"README.md",
	"CONTRIBUTING.md",
	"CHANGELOG.md",
	"SECURITY.md",
	"src/webhook-verify/README.md",
	...readdirSync("docs").map((name) => `docs/${name}`),
	...readdirSync("docs/decisions").map((name) => `docs/decisions/${name}`),
].filter((file) => file.endsWith(".md"));
const text = (file: string): string => readFileSync(file, "utf8");
const quotedIn = (part: string): string[] => [...part.matchAll(/`([^`\n]+)`/g)].map(([, quoted = ""]) => quoted);

/** The rows of every table whose last column is headed `Test`. Where a first cell is empty, that of the row above it stands. */
function claimsOf(file: string): { claim: string; rule: string; names: string[] }[] {
	let inTable = false;
	let claim = "";
	return text(file)
		.split("\n")
		.flatMap((line) => {
			const cells = line.split("|").slice(1, -1);
			const last = cells.at(-1)?.trim() ?? "";
			if (!line.startsWith("|")) inTable = false;
			if (/^Tests?$/.test(last)) inTable = true;
			const isRow = inTable && !/^(Tests?|-+)$/.test(last) && !/^ \*\*.*\*\* $/.test(cells[0] ?? "");
			if (!isRow) return [];
			claim = cells[0]?.trim() || claim;
			return [{ claim, rule: cells[1]?.trim() ?? "", names: quotedIn(last) }];
		});
}

/** The blocks of TypeScript in a document, each with the file that is named above it. README's two blocks are named by what they import. */
const blocksOf = (file: string): { name: string; code: string }[] =>
	[...text(file).matchAll(/(?:^`((?:src|test)\/[^`\n]+)`\n\n)?^```ts\n([\s\S]*?)^```$/gm)].map(([, name, code = ""]) => ({
		name: name ?? `test/documents/${code.includes("webhook-verify") ? "receiver" : "borrow"}.ts`,
		code,
	}));

const tests = (names: readonly string[]) => names.filter((name) => !name.startsWith("npm run "));

const decisions = documents.filter((file) => file.startsWith("docs/decisions/"));

describe("the pages of decisions", () => {
	const index = [...text("docs/decisions.md").matchAll(/\]\((decisions\/[\w-]+\.md)\) \| (\d+) \|/g)];

	it("are all in the index, each with its number of rules", () => {
		const rules = Object.fromEntries(index.map(([, file, count]) => [`docs/${file}`, Number(count)]));
		expect(rules).toEqual(Object.fromEntries(decisions.map((file) => [file, claimsOf(file).length])));
	});

	it("are of different subjects: no rule stands twice", () => {
		const rules = decisions.flatMap(claimsOf).map(({ claim, rule }) => `${claim}: ${rule}`);
		expect(rules.length).toBeGreaterThan(900);
		expect(rules.filter((rule, place) => rules.indexOf(rule) !== place)).toEqual([]);
		// All rules of one subject stand together, in one table.
		const claims = decisions
			.flatMap((file) => text(file).match(/^\| [^|]+ \| (?=[^|])/gm) ?? [])
			.filter((claim) => !claim.startsWith("| Where"));
		expect(claims.filter((claim, place) => claims.indexOf(claim) !== place)).toEqual([]);
	});

	it("have a sentence for each rule", () => {
		const rules = decisions.flatMap(claimsOf).map(({ rule }) => rule);
		expect(rules.filter((rule) => /[.!?] +[A-Z]/.test(rule.replaceAll(/`[^`]*`/g, "x")))).toEqual([]);
	});
});

describe.each([...decisions, "docs/security.md"])("the table of %s", (file) => {
	const claims = claimsOf(file);

	it("names tests", () => {
		expect(claims.flatMap(({ names }) => tests(names)).length).toBeGreaterThan(3);
	});

	it.each(claims.map(({ claim, names }) => [claim, names] as const))("names a test that exists: %s", (_, names) => {
		// Of the threats some are said to be open.
		if (file !== "docs/security.md") expect(names).not.toEqual([]);
		for (const name of tests(names)) {
			expect(
				[`test/${name}.test.ts`, `test/${name}.node.test.ts`, `test/${name}.workerd.test.ts`].some((path) => existsSync(path)),
				name,
			).toBe(true);
		}
	});
});

const { scripts } = JSON.parse(text("package.json")) as { scripts: Record<string, string> };
const sources = [
	...readdirSync("src", { recursive: true, encoding: "utf8" }),
	...readdirSync("test", { recursive: true, encoding: "utf8" }),
];
const code = readdirSync("src", { recursive: true, encoding: "utf8" })
	.filter((name) => name.endsWith(".ts"))
	.map((name) => text(`src/${name}`))
	.join("\n");

describe.each(documents)("%s", (file) => {
	it("names commands that exist", () => {
		const named = [...text(file).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = ""]) => name);
		for (const name of named) expect(scripts).toHaveProperty([name]);
	});

	it("names files that exist", () => {
		const named = quotedIn(text(file)).filter((name) => /^\w[\w./-]*\.(ts|md|json|toml)$/.test(name));
		const known = (name: string) =>
			existsSync(name) ||
			sources.some((source) => source === name || source.endsWith(`/${name}`) || source.replace(/^domains\//, "") === name) ||
			Object.keys(ROLES).includes(path.basename(name, ".ts")) ||
			// The examples of CONTRIBUTING and docs/money.md.
			/^(?:src|test)\/domains\/(?:notes|tips)\//.test(name);
		expect(named.filter((name) => !known(name))).toEqual([]);
	});

	it("names functions that exist", () => {
		const called = quotedIn(text(file)).flatMap((name) => /^(?:\w+\.)*(\w+)\([^)]*\)$/.exec(name)?.[1] ?? []);
		expect(called.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
	});
});

/** Where the code of a document stands as a file, which `npm run check` compiles, and that file's text with the imports of its place. */
const PLACES: Readonly<Record<string, { readonly file: string; readonly placed: (code: string) => string }>> = {
	"test/documents/receiver.ts": { file: "test/documents/receiver.ts", placed: (code) => code.replaceAll('"./src/', '"../../src/') },
	"test/documents/borrow.ts": {
		file: "test/documents/borrow.ts",
		placed: (code) => code.replace('"@financial-account-service/client"', '"../../client/src/index"'),
	},
	"test/domains/notes/operations.test.ts": {
		file: "test/documents/notes/test.ts",
		placed: (code) => code.replaceAll('"../../../src/domains/notes/', '"./'),
	},
	"src/domains/tips/operations.ts": {
		file: "test/documents/tips/operations.ts",
		placed: (code) => code.replace(/"\.\.\/(\.\.\/)?/g, (_, up?: string) => (up ? '"../../../src/' : '"../../../src/domains/')),
	},
	...Object.fromEntries(
		["table", "events", "wire", "operations"].map((kind) => [
			`src/domains/notes/${kind}.ts`,
			{ file: `test/documents/notes/${kind}.ts`, placed: (code: string) => code.replaceAll('"../../', '"../../../src/') },
		]),
	),
};

/** The linter sorts imports by their paths, which are others in another place. */
const sorted = (code: string): string => {
	const lines = code.split("\n");
	return [...lines.filter((line) => line.startsWith("import ")).toSorted(), ...lines.filter((line) => !line.startsWith("import "))].join(
		"\n",
	);
};

describe("the code", () => {
	it("of README and CONTRIBUTING is that of the files which are compiled with the tests", () => {
		const blocks = ["README.md", "CONTRIBUTING.md", "docs/money.md"].flatMap(blocksOf);
		expect(blocks.map(({ name }) => name).toSorted()).toEqual(Object.keys(PLACES).toSorted());
		for (const { name, code } of blocks)
			expect(sorted(text(PLACES[name]?.file ?? ""))).toBe(sorted(PLACES[name]?.placed(code) ?? "no place"));
	});

	it("of README's receiver accepts what is signed and refuses the rest", async () => {
		const answer = async (signature: string) => {
			const request = new Request("https://receiver.example", {
				method: "POST",
				body: "{}",
				headers: { "X-Service-Signature": signature },
			});
			return (await receiver.fetch(request, { SECRET: "whsec_1" })).status;
		};
		const now = Math.floor(Date.now() / 1000);
		expect(await answer(`t=${now},v1=${await webhookDigest("whsec_1", String(now), "{}")}`)).toBe(200);
		expect(await answer(`t=${now},v1=${await webhookDigest("whsec_2", String(now), "{}")}`)).toBe(401);
	});
});

describe("the table of variables", () => {
	it("names exactly those that the service reads", () => {
		const running = text("docs/running.md");
		const table = running.slice(running.indexOf("| Name"), running.indexOf("## Deployment"));
		const config = text("src/runtime/config.ts");
		const read = [...config.slice(config.indexOf("const Variables"), config.indexOf(".superRefine(")).matchAll(/^\t\t([A-Z_]+): /gm)];
		const ofOthers = ["messages", "openfga", "operating"].flatMap((name) =>
			Array.from(text(`src/runtime/config.${name}.ts`).matchAll(/^\t([A-Z_]+): /gm), ([, variable]) => variable),
		);
		expect([read.length > 25, ofOthers.length > 13]).toEqual([true, true]);
		const named = new Set(
			[...table.matchAll(/`([A-Z]+(?:_[A-Z]+)+|ENVIRONMENT|RELEASE|PLACES|DISBURSER|CUSTODIAN|WRITES)`/g)].map(([, name]) => name),
		);
		const standsIn = PAYMENT_PROVIDERS.map((provider) => `${provider.toUpperCase()}_URL`);
		expect([...named].toSorted()).toEqual([...read.map(([, name]) => name), ...ofOthers, ...standsIn].toSorted());
	});
});

it("README is short", () => {
	const lines = text("README.md").split("\n");
	expect(lines.length).toBeLessThanOrEqual(91);
	expect(lines.filter((line) => line.length > 140)).toEqual([]);
});

describe("docs/openapi.json and docs/api.lock", () => {
	it("is what the operations say", async () => {
		const { document, lock } = await madeDocument(process.cwd());
		for (const { text, committed } of [document, lock])
			expect(committed === text, "out of date: run npm run document, and commit what it writes").toBe(true);
		const operations = lock.text.match(/^\w+ {2}[A-Z]+ \//gm) ?? [];
		expect(operations.length).toBeGreaterThan(200);
		// Some 2,700 bytes an operation: readers load all of it.
		expect(document.text.length).toBeLessThan(790_000);
	});

	it("is not written without an operation that clients know, unless that is meant", () => {
		const lock = (paths: object) => lockOf({ paths, webhooks: {}, components: { schemas: {}, responses: {} } } as never);
		const operation = (operationId: string) => ({ get: { operationId, responses: { 200: { description: "Done" } } } });
		const before = lock({ "/a": operation("readA"), "/b": operation("readB") });
		expect(lostOperations(before, before)).toEqual([]);
		expect(lostOperations(before, lock({ "/a": operation("readA") }))).toEqual(["readB: GET /b"]);
		expect(lostOperations(before, lock({ "/a": operation("getA"), "/b": operation("readB") }))).toEqual(["readA: GET /a"]);
	});
});

it("docs/api.lock says in a line what an operation takes and answers", () => {
	const text = { type: "string" };
	const model = { type: "object", properties: { id: text, notes: { type: "array", items: text } }, required: ["id"] };
	const content = (schema: object) => ({ "application/json": { schema } });
	const write = {
		operationId: "writeNote",
		parameters: [
			{ name: "id", in: "path", required: true, schema: text },
			{ name: "after", in: "query", required: false, schema: text },
			{ name: "Idempotency-Key", in: "header", required: false, schema: text },
		],
		requestBody: { required: true, content: content({ type: "object", properties: { by: model, body: text }, required: ["body"] }) },
		responses: { 201: { content: content({ $ref: "#/components/schemas/Note" }) }, 404: { $ref: "#/components/responses/NotFound" } },
	};
	const data = { type: "object", properties: { note_id: text }, required: ["note_id"] };
	const delivery = { requestBody: { content: content({ type: "object", properties: { data } }) } };
	const lock = lockOf({
		paths: { "/v1/notes/{id}": { post: write } },
		webhooks: { "note.written": { post: delivery } },
		components: { schemas: { Note: model }, responses: {} },
	} as never);
	expect(lock.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
		"writeNote  POST /v1/notes/{id}  (?after?, :Idempotency-Key?, {by?: {id, notes?[]}, body})  201 Note | 404",
		"event  note.written  (note_id)",
		"model  Note  (id, notes?[])",
	]);
});
