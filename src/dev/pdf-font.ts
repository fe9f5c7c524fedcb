// `npm run pdf-font`: writes the one font of our PDF files, out of Noto Sans and Noto Sans Ethiopic as @fontsource has them (SIL Open Font License 1.1):
// the outlines of the Latin and the Ethiopic letters, without what a PDF does without.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { repository } from "./service.ts";

/** The letters of our languages and of names: Latin as far as European and African names need it, punctuation, and Ethiopic. */
const WANTED: readonly (readonly [from: number, to: number])[] = [
	[0x20, 0x7e],
	[0xa0, 0xff],
	[0x100, 0x17f],
	[0x181, 0x1b4],
	[0x218, 0x21b],
	[0x253, 0x272],
	[0x2010, 0x2026],
	[0x20ac, 0x20ac],
	[0x2122, 0x2122],
	[0x2212, 0x2212],
	[0xfffd, 0xfffd],
	[0x1200, 0x137f],
];
/** The files of the two fonts, which are drawn to stand next to each other. */
const PARTS = ["noto-sans-latin", "noto-sans-latin-ext", "noto-sans-ethiopic-ethiopic"] as const;

/** Flags of a part of a composite glyph (OpenType, "glyf"). */
const [WORDS, SCALED, MORE, SCALED_XY, TWO_BY_TWO] = [0x1, 0x8, 0x20, 0x40, 0x80] as const;

/** Where a composite glyph names the glyphs that it is made of. */
export function partsOf(glyph: Buffer): number[] {
	const places: number[] = [];
	if (glyph.length === 0 || glyph.readInt16BE(0) >= 0) return places;
	for (let at = 10; ; ) {
		const flags = glyph.readUInt16BE(at);
		places.push(at + 2);
		at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALED ? 2 : flags & SCALED_XY ? 4 : flags & TWO_BY_TWO ? 8 : 0);
		if (!(flags & MORE)) return places;
	}
}

/** The tables of a WOFF file. */
function tablesOf(woff: Buffer): ReadonlyMap<string, Buffer> {
	return new Map(
		Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
			const at = 44 + index * 20;
			const [offset, packed, length] = [4, 8, 12].map((place) => woff.readUInt32BE(at + place)) as [number, number, number];
			const content = woff.subarray(offset, offset + packed);
			return [woff.toString("latin1", at, at + 4), packed < length ? inflateSync(content) : content];
		}),
	);
}

/** The glyphs of the characters, by the table's subtable of format 4 for the Basic Multilingual Plane. */
function charactersOf(cmap: Buffer): ReadonlyMap<number, number> {
	const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => cmap.readUInt32BE(4 + index * 8 + 4));
	const at = subtables.find((offset) => cmap.readUInt16BE(offset) === 4);
	if (at === undefined) throw new Error("the font has no subtable of format 4");
	const segments = cmap.readUInt16BE(at + 6) / 2;
	const found = new Map<number, number>();
	for (let segment = 0; segment < segments; segment++) {
		const place = (column: number) => at + 14 + (column === 0 ? 0 : 2) + (column * segments + segment) * 2;
		const [end, start, delta, range] = [0, 1, 2, 3].map((column) => cmap.readUInt16BE(place(column))) as [number, number, number, number];
		for (let code = start; code <= end && code < 0xffff; code++) {
			const glyph = range === 0 ? code : cmap.readUInt16BE(place(3) + range + (code - start) * 2);
			if (glyph !== 0) found.set(code, (glyph + (range === 0 || glyph !== 0 ? delta : 0)) & 0xffff);
		}
	}
	return found;
}

/** The text of `src/shared/pdf/noto-sans.json`. */
export function pdfFont(): string {
	const require = createRequire(import.meta.url);
	const glyphs: Buffer[] = [];
	const widths: number[] = [];
	const codes: number[] = [];
	let metrics = { ascent: 0, descent: 0, box: [0, 0, 0, 0] };
	/** Composites whose parts are not there yet. */
	const later: (() => void)[] = [];
	for (const part of PARTS) {
		const file = require.resolve(`@fontsource/${part.replace(/-(?:latin|latin-ext|ethiopic)$/, "")}/files/${part}-400-normal.woff`);
		const tables = tablesOf(readFileSync(file));
		const table = (name: string) => tables.get(name) ?? Buffer.alloc(0);
		const [head, hhea, loca, glyf, hmtx] = [table("head"), table("hhea"), table("loca"), table("glyf"), table("hmtx")];
		const offset = (glyph: number) => (head.readInt16BE(50) === 0 ? loca.readUInt16BE(glyph * 2) * 2 : loca.readUInt32BE(glyph * 4));
		const measured = hhea.readUInt16BE(34);
		const added = new Map<number, number>();
		const add = (glyph: number): number => {
			const known = added.get(glyph);
			if (known !== undefined) return known;
			const place = glyphs.length;
			added.set(glyph, place);
			const outline = Buffer.from(glyf.subarray(offset(glyph), offset(glyph + 1)));
			glyphs.push(outline);
			widths.push(hmtx.readUInt16BE(Math.min(glyph, measured - 1) * 4));
			later.push(() => {
				for (const named of partsOf(outline)) outline.writeUInt16BE(add(outline.readUInt16BE(named)), named);
			});
			return place;
		};
		if (part === PARTS[0]) {
			metrics = { ascent: hhea.readInt16BE(4), descent: hhea.readInt16BE(6), box: [36, 38, 40, 42].map((at) => head.readInt16BE(at)) };
			add(0);
			codes.push(0);
		}
		for (const [code, glyph] of [...charactersOf(table("cmap"))].toSorted(([one], [other]) => one - other)) {
			if (codes.includes(code) || !WANTED.some(([from, to]) => code >= from && code <= to)) continue;
			// Two characters may have one outline.
			added.delete(glyph);
			add(glyph);
			codes.push(code);
		}
		// Parts of composites come behind the characters of the file.
		for (let run = later.shift(); run; run = later.shift()) run();
		while (codes.length < glyphs.length) codes.push(0);
	}
	const outlines = glyphs.map((glyph) => Buffer.concat([glyph, Buffer.alloc((4 - (glyph.length % 4)) % 4)]));
	const numbers = (of: readonly number[]) => Buffer.from(Uint16Array.from(of).buffer).swap16();
	const lengths = outlines.map(({ length }) => length);
	const font = {
		license:
			"Copyright 2022 The Noto Project Authors (https://github.com/notofonts/latin-greek-cyrillic, https://github.com/notofonts/ethiopic), SIL Open Font License 1.1",
		...metrics,
		glyphs: glyphs.length,
		// The character, the width and the length of each, then the outlines.
		data: deflateSync(Buffer.concat([numbers(codes), numbers(widths), numbers(lengths), ...outlines]), { level: 9 }).toString("base64"),
	};
	return `${JSON.stringify(font, null, "\t")}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(path.join(repository, "src/shared/pdf/noto-sans.json"), pdfFont());
