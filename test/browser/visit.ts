// Visits a page as a person with a certain screen does, and reports what is wrong with it for everybody: faults of accessibility, errors in
// the console, refusals by the content policy, requests to other hosts, scrolling sideways, and a layout that shifts.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject } from "vitest";

export type View = { readonly width: 390 | 1440; readonly scheme: "light" | "dark" };

/** A phone and a desk, by day and by night. */
export const VIEWS: readonly View[] = ([390, 1440] as const).flatMap((width) =>
	(["light", "dark"] as const).map((scheme) => ({ width, scheme })),
);
export const PHONE: View = { width: 390, scheme: "light" };
export const DESK: View = { width: 1440, scheme: "light" };

/** What people do moves the layout, on a slow machine later than Chromium forgives: only what loads by itself must not. */
export const MOVES = /^the layout shifts/;

export const SCREENSHOTS = path.join(import.meta.dirname, "out");

const sizeOf = ({ width }: View) => ({ width, height: width === 390 ? 844 : 900 });
/** What a screen of 1280 px has at 200 % zoom. */
const ZOOMED = { width: 640, height: 450 };

/** The most that a layout may shift by itself, as Chromium counts it (cumulative layout shift). */
const MOST_SHIFT = 0.05;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let connected: Promise<Browser> | undefined;
/** The browser that all files share. */
export const browser = (): Promise<Browser> => {
	connected ??= chromium.connect(inject("browser"));
	return connected;
};

export type Visit = {
	/** Without it, no picture is written. `-<width>-<scheme>` and `.png` are appended. */
	readonly name?: string;
	/** Whether the page may run scripts. */
	readonly script?: boolean;
	/** Faults that belong to what is tested, such as console errors of refused requests. */
	readonly expected?: RegExp;
	/** More of a browser: `forcedColors`, `reducedMotion`, `permissions` … */
	readonly context?: BrowserContextOptions;
	/** The service; by default the shared one. */
	readonly at?: string;
};

export type Visited = {
	readonly page: Page;
	/** What is wrong so far, one line each. */
	faults(): Promise<string[]>;
	/** What has been transferred so far from the page's own host, each answer compressed with gzip: in kB of 1,024 bytes. */
	weight(): Promise<number>;
	/** With `PICTURES=1`, writes a picture of the whole page into `test/browser/out`, which git ignores. */
	picture(name: string): Promise<void>;
	/**
	 * Expects no fault by day and by night, nor scrolling sideways at 200 % zoom, and with `PICTURES=1` writes a picture of each. Day and
	 * night differ by colours alone.
	 */
	sound(name: string): Promise<void>;
};

/**
 * Opens the page, does something there, and expects that nothing is wrong with it then. The page is loaded when the callback begins; what
 * its scripts fetch and show, the callback waits for (`page.getByText(…).waitFor()`). It asks for `faults` itself where it passes through
 * several states.
 */
export async function visit<T>(
	address: string,
	view: View,
	then: (visited: Visited) => Promise<T>,
	{ name, script = true, expected, context: options, at = inject("baseUrl") }: Visit = {},
): Promise<T> {
	const context = await (await browser()).newContext({
		baseURL: at,
		viewport: sizeOf(view),
		colorScheme: view.scheme,
		javaScriptEnabled: script,
		// Without `isMobile`, under which Chromium reports no shifts in the first moments.
		...(view.width === 390 && { hasTouch: true }),
		...options,
	});
	try {
		await context.addInitScript(SHIFTS);
		const page = await context.newPage();
		const visited = watch(page, { at, expected, script, view });
		await page.goto(address, { waitUntil: "load" });
		const result = await then(visited);
		if (name) await visited.picture(name);
		expect(await visited.faults(), `${address} at ${view.width} px, ${view.scheme}`).toEqual([]);
		return result;
	} finally {
		await context.unrouteAll({ behavior: "ignoreErrors" });
		await context.close();
	}
}

type Watching = { at: string; expected: RegExp | undefined; script: boolean; view: View };

