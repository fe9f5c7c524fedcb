// Keys: `g` and a letter for pages, `j` `k` `Enter` for rows, `/` and Ctrl K to search, `t` for exact times, `?` for this list.

import { go } from "./router.ts";
import { ROUTES } from "./routes.ts";
import { moveRow } from "./ui/table.tsx";
import { toggleExact } from "./ui/time.tsx";
import type { Person } from "./who.ts";

interface Keys {
	readonly person: Person | undefined;
	readonly open: (what: "search" | "keys") => void;
}

/** How long after `g` its letter is waited for. */
const SEQUENCE_MS = 1_500;
/** Not 0, which is when the page was opened: in its first moments every key would be such a letter. */
const NEVER = Number.NEGATIVE_INFINITY;

export function listenForKeys({ person, open }: Keys): () => void {
	let leading = NEVER;
	const press = (event: KeyboardEvent): void => {
		if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey) {
			event.preventDefault();
			if (!document.querySelector("dialog[open]")) open("search");
			return;
		}
		if (event.metaKey || event.ctrlKey || event.altKey || !person || document.querySelector("dialog[open]")) return;
		const target = event.target as HTMLElement;
		if (target.closest("input, textarea, select")) {
			if (event.key === "Escape") target.blur();
			return;
		}
		if (event.timeStamp - leading < SEQUENCE_MS) {
			leading = NEVER;
			const route = ROUTES.find(({ key, who }) => key === event.key && who(person));
			if (route) go(route.path);
			return;
		}
		const does: Readonly<Record<string, () => void>> = {
			g: () => {
				leading = event.timeStamp;
			},
			j: () => moveRow(1),
			k: () => moveRow(-1),
			t: toggleExact,
			"/": () => open("search"),
			"?": () => open("keys"),
		};
		if (!Object.hasOwn(does, event.key)) return;
		event.preventDefault();
		does[event.key]?.();
	};
	addEventListener("keydown", press);
	return () => removeEventListener("keydown", press);
}
