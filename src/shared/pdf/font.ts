// The one font of our PDF files: Noto Sans, with the Latin and the Ethiopic letters. `npm run pdf-font` makes its data.

/** A font as it is kept. `data`: the character, the width and the length of each glyph, then the outlines; all zlib, as base64. */
export type PackedFont = {
	readonly ascent: number;
	readonly descent: number;
	readonly box: readonly number[];
	readonly glyphs: number;
	readonly data: string;
};

/** The character that stands for those which the font lacks. */
const REPLACEMENT = 0xfffd;

/** Flags of a part of a composite glyph (OpenType, "glyf"). */
const [WORDS, SCALED, MORE, SCALED_XY, TWO_BY_TWO] = [0x1, 0x8, 0x20, 0x40, 0x80] as const;

export class Font {
	readonly ascent: number;
	readonly descent: number;
	readonly box: readonly number[];
	readonly #view: DataView;
	readonly #count: number;
	/** Where each outline begins, and the last one ends. */
	readonly #places: readonly number[];
	readonly #byCharacter: ReadonlyMap<number, number>;

	constructor({ ascent, descent, box, glyphs }: PackedFont, data: Uint8Array) {
		this.ascent = ascent;
		this.descent = descent;
		this.box = box;
		this.#count = glyphs;
		this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		const places = [glyphs * 6];
		const byCharacter = new Map<number, number>();
		for (let glyph = 0; glyph < glyphs; glyph++) {
			places.push((places[glyph] ?? 0) + this.#view.getUint16((glyphs * 2 + glyph) * 2));
			const character = this.characterOf(glyph);
			if (character !== 0) byCharacter.set(character, glyph);
		}
		this.#places = places;
		this.#byCharacter = byCharacter;
	}

	/** The character of the glyph; 0 where it is only a part of others. */
	characterOf = (glyph: number): number => this.#view.getUint16(glyph * 2);

	/** In thousandths of the size. */
	widthOf = (glyph: number): number => this.#view.getUint16((this.#count + glyph) * 2);

	/**
	 * The glyphs of a text. A letter with a mark that the font lacks stands without the mark; any other character that it lacks is shown as
	 * the replacement character, so that nobody takes the text for whole.
	 */
	glyphsOf(text: string): readonly number[] {
		const replacement = this.#byCharacter.get(REPLACEMENT) ?? 0;
		return [...text.normalize("NFC")].flatMap((character) => {
			const glyph = this.#byCharacter.get(character.codePointAt(0) ?? 0);
			if (glyph !== undefined) return [glyph];
			const [base = ""] = character.normalize("NFD");
			if (/^\p{M}$/u.test(base)) return [];
			if (/^\s$/u.test(base)) return this.#byCharacter.get(0x20) ?? replacement;
			return [this.#byCharacter.get(base.codePointAt(0) ?? 0) ?? replacement];
		});
	}

	/** How wide the text is in this size. */
	measure = (text: string, size: number): number =>
		(this.glyphsOf(text).reduce((sum, glyph) => sum + this.widthOf(glyph), 0) * size) / 1000;

	/** A TrueType font with the outlines of these glyphs alone. Each keeps its number. */
	subset(glyphs: Iterable<number>): Uint8Array {
		const kept = new Set([0]);
		const keep = (glyph: number): void => {
			if (kept.has(glyph)) return;
			kept.add(glyph);
			for (const part of this.#partsOf(glyph)) keep(part);
		};
		for (const glyph of glyphs) keep(glyph);
		const last = Math.max(...kept);
		const outlines: Uint8Array[] = [];
		const loca = new DataView(new ArrayBuffer((last + 2) * 4));
		const hmtx = new DataView(new ArrayBuffer((last + 1) * 4));
		let length = 0;
		for (let glyph = 0; glyph <= last; glyph++) {
			hmtx.setUint16(glyph * 4, this.widthOf(glyph));
			hmtx.setInt16(glyph * 4 + 2, this.#outlineOf(glyph).byteLength > 0 ? this.#sight(glyph) : 0);
			if (kept.has(glyph)) {
				const { buffer, byteOffset, byteLength } = this.#outlineOf(glyph);
				outlines.push(new Uint8Array(buffer, byteOffset, byteLength));
				length += byteLength;
			}
			loca.setUint32((glyph + 1) * 4, length);
		}
		const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] = this.box;
		const head = words([1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, xMin, yMin, xMax, yMax, 0, 8, 2, 1, 0]);
		const hhea = words([1, 0, this.ascent, this.descent, 0, xMax, xMin, 0, xMax, 1, 0, 0, 0, 0, 0, 0, 0, last + 1]);
		const maxp = words([1, 0, last + 1, 1000, 100, 1000, 100, 1, 0, 0, 0, 0, 0, 0, 8, 2]);
		return fontFile({ glyf: join(outlines), head, hhea, hmtx: bytesOf(hmtx), loca: bytesOf(loca), maxp });
	}

	#outlineOf(glyph: number): DataView {
		const [from = 0, to = 0] = this.#places.slice(glyph, glyph + 2);
		return new DataView(this.#view.buffer, this.#view.byteOffset + from, to - from);
	}

	/** The outline's left edge. */
	#sight = (glyph: number): number => this.#outlineOf(glyph).getInt16(2);

	#partsOf(glyph: number): number[] {
		const outline = this.#outlineOf(glyph);
		const parts: number[] = [];
		if (outline.byteLength === 0 || outline.getInt16(0) >= 0) return parts;
		for (let at = 10; ; ) {
			const flags = outline.getUint16(at);
			parts.push(outline.getUint16(at + 2));
			at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALED ? 2 : flags & SCALED_XY ? 4 : flags & TWO_BY_TWO ? 8 : 0);
			if (!(flags & MORE)) return parts;
		}
	}
}

const bytesOf = (view: DataView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function words(values: readonly number[]): Uint8Array {
	const view = new DataView(new ArrayBuffer(values.length * 2));
	values.forEach((value, index) => {
		view.setUint16(index * 2, value & 0xffff);
	});
	return bytesOf(view);
}

export function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** The tables as a file: a directory with a checksum of each, then the tables, each from a multiple of four bytes on. */
function fontFile(tables: Readonly<Record<string, Uint8Array>>): Uint8Array {
	const named = Object.entries(tables);
	const directory = new DataView(new ArrayBuffer(12 + named.length * 16));
	const power = 2 ** Math.floor(Math.log2(named.length));
	directory.setUint32(0, 0x10000);
	[named.length, power * 16, Math.log2(power), (named.length - power) * 16].forEach((value, index) => {
		directory.setUint16(4 + index * 2, value);
	});
	const contents: Uint8Array[] = [];
	let offset = directory.byteLength;
	named.forEach(([name, table], index) => {
		const padded = join([table, new Uint8Array((4 - (table.length % 4)) % 4)]);
		const entry = 12 + index * 16;
		[...name].forEach((letter, place) => {
			directory.setUint8(entry + place, letter.charCodeAt(0));
		});
		directory.setUint32(entry + 4, sumOf(padded));
		directory.setUint32(entry + 8, offset);
		directory.setUint32(entry + 12, table.length);
		contents.push(padded);
		offset += padded.length;
	});
	return join([bytesOf(directory), ...contents]);
}

function sumOf(padded: Uint8Array): number {
	const view = new DataView(padded.buffer, padded.byteOffset, padded.byteLength);
	let sum = 0;
	for (let at = 0; at < padded.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
	return sum;
}
