// How a lender's head of operations works: each task by clicks alone on a phone and at a desk, and by at most forty keys at both.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESK, MOVES, PHONE, type View, type Visited, visit } from "../visit.ts";
import { settled, signIn, type Who } from "./support.ts";

export const MOST_KEYS = 40;
/** More than that, and Tab does not lead there. */
const LOST = 150;
const PATIENCE_MS = 120_000;

/** What the next press of a key reaches, by the name that is read to who does not see it. */
const atFocus = (page: Page): Promise<string> =>
	page.evaluate(() => {
		const at = document.activeElement;
		const label = (at as HTMLInputElement | null)?.labels?.[0]?.textContent;
		return (at?.getAttribute("aria-label") ?? label ?? at?.textContent ?? "").trim();
	});

/** A keyboard that counts. */
export function handsOn(page: Page, counted = { keys: 0 }) {
	const press = async (...names: string[]) => {
		for (const name of names) {
			counted.keys++;
			await page.keyboard.press(name);
		}
	};
	const through = async (key: "Tab" | "Shift+Tab", name: RegExp) => {
		for (let pressed = 0; pressed < LOST; pressed++) {
			await press(key);
			if (name.test(await atFocus(page))) return;
		}
		throw new Error(`${key} does not lead to ${name}`);
	};
	return {
		page,
		press,
		type: (text: string) => press(...text),
		/** One key for a copied text. */
		async paste(text: string) {
			counted.keys++;
			await page.keyboard.insertText(text);
		},
		/** Once it is there, as somebody does who looks. */
		async tabTo(name: RegExp, key: "Tab" | "Shift+Tab" = "Tab") {
			await settled(page);
			await through(key, name);
		},
		/** The same before anybody is signed in. */
		seek: (name: RegExp) => through("Tab", name),
		/** The same keyboard at the page of somebody else: their keys are counted together. */
		at: (other: Page) => handsOn(other, counted),
		keys: () => counted.keys,
	};
}
export type Hands = ReturnType<typeof handsOn>;

/** A page of the navigation, which a phone has behind a button. */
export async function open(page: Page, name: string): Promise<void> {
	const menu = page.getByRole("button", { name: "Menu" });
	if (await menu.isVisible()) await menu.click();
	// Some pages have links to the pages above them, too.
	await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
	await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
	await settled(page);
}

/** What the search on top finds. */
export async function find(page: Page, text: string, hit: string): Promise<void> {
	await page.getByRole("button", { name: /^Find/ }).click();
	await page.getByRole("combobox", { name: "Find" }).fill(text);
	await page.getByRole("option").filter({ hasText: hit }).first().click();
	await page.getByRole("heading", { level: 1 }).filter({ hasText: hit }).waitFor();
	await settled(page);
}

export interface Day {
	readonly page: Page;
	readonly view: View;
	/** Of the four tries of the task. */
	readonly round: number;
	/** Faults of the page as it is now. */
	readonly sound: (name: string) => Promise<void>;
	/** Another person at a screen of their own; with an address, before they sign in. */
	readonly beside: (who: Who | { readonly address: string }, then: (page: Page) => Promise<void>) => Promise<void>;
}

interface Ways {
	/** Whose task it is, if not the owner's. */
	readonly who?: Who;
	/** Refusals that belong to the task. */
	readonly expected?: RegExp;
	readonly clicks: (day: Day) => Promise<void>;
	readonly keys: (hands: Hands, day: Day) => Promise<void>;
}

/** A test for each width: the task by clicks, then once more from Home by keys, in one visit. `at`: the service. */
export function task(title: string, at: () => string, { who, expected = MOVES, clicks, keys }: Ways): void {
	const faultless = new RegExp(`${expected.source}|${MOVES.source}`);
	it.each([PHONE, DESK])(`${title}, at $width px`, { timeout: PATIENCE_MS }, (view) =>
		visit(
			"/console",
			view,
			async ({ page, faults, picture }) => {
				await signIn(page, who);
				await settled(page);
				const sound = async (name: string) => {
					expect(await faults(), `${name} at ${view.width} px`).toEqual([]);
					await picture(`day-${name}`);
				};
				const beside: Day["beside"] = (who, then) => besides(at(), view, who, faultless, then);
				const first = view === PHONE ? 0 : 2;
				await clicks({ page, view, round: first, sound, beside });
				expect(await faults(), "by clicks").toEqual([]);
				await page.goto("/console");
				await signIn(page, who);
				await settled(page);
				const hands = handsOn(page);
				await keys(hands, { page, view, round: first + 1, sound, beside });
				expect(hands.keys(), "keys").toBeLessThanOrEqual(MOST_KEYS);
				if (process.env.KEYS) process.stdout.write(`${hands.keys()} keys: ${title}, ${view.width} px\n`);
			},
			{ at: at(), expected: faultless },
		),
	);
}

/** Another person at a screen of their own. */
export function besides(
	at: string,
	view: View,
	who: Who | { readonly address: string },
	expected: RegExp,
	then: (page: Page) => Promise<void>,
) {
	const there = async ({ page }: Visited) => {
		if (typeof who === "string") {
			await signIn(page, who);
			await settled(page);
		}
		await then(page);
	};
	return visit(typeof who === "string" ? "/console" : who.address, view, there, { at, expected });
}
