// Names as they are looked for: without case, accents and double blanks.

export const folded = (name: string): string =>
	name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/gu, " ").trim();

/** The last word first, because people are called by either: `akinyi jane`. */
export function foldedByLast(name: string): string {
	const words = folded(name).split(" ");
	return [...words.slice(-1), ...words.slice(0, -1)].join(" ");
}
