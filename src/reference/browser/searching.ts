// Search over everything: the index is loaded when somebody first goes to the field.

import type { Entry } from "../search-index";
import { ABOVE, made } from "./page";
import { ranked } from "./ranking";

export function searching(): void {
	const field = document.querySelector<HTMLInputElement>("search input");
	const list = document.getElementById("found");
	if (!field || !list) return;
	let index: Promise<Entry[]> | undefined;
	const load = (): Promise<Entry[]> => {
		index ??= fetch(`${ABOVE}docs/search.json`).then((response) => response.json());
		return index;
	};
	let chosen = -1;

	const choose = (place: number): void => {
		const links = [...list.querySelectorAll("a")];
		chosen = links.length === 0 ? -1 : (place + links.length) % links.length;
		for (const [at, link] of links.entries()) link.setAttribute("aria-selected", String(at === chosen));
		links[chosen]?.scrollIntoView({ block: "nearest" });
		if (chosen < 0) field.removeAttribute("aria-activedescendant");
		else field.setAttribute("aria-activedescendant", `found-${chosen}`);
	};
	const close = (): void => {
		list.hidden = true;
		field.setAttribute("aria-expanded", "false");
		field.removeAttribute("aria-activedescendant");
	};
	const show = async (): Promise<void> => {
		const question = field.value;
		if (question.trim() === "") return close();
		const found = ranked(await load(), question);
		// More was typed meanwhile.
		if (field.value !== question) return;
		list.replaceChildren(
			...found.map(([kind, title, path, about], place) =>
				made(
					"a",
					{ role: "option", id: `found-${place}`, href: `${ABOVE}docs/${path}`, tabindex: "-1" },
					made("b", {}, title),
					made("small", {}, about ? `${kind} · ${about}` : kind),
				),
			),
		);
		if (found.length === 0)
			list.append(made("a", { role: "option", "aria-disabled": "true" }, made("small", {}, "Nothing is called like this.")));
		list.hidden = false;
		field.setAttribute("aria-expanded", "true");
		choose(0);
	};

	field.addEventListener("focus", () => void load());
	field.addEventListener("input", () => void show());
	field.addEventListener("keydown", (event) => {
		if (event.key === "Escape") {
			if (list.hidden) field.blur();
			close();
		} else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			event.preventDefault();
			if (list.hidden) void show();
			else choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
		} else if (event.key === "Enter" && !list.hidden) list.querySelectorAll("a")[chosen]?.click();
	});
	field.addEventListener("blur", () => setTimeout(close, 150));
	list.addEventListener("click", close);
	document.addEventListener("keydown", (event) => {
		const { target } = event;
		const writes = target instanceof HTMLElement && target.matches("input, textarea, select");
		const isCall = (event.key === "/" && !writes) || (event.key === "k" && (event.ctrlKey || event.metaKey));
		if (!isCall) return;
		event.preventDefault();
		field.focus();
		field.select();
	});
}
