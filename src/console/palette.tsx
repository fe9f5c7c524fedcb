// The palette: pages by name, and anything by its id.

import { useEffect, useId, useState } from "preact/hooks";
import { isId } from "./format.ts";
import type { Route } from "./route.ts";
import { go } from "./router.ts";
import { ROUTES } from "./routes.ts";
import { Dialog } from "./ui/dialog.tsx";
import type { Person } from "./who.ts";

interface PaletteProps {
	readonly person: Person;
	readonly show: "search" | "keys";
	readonly onClose: () => void;
}

export function Palette({ person, show, onClose }: PaletteProps) {
	return show === "keys" ? <Keys person={person} onClose={onClose} /> : <Search person={person} onClose={onClose} />;
}

type Props = Omit<PaletteProps, "show">;
type Hit = { readonly title: string; readonly path: string; readonly note?: string };

function Search({ person, onClose }: Props) {
	const [text, setText] = useState("");
	const [at, setAt] = useState(0);
	const found = useFound(text.trim(), person);
	const id = useId();
	const pages = ROUTES.filter(({ group, title, who }) => group && who(person) && title.toLowerCase().includes(text.trim().toLowerCase()));
	const hits: readonly Hit[] = isId(text.trim())
		? found.hits
		: pages.map(({ title, path, key }) => ({ title, path, ...(key && { note: `g ${key}` }) }));
	const chosen = Math.min(at, hits.length - 1);
	const open = ({ path }: Hit) => {
		onClose();
		go(path);
	};
	return (
		<Dialog title="Find" class="palette" onClose={onClose}>
			<input
				autofocus
				role="combobox"
				aria-label="Find a page, or paste an id"
				aria-expanded="true"
				aria-controls={`${id}-hits`}
				aria-activedescendant={hits[chosen] && `${id}-${chosen}`}
				placeholder="A page, or an id"
				value={text}
				onInput={({ currentTarget }) => {
					setText(currentTarget.value);
					setAt(0);
				}}
				onKeyDown={(event) => {
					const hit = hits[chosen];
					const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
					if (step) setAt(Math.min(Math.max(chosen + step, 0), hits.length - 1));
					else if (event.key === "Enter" && hit) open(hit);
					else return;
					event.preventDefault();
				}}
			/>
			<div id={`${id}-hits`} role="listbox" aria-label="Found" tabIndex={-1}>
				{hits.map((hit, index) => (
					// biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
					// biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
					<div key={hit.path} id={`${id}-${index}`} role="option" aria-selected={index === chosen} onClick={() => open(hit)}>
						{hit.title}
						{hit.note && <kbd>{hit.note}</kbd>}
					</div>
				))}
			</div>
			<p class="hint" role="status">
				{hits.length === 0 &&
					(found.looking ? "Looking for it …" : isId(text.trim()) ? "Nothing here has this id." : "No page is called so.")}
			</p>
		</Dialog>
	);
}

/** Asks each kind of object whether it knows the id. */
function useFound(text: string, person: Person): { readonly hits: readonly Hit[]; readonly looking: boolean } {
	const [state, set] = useState<{ hits: readonly Hit[]; looking: boolean }>({ hits: [], looking: false });
	useEffect(() => {
		if (!isId(text)) return;
		let left = false;
		const look = async ({ title, path, finds }: Route): Promise<Hit[]> =>
			finds?.(text).then(
				() => [{ title, path: path.replace(/:\w+/, text) }],
				() => [],
			) ?? [];
		set({ hits: [], looking: true });
		const kinds = ROUTES.filter(({ finds, who }) => finds && who(person));
		void Promise.all(kinds.map(look)).then((hits) => left || set({ hits: hits.flat(), looking: false }));
		return () => {
			left = true;
		};
	}, [text]);
	return state;
}

function Keys({ person, onClose }: Props) {
	const pages = ROUTES.filter(({ key, who }) => key && who(person)).map(({ key, title }) => [`g ${key}`, title] as const);
	const others = [
		["Ctrl K", "Find a page, or an id"],
		["j k", "Next and previous row"],
		["Enter", "Open the row"],
		["t", "Times exactly, or relatively"],
		["Esc", "Close"],
	] as const;
	return (
		<Dialog title="Keys" class="palette" onClose={onClose}>
			<dl class="keys">
				{[...others, ...pages].map(([keys, what]) => (
					<div key={keys}>
						<dt>
							<kbd>{keys}</kbd>
						</dt>
						<dd>{what}</dd>
					</div>
				))}
			</dl>
			<div class="buttons end">
				<button type="button" onClick={onClose}>
					Close
				</button>
			</div>
		</Dialog>
	);
}
