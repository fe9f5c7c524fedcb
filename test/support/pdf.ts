// Reads a PDF file of ours back, without a program for PDF files: its facts, and the texts of each page by their places.

import { inflateSync } from "node:zlib";

type Said = { readonly x: number; readonly y: number; readonly size: number; readonly text: string };

/** What ASCII85 stands for. */
function bytesOf(text: string): Buffer {
	const letters = text.replaceAll(/\s|~>/g, "").replaceAll("z", "!!!!!");
	const parts: number[] = [];
	for (let at = 0; at < letters.length; at += 5) {
		const group = letters.slice(at, at + 5);
		const word = [...group.padEnd(5, "u")].reduce((sum, letter) => sum * 85 + letter.charCodeAt(0) - 33, 0);
		const four = Buffer.alloc(4);
		four.writeUInt32BE(word);
		parts.push(...four.subarray(0, group.length - 1));
	}
	return Buffer.from(parts);
}

/** A file, by its table of places. Throws where that is wrong. */
export function readPdf(file: string) {
	const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
	const table = file.slice(start).split("\n");
	if (table[0] !== "xref") throw new Error("the table of places is elsewhere");
	const count = Number(table[1]?.split(" ")[1]);
	const objects = new Map<number, string>();
	for (let number = 1; number < count; number++) {
		const at = Number(table[2 + number]?.slice(0, 10));
		const found = new RegExp(`^${number} 0 obj\\n([\\s\\S]*?)\\nendobj\\n`).exec(file.slice(at));
		if (!found?.[1]) throw new Error(`object ${number} is elsewhere`);
		objects.set(number, found[1]);
	}
	const object = (number: number) => objects.get(number) ?? "";
	const contentOf = (number: number): Buffer => {
		const [, length, text = ""] = /\/Length (\d+) [\s\S]*?stream\n([\s\S]*)\nendstream$/.exec(object(number)) ?? [];
		if (Number(length) !== text.length) throw new Error(`stream ${number} has another length`);
		return inflateSync(bytesOf(text));
	};
	const named = (text: string, name: string) => Number(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1]);
	const utf16 = (text: string, name: string) => {
		const hex = new RegExp(`/${name} <FEFF([0-9a-f]*)>`).exec(text)?.[1] ?? "";
		return Buffer.from(hex, "hex").swap16().toString("utf16le");
	};
	const trailer = file.slice(start);
	const catalogue = object(named(trailer, "Root"));
	const characters = new Map(
		[
			...contentOf(named(object(3), "ToUnicode"))
				.toString()
				.matchAll(/^<(\w{4})> <(\w{4})>$/gm),
		].map(([, glyph = "", code = ""]) => [glyph, String.fromCharCode(Number.parseInt(code, 16))]),
	);
	const saidOn = (page: number): Said[] =>
		[
			...contentOf(named(object(page), "Contents"))
				.toString()
				.matchAll(/^BT \/F1 (\S+) Tf .* rg (\S+) (\S+) Td <(\w*)> Tj ET$/gm),
		].map(([, size, x, y, hex = ""]) => ({
			...{ x: Number(x), y: Number(y), size: Number(size) },
			text: (hex.match(/.{4}/g) ?? []).map((glyph) => characters.get(glyph) ?? "\u0000").join(""),
		}));
	const kids = /\/Kids \[([^\]]*)\]/.exec(object(named(catalogue, "Pages")))?.[1] ?? "";
	const pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, page]) => saidOn(Number(page)));
	const info = object(named(trailer, "Info"));
	const font = contentOf(named(object(5), "FontFile2"));
	return {
		pages,
		texts: pages.map((page) => page.map(({ text }) => text)),
		title: utf16(info, "Title"),
		author: utf16(info, "Author"),
		language: utf16(catalogue, "Lang"),
		font,
	};
}
