// Colours in code, by ranges over its text: the markup stays as small as the text.

/** A text with what follows a name, a text of the shell, a number or constant, a comment. */
const TOKEN =
	/(?<text>"(?:[^"\\\n]|\\.)*")(?<name>\s*:)?|(?<quoted>'[^'\n]*')|(?<number>(?<=[\s[(:])-?\d+(?:\.\d+)?(?=[\s,\])}]|$)|\b(?:true|false|null)\b)|(?<comment>(?<=^|\s)(?:#|\/\/).*$)/gm;

export function highlighting(): void {
	if (!("highlights" in CSS)) return;
	const kinds = { string: new Highlight(), number: new Highlight(), comment: new Highlight() };
	for (const [kind, highlight] of Object.entries(kinds)) CSS.highlights.set(kind, highlight);
	const colour = (text: Text): void => {
		for (const { index, 0: found, groups = {} } of text.data.matchAll(TOKEN)) {
			const kind = groups.comment ? "comment" : groups.number ? "number" : groups.name ? undefined : "string";
			if (!kind) continue;
			kinds[kind].add(new StaticRange({ startContainer: text, startOffset: index, endContainer: text, endOffset: index + found.length }));
		}
	};
	const observer = new IntersectionObserver(
		(entries) => {
			for (const { target, isIntersecting } of entries) {
				if (!isIntersecting) continue;
				observer.unobserve(target);
				if (target.firstChild instanceof Text) colour(target.firstChild);
			}
		},
		{ rootMargin: "600px" },
	);
	for (const code of document.querySelectorAll("pre code")) observer.observe(code);
}
