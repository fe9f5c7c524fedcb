// The words of what people read: who does what to what, in words of the field.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { testsIn } from "../src/dev/test-titles.ts";

/** Words that make a sentence a riddle, each with what says it plainly. */
const RULES: readonly (readonly [RegExp, string])[] = [
	[/\b(?:tells?|told|telling)\b(?! (?:us|you))/gi, "say who sends, reports, returns or prints it"],
	[/\b(?:who|what|which|whom)(?:so)?ever\b/gi, "name who or what it is"],
	[/\b(?:ones? that|one which|that of which|those of which)\b/gi, "repeat the noun"],
	[/\bbesides?\b/gi, "next to, in addition to, or while"],
	[/\banew\b/gi, "again"],
	[/(?<=^|[.:!] )What [^?.]*[.;:]/gm, "begin with who acts: a clause is no subject"],
	[/\bgoes on (?!to\b)/gi, "continues"],
];

/** The longest sentence, in words. */
const LONGEST = 45;

/** Without what is code. */
const proseOf = (markdown: string): string =>
	markdown
		.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ""))
		.replaceAll(/^<!--.*-->$/gm, "")
		.replaceAll(/`[^`\n]+`/g, "x")
		.replaceAll("**", "")
		.replaceAll(/\]\([^)]*\)/g, "]");

const lineAt = (prose: string, index: number): number => prose.slice(0, index).split("\n").length;

/** What breaks a rule of words, each with its line and the rule's remedy. */
function wordsIn(prose: string): string[] {
	return RULES.flatMap(([rule, remedy]) =>
		[...prose.matchAll(rule)].map(({ 0: found, index }) => `${lineAt(prose, index)}: "${found.trim()}": ${remedy}`),
	);
}

/** What breaks a rule in a page. */
function riddlesIn(markdown: string): string[] {
	const prose = proseOf(markdown);
	// Sentences of paragraphs and of items of lists; a table's cells are no sentences.
	const paragraphs = [...prose.matchAll(/(?:^(?![|#\s]).+\n?(?:^(?![|#\-\d]).+\n?)*)/gm)];
	const long = paragraphs.flatMap(({ 0: paragraph, index }) =>
		paragraph
			.split(/(?<=[.:;!?])\s/)
			.filter((sentence) => sentence.split(/\s+/).length > LONGEST)
			.map((sentence) => `${lineAt(prose, index)}: over ${LONGEST} words: ${sentence.slice(0, 60)}…`),
	);
	return [...wordsIn(prose), ...long];
}

/** Summaries, descriptions and titles of a JSON document, by their place. */
function textsOf(node: unknown, place = ""): [string, string][] {
	if (typeof node !== "object" || node === null) return [];
	return Object.entries(node).flatMap(([name, value]): [string, string][] => {
		if (typeof value === "string") return /^(?:summary|description|title)$/.test(name) ? [[`${place}/${name}`, value]] : [];
		return /^examples?$/.test(name) ? [] : textsOf(value, `${place}/${name}`);
	});
}

/** Texts of sources: literals and the text between tags, of several words, on lines that are no comments. */
const literalsOf = (source: string): string =>
	source
		.split("\n")
		.map((line) => (/^\s*(?:\/\/|\/?\*)/.test(line) ? "" : line))
		.map((line) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"|`([^`]*)`|>([^<>{}]+)</g)].map(([, a, b, c]) => a ?? b ?? c ?? ""))
		.map((texts) => texts.filter((text) => text.trim().split(/\s+/).length > 2 && !text.includes("${")).join(". "))
		.join(".\n");

/** The texts between tags that are longer than a line. */
const paragraphsOf = (source: string): string =>
	[...source.matchAll(/[>}]([^<>{}`;=()]*\n[^<>{}`;=()]*)[<{]/g)].map(([, text = ""]) => text.replaceAll(/\s+/g, " ").trim()).join("\n");

