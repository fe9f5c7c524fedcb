// Filters that somebody keeps for a list: in this browser, for the organization that they act for.

import { useState } from "preact/hooks";
import { setFilter } from "./list.tsx";

interface Kept {
	/** As the filters say it in words. */
	readonly name: string;
	readonly query: string;
}

/** More would be a list of its own. */
const MOST_KEPT = 8;

function keptAt(key: string): readonly Kept[] {
	try {
		const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
		return Array.isArray(found) ? found.filter(({ name, query }: Kept) => typeof name === "string" && typeof query === "string") : [];
	} catch {
		return [];
	}
}

interface KeptProps {
	/** Of the list. */
	readonly list: string;
	readonly organization: string | undefined;
	/** The filters that hold, by their names in the address; and in words, without which nothing can be kept. */
	readonly filters: Readonly<Record<string, string | undefined>>;
	readonly name: string | undefined;
}

export function KeptFilters({ list, organization, filters, name }: KeptProps) {
	const key = `filters:${organization ?? ""}:${list}`;
	const [all, set] = useState(() => keptAt(key));
	const query = String(new URLSearchParams(Object.entries(filters).flatMap(([one, value]) => (value ? [[one, value]] : []))));
	const isKept = all.some((one) => one.query === query);
	const write = (next: readonly Kept[]) => {
		set(next);
		try {
			localStorage.setItem(key, JSON.stringify(next));
		} catch {
			// Without a place for it, it holds until the page is left.
		}
	};
	const choose = (one: Kept) =>
		setFilter({
			...Object.fromEntries(Object.keys(filters).map((each) => [each, undefined])),
			...Object.fromEntries(new URLSearchParams(one.query)),
		});
	if (all.length === 0 && name === undefined) return null;
	return (
		<div class="buttons kept">
			{all.map((one) => (
				<button type="button" key={one.query} aria-pressed={one.query === query} onClick={() => choose(one)}>
					{one.name}
				</button>
			))}
			{name !== undefined && !isKept && all.length < MOST_KEPT && (
				<button type="button" class="plain" onClick={() => write([...all, { name, query }])}>
					Keep this filter
				</button>
			)}
			{isKept && (
				<button type="button" class="plain" onClick={() => write(all.filter((one) => one.query !== query))}>
					Forget this filter
				</button>
			)}
		</div>
	);
}
