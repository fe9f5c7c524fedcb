// Writes PDF files (ISO 32000-1) of texts and lines in one embedded font, in ASCII alone, so that a file is a text as every other answer.

import { Font, join, type PackedFont } from "./font";

/** A4, in points. */
export const [PAGE_WIDTH, PAGE_HEIGHT] = [595, 842] as const;

type Look = {
	readonly size: number;
	/** `#rrggbb`; black by default. */
	readonly color?: string;
	readonly bold?: boolean;
	/** The text ends at the place. */
	readonly right?: boolean;
};

/** A page, on which places are measured from its upper left corner. */
export class Page {
	readonly #font: Font;
	readonly #used: Set<number>;
	readonly #drawn: string[] = [];

	constructor(font: Font, used: Set<number>) {
		this.#font = font;
		this.#used = used;
	}

	get content(): string {
		return this.#drawn.join("\n");
	}

	text(x: number, y: number, text: string, { size, color = "#000000", bold = false, right = false }: Look): void {
		const glyphs = this.#font.glyphsOf(text);
		for (const glyph of glyphs) this.#used.add(glyph);
		const hex = glyphs.map((glyph) => glyph.toString(16).padStart(4, "0")).join("");
		const left = right ? x - this.#font.measure(text, size) : x;
		// There is no second font for bold letters: a line around their outlines makes them so.
		const weight = bold ? `2 Tr ${short(size / 30)} w ${paint(color)} RG` : "0 Tr";
		this.#drawn.push(`BT /F1 ${size} Tf ${weight} ${paint(color)} rg ${short(left)} ${short(PAGE_HEIGHT - y)} Td <${hex}> Tj ET`);
	}

	/** A line across. */
	rule(x: number, y: number, width: number, { weight, color }: { readonly weight: number; readonly color: string }): void {
		const at = short(PAGE_HEIGHT - y);
		this.#drawn.push(`${short(weight)} w ${paint(color)} RG ${short(x)} ${at} m ${short(x + width)} ${at} l S`);
	}
}

const short = (value: number): string => String(Math.round(value * 100) / 100);

const paint = (color: string): string =>
	(color.slice(1, 7).match(/../g) ?? []).map((pair) => short(Number.parseInt(pair, 16) / 255)).join(" ");

type Facts = {
	readonly title: string;
	readonly author: string;
	/** As BCP 47 names it. */
	readonly language: string;
	/** In ms. */
	readonly createdAt: number;
	/** 64 hexadecimal digits, by which programs recognise the same file. */
	readonly digest: string;
};

export class PdfDocument {
	readonly font: Font;
	readonly #used = new Set<number>();
	readonly #pages: Page[] = [];

	constructor(font: Font) {
		this.font = font;
	}

