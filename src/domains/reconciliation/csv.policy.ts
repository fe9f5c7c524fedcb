// Reads comma-separated values (RFC 4180), as portals of providers and banks write them: with quotes, and with a byte order mark in front.

/** The records of the text, without those that are empty. Undefined where a quote is not closed. */
export function recordsOf(text: string, separator: string): readonly (readonly string[])[] | undefined {
	const records: string[][] = [];
	let record: string[] = [];
	let cell = "";
	let quoted = false;
	const end = () => {
		record.push(cell);
		cell = "";
	};
	const endRecord = () => {
		end();
		if (record.some((each) => each.trim() !== "")) records.push(record);
		record = [];
	};
	const source = text.replace(/^\ufeff/, "");
	for (let at = 0; at < source.length; at++) {
		const letter = source[at];
		if (quoted) {
			if (letter !== '"') cell += letter;
			else if (source[at + 1] === '"') cell += source[++at];
			else quoted = false;
		} else if (letter === '"' && cell.trim() === "") {
			cell = "";
			quoted = true;
		} else if (letter === separator) end();
		else if (letter === "\n" || letter === "\r") endRecord();
		else cell += letter;
	}
	if (quoted) return undefined;
	endRecord();
	return records;
}
