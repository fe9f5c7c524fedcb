// PDF files are read back as they were written, in ASCII alone, and other programs read them too.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pdfFont } from "../../../src/dev/pdf-font";
import { newDocument } from "../../../src/shared/pdf/document";
import { readPdf } from "../../support/pdf";

const FACTS = { title: "Relevé", author: "የእኛ Bank", language: "am", createdAt: Date.UTC(2026, 2, 1, 8, 30), digest: "0a".repeat(32) };

async function written(...texts: readonly string[]): Promise<string> {
	const document = await newDocument();
	const page = document.page();
	texts.forEach((text, index) => {
		page.text(40, 40 + index * 20, text, { size: 10, bold: index === 0 });
	});
	return document.file(FACTS);
}

const isThere = (program: string): boolean => spawnSync(program, ["-v"]).error === undefined;

it("the font is as the installed package makes it", () => {
	const file = path.resolve(import.meta.dirname, "../../../src/shared/pdf/noto-sans.json");
	expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(pdfFont()));
});

describe("a PDF file", () => {
	it("has its texts and facts, in the letters of each of our languages, and is ASCII", async () => {
		const texts = ["Àéîõüçß Œ", "Ng'ang'a – Wanjikũ", "አበበ በቀለ፦ 1,250.50።", "Žižková Łódź Țepeș", "№ 5 €"];
		const file = await written(...texts);
		expect(file).toMatch(/^[\t\n -~]*$/);
		const { texts: read, title, author, language } = readPdf(file);
		expect(read).toEqual([["Àéîõüçß Œ", "Ng'ang'a – Wanjikũ", "አበበ በቀለ፦ 1,250.50።", "Žižková Łódź Țepeș", "\ufffd 5 €"]]);
		expect({ title, author, language }).toEqual({ title: FACTS.title, author: FACTS.author, language: "am" });
	});

	it("shows letters that the font lacks without their marks, and any other character as the replacement character", async () => {
		expect(readPdf(await written("Nguyễn", "محمد", "张", "😀x", "e\u0301 q\u0301", "a\tb")).texts[0]).toEqual([
			"Nguyen",
			"\ufffd\ufffd\ufffd\ufffd",
			"\ufffd",
			"\ufffdx",
			"é q",
			"a b",
		]);
	});

	it("carries the outlines of the letters that it shows alone", async () => {
		const [few, many] = [readPdf(await written("a")), readPdf(await written("አበበ በቀለ በቀለች abcdefghijklmnopqrstuvwxyz"))];
		expect([few.font.length < 3_000, many.font.length > 6_000]).toEqual([true, true]);
		expect((await written("Wanjiku", "KES 1,250.50")).length).toBeLessThan(6_000);
	});

	it("parts a text into lines that fit, within a word where that alone is too wide", async () => {
		const document = await newDocument();
		const lines = document.lines(`Wanjiku wa Ngugi ${"W".repeat(60)}`, 10, 120);
		expect(lines.join("").replaceAll(" ", "")).toBe(`WanjikuwaNgugi${"W".repeat(60)}`);
		expect(lines.every((line) => document.font.measure(line, 10) <= 120)).toBe(true);
		expect(lines.length).toBeGreaterThan(4);
	});

	it.skipIf(!isThere("pdftotext") || !isThere("pdfinfo"))("is read by poppler's pdftotext and pdfinfo", async () => {
		const file = path.join(mkdtempSync(path.join(tmpdir(), "pdf-")), "file.pdf");
		writeFileSync(file, await written("Àéîõü Wanjikũ", "አበበ በቀለ 1,250.50"));
		const read = spawnSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
		expect([
			read.stderr,
			read.stdout
				.split("\n")
				.map((line) => line.trim())
				.filter(Boolean),
		]).toEqual(["", ["Àéîõü Wanjikũ", "አበበ በቀለ 1,250.50"]]);
		expect(execFileSync("pdfinfo", [file], { encoding: "utf8" })).toMatch(
			/Title: +Relevé[\s\S]*Author: +የእኛ Bank[\s\S]*Pages: +1[\s\S]*A4/,
		);
	});
});
