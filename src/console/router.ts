// Where the page is: the History API below `/console`.

import { useEffect, useState } from "preact/hooks";

const BASE = "/console";

export interface Place {
	/** Below the base: `/endpoints`. */
	readonly path: string;
	readonly query: URLSearchParams;
}

const listeners = new Set<(place: Place) => void>();

export function placeNow(): Place {
	const path = location.pathname.slice(BASE.length) || "/";
	return { path, query: new URLSearchParams(location.search) };
}

export const hrefOf = (path: string): string => BASE + (path === "/" ? "" : path);

export function go(path: string, { replace = false } = {}): void {
	const href = hrefOf(path);
	if (href === location.pathname + location.search) return;
	history[replace ? "replaceState" : "pushState"](null, "", href);
	announce();
}

/** Changes the query in place: undefined and empty values are left out. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
	const { path, query } = placeNow();
	for (const [name, value] of Object.entries(changes)) {
		if (value) query.set(name, value);
		else query.delete(name);
	}
	go(query.size > 0 ? `${path}?${query}` : path, { replace: true });
}

function announce(): void {
	const place = placeNow();
	for (const listener of [...listeners]) listener(place);
}

export function usePlace(): Place {
	const [place, set] = useState(placeNow);
	useEffect(() => {
		listeners.add(set);
		return () => void listeners.delete(set);
	}, []);
	return place;
}

/** Links below the base do not reload the page. */
export function followLinks(): void {
	addEventListener("popstate", announce);
	addEventListener("click", (event) => {
		if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
		const link = (event.target as Element).closest?.("a");
		if (!link || link.target || link.origin !== location.origin || !`${link.pathname}/`.startsWith(`${BASE}/`)) return;
		if (link.hash && link.pathname === location.pathname) return;
		event.preventDefault();
		go((link.pathname.slice(BASE.length) || "/") + link.search);
	});
}