const PAGES = [
	"README.md",
	"client/README.md",
	"src/webhook-verify/README.md",
	...readdirSync("docs/guides").map((name) => `docs/guides/${name}`),
	...readdirSync("docs/decisions").map((name) => `docs/decisions/${name}`),
	"CHANGELOG.md",
	"CONTRIBUTING.md",
	"SECURITY.md",
	...readdirSync("docs")
		.filter((name) => name.endsWith(".md"))
		.map((name) => `docs/${name}`),
];

describe("a sentence", () => {
	it.each([
		["What goes is the sandbox.", "a clause is no subject"],
		["`x` tells of it.", "say who sends"],
		["Whoever asks gets it.", "name who"],
		["Put it beside the old one.", "next to"],
		["Send the one that failed.", "repeat the noun"],
		[`It ${"and ".repeat(LONGEST)}ends.`, "over 45 words"],
	])("is found: %s", (sentence, remedy) => {
		expect(riddlesIn(sentence)).toEqual([expect.stringContaining(remedy)]);
	});

	it.each(["What is due?\n", "You can tell us.\n", "```sh\nWhat goes is code.\n```\n", "Read `whatever`.\n"])(
		"may stay: %s",
		(sentence) => {
			expect(riddlesIn(sentence)).toEqual([]);
		},
	);
});

describe("the words of", () => {
	it.each(PAGES)("%s", (page) => {
		expect(riddlesIn(readFileSync(page, "utf8"))).toEqual([]);
	});
});

it("the words of the names of tests", () => {
	const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter(
		(name) => name.endsWith(".test.ts") && !name.includes("node_modules"),
	);
	const names = files.flatMap((file) =>
		[...new Set(testsIn(readFileSync(`test/${file}`, "utf8")).flatMap(({ titles }) => titles))].map((name) => [file, name] as const),
	);
	expect(names.length).toBeGreaterThan(3_000);
	expect(names.flatMap(([file, name]) => wordsIn(proseOf(name)).map((found) => `${file} ${found}`))).toEqual([]);
});

it("the words of the ledger's promises", () => {
	const promises = readFileSync("test/ledger.txt", "utf8")
		.split("\n")
		.map((line) => line.split(" | ")[1] ?? "");
	expect(promises.length).toBeGreaterThan(1_500);
	expect(wordsIn(promises.map(proseOf).join("\n"))).toEqual([]);
});

it("the words of comments", () => {
	const files = ["bench", "client/src", "src", "test", "tools"].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:node_modules|out)\//.test(name))
			.map((name) => `${folder}/${name}`),
	);
	const comments = (source: string) =>
		(source.match(/(?:^\s*\/?\*|(?:^|[^:"'`/])\/\/ ).*$/gm) ?? []).map((line) => line.replace(/^.*?(?:\/\/|\/?\*+)\s?/, ""));
	expect(
		files.flatMap((file) =>
			// A comment that names a thing may begin with a clause: it is no sentence.
			comments(readFileSync(file, "utf8"))
				.flatMap((line) => wordsIn(proseOf(line.replace(/^What\b/, "Which"))))
				.map((found) => `${file} ${found}`),
		),
	).toEqual([]);
});

it("the words of the OpenAPI document", () => {
	const document = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
	expect(textsOf(document).flatMap(([place, text]) => wordsIn(proseOf(text)).map((found) => `${place} ${found}`))).toEqual([]);
});

it("the words of refusals, remedies and pages of the console", () => {
	const files = ["src/console", "src/domains", "src/http", "src/messages", "src/shared", "tools"].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((name) => /\.tsx?$/.test(name))
			.map((name) => `${folder}/${name}`),
	);
	expect(
		files.flatMap((file) =>
			[literalsOf, paragraphsOf].flatMap((textsIn) => wordsIn(textsIn(readFileSync(file, "utf8"))).map((found) => `${file}:${found}`)),
		),
	).toEqual([]);
});