function watch(page: Page, { at, expected, script, view }: Watching): Visited {
	const heard: string[] = [];
	const weights: Promise<number>[] = [];
	// Refusals by the content policy are errors of the console too.
	page.on("console", (message) => {
		if (message.type() === "error" || message.type() === "warning") heard.push(`console: ${message.text()}`);
	});
	page.on("pageerror", (error) => void heard.push(`exception: ${error.message}`));
	page.on("request", (request) => {
		const url = new URL(request.url());
		if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== at) heard.push(`foreign request: ${url.href}`);
	});
	page.on("response", (response) => {
		const body = response.body().then(
			(bytes) => gzipSync(bytes).length,
			// A redirection or a 304 has none.
			() => 0,
		);
		weights.push(body);
	});
	const visited: Visited = {
		page,
		async faults() {
			// Where no script runs, those that look for faults do not either.
			const found = [...heard, ...(await sideways(page)), ...(script ? [...(await shifts(page)), ...(await inaccessible(page))] : [])];
			return found.filter((line) => !expected?.test(line));
		},
		weight: async () => (await Promise.all(weights)).reduce((sum, bytes) => sum + bytes, 0) / 1024,
		picture: (name) => takePicture(page, name, view),
		async sound(name) {
			expect(await visited.faults(), `${name} at ${view.width} px`).toEqual([]);
			await visited.picture(name);
			const scheme = view.scheme === "light" ? "dark" : "light";
			await page.emulateMedia({ colorScheme: scheme });
			expect(await inaccessible(page, ["color-contrast"]), `${name}, ${scheme}`).toEqual([]);
			await takePicture(page, name, { ...view, scheme });
			await page.emulateMedia({ colorScheme: view.scheme });
			if (view.width !== 390) {
				await page.setViewportSize(ZOOMED);
				// Charts are drawn again.
				await expect.poll(() => sideways(page), { message: `${name} at 200 %`, timeout: 10_000 }).toEqual([]);
				await page.setViewportSize(sizeOf(view));
			}
		},
	};
	return visited;
}

async function takePicture(page: Page, name: string, { width, scheme }: View): Promise<void> {
	// They are for people to look at, and take as long as half of the tests.
	if (!process.env.PICTURES) return;
	mkdirSync(SCREENSHOTS, { recursive: true });
	await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${width}-${scheme}.png`), fullPage: true });
}

async function sideways(page: Page): Promise<string[]> {
	const { content, screen } = await page.evaluate(() => ({
		content: document.documentElement.scrollWidth,
		screen: document.documentElement.clientWidth,
	}));
	return content > screen ? [`scrolls sideways: ${content} px on a screen of ${screen}`] : [];
}

/** Runs in each page before its own scripts. */
const SHIFTS = `globalThis.shiftOfLayout = (() => {
	let sum = 0;
	const moved = new Set();
	const nameOf = (node) => (node.nodeType === 1 ? node : node.parentElement)?.outerHTML.match(/^<[^>]*>/)?.[0] ?? node.textContent;
	const count = (entries) => {
		for (const { value, hadRecentInput, sources } of entries) {
			if (hadRecentInput) continue;
			sum += value;
			for (const { node } of sources) if (node) moved.add(nameOf(node));
		}
	};
	const observer = new PerformanceObserver((list) => count(list.getEntries()));
	observer.observe({ type: "layout-shift", buffered: true });
	// Shifts are reported after the frame in which they happen.
	return () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
		count(observer.takeRecords());
		resolve({ sum, moved: [...moved] });
	}, 20)));
})()`;

async function shifts(page: Page): Promise<string[]> {
	type Shifting = { shiftOfLayout(): Promise<{ sum: number; moved: string[] }> };
	const { sum, moved } = await page.evaluate(() => (globalThis as unknown as Shifting).shiftOfLayout());
	return sum > MOST_SHIFT ? [`the layout shifts by ${sum.toFixed(3)}: ${moved.join(", ")}`] : [];
}

type Axe = {
	run(context: object, options: object): Promise<{ violations: { id: string; help: string; nodes: { target: string[] }[] }[] }>;
};

/** `rules`: all, without them. */
async function inaccessible(page: Page, rules?: readonly string[]): Promise<string[]> {
	// Through the debugger, because the page's content policy lets no other script in.
	const session = await page.context().newCDPSession(page);
	await session.send("Runtime.evaluate", { expression: `globalThis.axe || (() => {${AXE}})()` });
	await session.detach();
	const violations = await page.evaluate(async (runOnly) => {
		const { axe } = globalThis as unknown as { axe: Axe };
		const found = await axe.run(document, { runOnly, resultTypes: ["violations"] });
		return found.violations.map(({ id, help, nodes }) => ({ id, help, places: nodes.map(({ target }) => target.join(" ")) }));
	}, rules ?? AXE_TAGS);
	return violations.map(({ id, help, places }) => `axe ${id}: ${help} (${places.length}: ${places.slice(0, 3).join(", ")})`);
}
