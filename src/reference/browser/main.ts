// The only script of the reference. Pages are whole without it: it adds search, copying, trying out, and the mark of where one reads.

import { marking } from "./marking";
import { searching } from "./searching";
import { trying } from "./trying";

/** Who chooses curl or the client for one sample has chosen for all. */
function choosing(): void {
	document.addEventListener("change", ({ target }) => {
		if (!(target instanceof HTMLInputElement) || !target.closest(".tabs")) return;
		const top = target.getBoundingClientRect().top;
		for (const input of document.querySelectorAll<HTMLInputElement>(`.tabs input[value="${target.value}"]`)) input.checked = true;
		// The samples above have another height now.
		scrollBy(0, target.getBoundingClientRect().top - top);
	});
}

/** A text with what follows a name, a text of the shell, a number or constant, a comment. */
const TOKEN =
	/(?<text>"(?:[^"\\\n]|\\.)*")(?<name>\s*:)?|(?<quoted>'[^'\n]*')|(?<number>(?<=[\s[(:])-?\d+(?:\.\d+)?(?=[\s,\])}]|$)|\b(?:true|false|null)\b)|(?<comment>(?<=^|\s)(?:#|\/\/).*$)/gm;

/** Colours code by ranges over its text: the markup stays as small as the text. */
function highlighting(): void {
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

const SHOWN_MS = 1500;

/** The buttons that copy the code beneath them. */
function copying(): void {
	document.addEventListener("click", async ({ target }) => {
		if (!(target instanceof HTMLButtonElement) || target.className !== "copy") return;
		const text = target.closest("figure")?.querySelector("code")?.textContent ?? "";
		const copied = await navigator.clipboard.writeText(text).then(
			() => true,
			() => false,
		);
		target.textContent = copied ? "Copied" : "Not allowed";
		setTimeout(() => {
			target.textContent = "Copy";
		}, SHOWN_MS);
	});
}

searching();
choosing();
copying();
trying();
marking();
highlighting();