	page(): Page {
		const page = new Page(this.font, this.#used);
		this.#pages.push(page);
		return page;
	}

	/** The text in lines that are at most so wide, parted at spaces, and within a word where that alone is too wide. */
	lines(text: string, size: number, width: number): string[] {
		const lines: string[] = [];
		let line = "";
		const fits = (one: string) => this.font.measure(one, size) <= width;
		for (const word of text.split(/\s+/)) {
			const longer = line === "" ? word : `${line} ${word}`;
			if (fits(longer)) {
				line = longer;
				continue;
			}
			if (line !== "") lines.push(line);
			line = "";
			for (const letter of word) {
				if (line !== "" && !fits(line + letter)) {
					lines.push(line);
					line = "";
				}
				line += letter;
			}
		}
		return line === "" ? lines : [...lines, line];
	}

	async file({ title, author, language, createdAt, digest }: Facts): Promise<string> {
		const { font } = this;
		const used = [...this.#used].toSorted((one, other) => one - other);
		const program = font.subset(used);
		const widths = used.map((glyph) => `${glyph} [${font.widthOf(glyph)}]`).join(" ");
		const box = font.box.join(" ");
		// Objects have the numbers of their places, from 1 on: seven of the document, then two of each page.
		const pages = this.#pages.map((_, index) => `${8 + index * 2} 0 R`);
		const objects = [
			`<< /Type /Catalog /Pages 2 0 R /Lang ${hexText(language)} /ViewerPreferences << /DisplayDocTitle true >> >>`,
			`<< /Type /Pages /Kids [${pages.join(" ")}] /Count ${pages.length} >>`,
			"<< /Type /Font /Subtype /Type0 /BaseFont /FASFAS+NotoSans /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 7 0 R >>",
			`<< /Type /Font /Subtype /CIDFontType2 /BaseFont /FASFAS+NotoSans /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 5 0 R /CIDToGIDMap /Identity /DW 0 /W [${widths}] >>`,
			`<< /Type /FontDescriptor /FontName /FASFAS+NotoSans /Flags 4 /FontBBox [${box}] /ItalicAngle 0 /Ascent ${font.ascent} /Descent ${font.descent} /CapHeight 714 /StemV 80 /FontFile2 6 0 R >>`,
			await stream(program, `/Length1 ${program.length} `),
			await stream(new TextEncoder().encode(charactersOf(used, font))),
		];
		for (const [index, { content }] of this.#pages.entries()) {
			objects.push(
				`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${9 + index * 2} 0 R >>`,
				await stream(new TextEncoder().encode(content)),
			);
		}
		const date = new Date(createdAt).toISOString().replaceAll(/[-:T]|\..*/g, "");
		objects.push(`<< /Title ${hexText(title)} /Author ${hexText(author)} /CreationDate (D:${date}Z) >>`);
		return assembled(objects, `/Info ${objects.length} 0 R /ID [<${digest}> <${digest}>]`);
	}
}

/** The objects with the table of their places. */
function assembled(objects: readonly string[], more: string): string {
	let file = "%PDF-1.7\n";
	const places = objects.map((object, index) => {
		const at = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return `${String(at).padStart(10, "0")} 00000 n \n`;
	});
	const count = objects.length + 1;
	return `${file}xref\n0 ${count}\n0000000000 65535 f \n${places.join("")}trailer\n<< /Size ${count} /Root 1 0 R ${more} >>\nstartxref\n${file.length}\n%%EOF\n`;
}

/** A text of the file's own facts, in UTF-16. */
const hexText = (text: string): string =>
	`<FEFF${Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, "0")).join("")}>`;

/** From glyphs to characters, for those who search and copy. */
function charactersOf(glyphs: readonly number[], font: Font): string {
	const hex = (value: number) => value.toString(16).padStart(4, "0");
	const blocks: string[] = [];
	for (let at = 0; at < glyphs.length; at += 100) {
		const block = glyphs.slice(at, at + 100).map((glyph) => `<${hex(glyph)}> <${hex(font.characterOf(glyph))}>`);
		blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
	}
	return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join("\n")}
endcmap CMapName currentdict /CMap defineresource pop end end`;
}

async function stream(content: Uint8Array, more = ""): Promise<string> {
	const text = ascii85(await through(content, new CompressionStream("deflate")));
	return `<< ${more}/Length ${text.length} /Filter [/ASCII85Decode /FlateDecode] >>\nstream\n${text}\nendstream`;
}

/** Five letters for each four bytes. */
function ascii85(bytes: Uint8Array): string {
	const lines: string[] = [];
	let line = "";
	for (let at = 0; at < bytes.length; at += 4) {
		const size = Math.min(4, bytes.length - at);
		let word = 0;
		for (let place = 0; place < 4; place++) word = word * 256 + (bytes[at + place] ?? 0);
		let letters = "";
		for (let place = 0; place < 5; place++) {
			letters = String.fromCharCode(33 + (word % 85)) + letters;
			word = Math.floor(word / 85);
		}
		line += size === 4 && letters === "!!!!!" ? "z" : letters.slice(0, size + 1);
		if (line.length >= 100) {
			lines.push(line);
			line = "";
		}
	}
	return `${[...lines, line].join("\n")}~>`;
}

async function through(bytes: Uint8Array, transform: CompressionStream | DecompressionStream): Promise<Uint8Array> {
	const piped = new Blob([bytes as Uint8Array<ArrayBuffer>])
		.stream()
		.pipeThrough(transform as ReadableWritablePair<Uint8Array, Uint8Array>);
	const parts: Uint8Array[] = [];
	for await (const part of piped) parts.push(part);
	return join(parts);
}

/** Read once in an isolate. */
let font: Font | undefined;

async function load(): Promise<Font> {
	const { default: packed }: { default: PackedFont } = await import("./noto-sans.json", { with: { type: "json" } });
	const data = Uint8Array.from(atob(packed.data), (letter) => letter.charCodeAt(0));
	return new Font(packed, await through(data, new DecompressionStream("deflate")));
}

/** A document without pages yet. */
export async function newDocument(): Promise<PdfDocument> {
	font ??= await load();
	return new PdfDocument(font);
}
