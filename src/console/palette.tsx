// The search: people, accounts, payments and invoices by what people name them, pages by name, and anything by its id.

import { useEffect, useId, useState } from "preact/hooks";
import { isId } from "./format.ts";
import { type Hit, type Looking, useSearch } from "./found.ts";
import type { Route } from "./route.ts";
import { go } from "./router.ts";
import { ROUTES } from "./routes.ts";
import { Close, Dialog } from "./ui/dialog.tsx";
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

function Search({ person, onClose }: Props) {
	const [text, setText] = useState("");
	const [at, setAt] = useState(0);
	const byId = useFound(text.trim(), person);
	const searched = useSearch(isId(text.trim()) ? "" : text.trim(), person);
	const found = isId(text.trim()) ? byId : searched;
	const id = useId();
	const pages = ROUTES.filter(({ group, title, who }) => group && who(person) && title.toLowerCase().includes(text.trim().toLowerCase()));
	const hits: readonly Hit[] = isId(text.trim())
		? found.hits
		: [...pages.map(({ title, path, key }) => ({ title, path, ...(key && { note: `g ${key}` }) })), ...found.hits];
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
				aria-label="Find"
				aria-expanded="true"
				aria-controls={`${id}-hits`}
				aria-activedescendant={hits[chosen] && `${id}-${chosen}`}
				placeholder="A number, name, account, receipt, page …"
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
					<div key={hit.title + hit.path} id={`${id}-${index}`} role="option" aria-selected={index === chosen} onClick={() => open(hit)}>
						<span>{hit.title}</span>
						{hit.note && (/^g .$/.test(hit.note) ? <kbd>{hit.note}</kbd> : <small>{hit.note}</small>)}
					</div>
				))}
			</div>
			<p class="hint" role="status">
				{found.looking ? "Looking …" : hits.length === 0 && (isId(text.trim()) ? "Nothing here has this id." : "Nothing is found by this.")}
			</p>
		</Dialog>
	);
}

/** Asks each kind of object whether it knows the id. */
function useFound(text: string, person: Person): Looking {
	const [state, set] = useState<Looking>({ hits: [], looking: false });
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
		["Ctrl K", "Find a person, account, payment, page or id"],
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
			<Close onClose={onClose} />
		</Dialog>
	);
}
