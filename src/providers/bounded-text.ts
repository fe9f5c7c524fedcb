/** The text of an answer that has at most so many bytes; undefined for a longer one, of which no more is read. */
export async function textWithin(bytes: number, { body }: Response): Promise<string | undefined> {
	const decoder = new TextDecoder();
	let text = "";
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length > bytes) return undefined;
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}
