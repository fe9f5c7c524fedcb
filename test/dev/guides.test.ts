// Every request of the guides, run in one shell as it is written, in the order of the page; each answer has what the page shows of it.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOwnService } from "../../src/dev/own-service.ts";
import type { Service } from "../../src/dev/service.ts";

const DIRECTORY = "docs/guides";
/** The address that the guides name, as `npm start` prints it. */
const ADDRESS = "http://127.0.0.1:8787";
const root = path.resolve(import.meta.dirname, "../..");
const scratch = mkdtempSync(path.join(tmpdir(), "guides-"));

type Block = { readonly language: string; readonly code: string };

let service: Service;
beforeAll(async () => {
	service = await startOwnService(path.join(scratch, "state"));
});
afterAll(async () => {
	await service.stop();
	rmSync(scratch, { recursive: true, force: true });
});

const blocksOf = (markdown: string): Block[] =>
	[...markdown.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({ language, code }));

/** A program of the client, run with the variables of the shell so far. */
function program(code: string, name: string): string {
	const file = path.join(scratch, `${name}.ts`);
	const imports: Readonly<Record<string, string>> = {
		"@financial-account-service/client": "client/src/index.ts",
		"./verify": "src/webhook-verify/verify.ts",
	};
	writeFileSync(
		file,
		code.replaceAll(
			/from "([^"]+)"/g,
			(_, from: string) => `from ${JSON.stringify(imports[from] ? path.join(root, imports[from]) : from)}`,
		),
	);
	return `'${process.execPath}' --disable-warning=ExperimentalWarning '${file}'`;
}

/** What each block of commands printed, by its place among the blocks. */
async function run(blocks: readonly Block[], name: string): Promise<ReadonlyMap<number, string>> {
	const marked = blocks.flatMap(({ language, code }, place) => {
		if (language !== "sh" && language !== "ts") return [];
		const command = language === "sh" ? code : program(code, `${name}-${place}`);
		return [`echo; echo '%%% ${place}'`, command];
	});
	const script = ["set -aeu", ...marked, "echo", "echo '%%% end'"].join("\n").replaceAll(ADDRESS, service.url);
	const shell = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });
	let [out, complaints] = ["", ""];
	shell.stdout.on("data", (chunk) => {
		out += chunk;
	});
	shell.stderr.on("data", (chunk) => {
		complaints += chunk;
	});
	const status = await new Promise((resolve) => shell.on("close", resolve));
	expect({ status, complaints }, out.slice(-2000)).toEqual({ status: 0, complaints: "" });
	const printed = out.split(/^%%% /m).map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf("\n") + 1).trim()] as const);
	return new Map(printed.filter(([place]) => !Number.isNaN(place)));
}

/** Differs from one run to the next: a day, an instant, an address; or is left out on the page. */
const VARYING = /…|^\d{4}-\d\d-\d\d|^https?:/;

/** The answer has what the page shows: the members it names, with their values, but for those that differ each time. */
function shown(expected: unknown, actual: unknown): unknown {
	if (Array.isArray(expected)) return expected.map((item, index) => shown(item, (actual as unknown[] | undefined)?.[index]));
	if (typeof expected === "object" && expected !== null) {
		const members = actual as Record<string, unknown> | null | undefined;
		return Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, shown(value, members?.[name])]));
	}
	return typeof expected === "string" && VARYING.test(expected) && typeof actual === "string" && actual !== "" ? expected : actual;
}

/** The last of several answers: a block may make more requests than the one whose answer is shown. */
const lastOf = (printed: string): unknown => {
	const text = printed.slice(Math.max(printed.lastIndexOf("}{") + 1, printed.lastIndexOf("\n{") + 1, 0));
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

const names = readdirSync(DIRECTORY)
	.filter((name) => name.endsWith(".md"))
	.map((name) => name.replace(/\.md$/, ""));

/** What is set up at a provider of identities, where nothing is asked of the service. */
const WITHOUT_REQUESTS = "console-sign-in";

it("the guides are fourteen", () => {
	expect(names).toHaveLength(14);
});

describe.each(names.filter((name) => name !== WITHOUT_REQUESTS))("%s", (name) => {
	it("does what it says", async () => {
		const blocks = blocksOf(readFileSync(path.join(DIRECTORY, `${name}.md`), "utf8"));
		expect(blocks.filter(({ language }) => language === "sh" || language === "ts").length).toBeGreaterThan(1);
		const printed = await run(blocks, name);
		for (const [place, { language, code }] of blocks.entries()) {
			if (language !== "json" && language !== "csv" && language !== "text") continue;
			const before = printed.get(place - 1);
			expect(before, `nothing is run before the answer ${code}`).toBeDefined();
			if (language === "json") {
				const expected = JSON.parse(code);
				expect(shown(expected, lastOf(before ?? "")), `${before}`).toEqual(expected);
			} else for (const line of code.trim().split("\n")) expect(before).toContain(line);
		}
	});
});
