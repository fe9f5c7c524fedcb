// JSON of others, as text nodes. Other text is shown as it came.

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\btrue\b|\bfalse\b|\bnull\b/g;

/** Longer ones are shown without colours, which would be an element for each word. */
const COLOURED = 20_000;

function pretty(text: string): string | undefined {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return undefined;
	}
}

/** `raw`: not indented, because the bytes matter. */
export function Json({ text, label, raw = false }: { readonly text: string; readonly label: string; readonly raw?: boolean }) {
	const shown = raw ? text : (pretty(text) ?? text);
	const parts: (string | preact.JSX.Element)[] = [];
	if (shown.length <= COLOURED && pretty(text) !== undefined) {
		let end = 0;
		for (const match of shown.matchAll(TOKEN)) {
			parts.push(shown.slice(end, match.index));
			end = match.index + match[0].length;
			const [token, quoted, colon] = match;
			if (colon) parts.push(token);
			else parts.push(<span class={quoted ? "text" : "number"}>{token}</span>);
		}
		parts.push(shown.slice(end));
	} else parts.push(shown);
	return (
		<section class="json" aria-label={`${label} as text`}>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
			<pre tabIndex={0}>{parts}</pre>
		</section>
	);
}
