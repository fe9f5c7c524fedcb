// What the pages are to whom something else is shown: another role, a hundred endpoints, colours of the reader's own, no motion.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { changed, type Story, settled, signIn, tellStory, to } from "./support.ts";

let story: Story;
beforeAll(async () => {
	story = await tellStory({ good: "Loan book", gone: "Old CRM" });
});
afterAll(() => story.end());

it("names the permission that a typed address needs", () =>
	visit("/console", PHONE, async ({ page, faults }) => {
		type Me = { organizations: { role: string }[] };
		await page.route(
			/\/v1\/me$/,
			changed((me: Me) => ({ ...me, organizations: me.organizations.map((one) => ({ ...one, role: "organization-viewer" })) })),
		);
		await signIn(page);
		for (const [path, sentence] of [
			["/endpoints", "Your role lacks org:webhooks:read."],
			[`/endpoints/${story.good}`, "Your role lacks org:webhooks:read."],
			["/portfolio", "Your role lacks org:lending:read."],
			["/accounts", "Your role lacks org:lending:read."],
			["/work", "Your role lacks org:lending:read."],
			["/organizations", "This page is not for you."],
			["/nowhere", "There is no page at this address."],
		] as const) {
			await to(page, path);
			await page.locator(".empty", { hasText: sentence }).waitFor();
		}
		expect(await faults()).toEqual([]);
	}));

it("offers the sandbox only where there is one", () =>
	visit("/console", DESK, async ({ page, faults }) => {
		// In production nobody signs in by one click: another tab has the session.
		const keeper = await page.context().newPage();
		await keeper.goto("/console");
		await signIn(keeper, "Platform operator");
		await keeper.getByRole("link", { name: "Sandbox" }).waitFor();
		await page.route(
			"/console/config.json",
			changed((config: object) => ({ ...config, environment: "production" })),
		);
		await page.reload();
		await settled(page);
		await page.getByRole("link", { name: "Organizations" }).waitFor();
		expect(await page.getByRole("link", { name: "Sandbox" }).count()).toBe(0);
		await to(page, "/sandbox");
		await page.locator(".empty", { hasText: "There is no sandbox here." }).waitFor();
		expect(await faults()).toEqual([]);
	}));

it("says at home that an endpoint takes nothing, while its deliveries are still retried", () =>
	visit("/console", PHONE, async ({ page, faults }) => {
		type Figures = { webhook_id: string; buckets: { attempts: number; delivered: number }[] };
		await page.route(
			/\/v1\/webhooks\/stats/,
			changed(({ data, links }: { data: Figures[]; links: unknown }) => ({
				links,
				data: data.map((one) =>
					one.webhook_id === story.good ? { ...one, buckets: [{ ...one.buckets[0], attempts: 3, delivered: 0, failed: 3 }] } : one,
				),
			})),
		);
		await signIn(page);
		await page.getByText("None of its latest 3 attempts succeeded; each is made again.").waitFor();
		expect(await faults()).toEqual([]);
	}));

it("lists a hundred endpoints by page", () =>
	visit(
		"/console",
		PHONE,
		async ({ page, sound }) => {
			type Endpoint = { id: string; name: string };
			const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`;
			const hundred = <One>(one: One, change: (index: number) => Partial<One>) =>
				Array.from({ length: 100 }, (_, index) => ({ ...one, ...change(index) }));
			await page.route(
				/\/v1\/webhooks$/,
				changed(([one]: Endpoint[]) => hundred(one, (index) => ({ id: idOf(index), name: `Endpoint ${index} of many` }))),
			);
			type Stats = { data: { webhook_id: string }[]; links: unknown };
			await page.route(
				/\/v1\/webhooks\/stats/,
				changed(({ data: [one] }: Stats) => ({
					data: hundred(one, (index) => ({ webhook_id: idOf(index + 40) })).slice(0, 12),
					links: { next: "next", prev: null },
				})),
			);
			await signIn(page);
			await to(page, "/endpoints");
			await page.locator(".row-link", { hasText: "Endpoint 51 " }).waitFor();
			expect(await page.locator(".row-link").count()).toBe(12);
			await page.getByRole("button", { name: "Older" }).waitFor();
			await sound("console-endpoints-hundred");
		},
		{ expected: MOVES },
	));

/** The figures of a chart, as they are read to who does not see it. */
const titlesOf = (page: Page, chart: string) => page.locator(`${chart} svg g > title`).allTextContents();

it("has the figures of a chart as text too", () =>
	visit("/console", DESK, async ({ page }) => {
		await signIn(page);
		await to(page, `/endpoints/${story.good}`);
		await page.locator(".bars svg g > title").first().waitFor({ state: "attached" });
		const titles = await titlesOf(page, ".bars");
		expect(titles).toHaveLength(24);
		expect(titles.at(-1)).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d: [1-9]\d* delivered, 0 failed attempts$/);
		await page.getByText("The hours as a table").click();
		await page.getByRole("table", { name: "Attempts per hour" }).getByRole("row").nth(1).waitFor();
	}));

it("keeps what is focused, chosen and failing apart in forced colours", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults, picture }) => {
			await signIn(page);
			await to(page, "/deliveries");
			await settled(page);
			await page.locator(".choice button").first().focus();
			await page.keyboard.press("Tab");
			const styleOf = (selector: string) =>
				page
					.locator(selector)
					.first()
					.evaluate((element) => {
						const { outlineStyle, outlineWidth, outlineColor, borderColor, backgroundColor } = getComputedStyle(element);
						return { outlineStyle, outlineWidth, outlineColor, borderColor, backgroundColor };
					});
			const ring = await styleOf(":focus");
			expect(ring.outlineStyle).toBe("solid");
			expect(ring.outlineColor).not.toBe((await styleOf("body")).backgroundColor);
			const [chosen, other] = [await styleOf(".choice button[aria-pressed=true]"), await styleOf(".choice button[aria-pressed=false]")];
			expect(chosen).not.toEqual(other);
			expect((await styleOf(".side nav a[aria-current]")).borderColor).not.toBe(
				(await styleOf(".side nav a:not([aria-current])")).borderColor,
			);
			await to(page, `/endpoints/${story.gone}`);
			await page.locator(".bars svg g > title").first().waitFor({ state: "attached" });
			expect(await faults()).toEqual([]);
			await picture("console-forced-colours");
		},
		// The colours are the reader's own.
		{ context: { forcedColors: "active" }, expected: /^axe color-contrast|^the layout shifts/ },
	));

it("moves nothing for those who want no motion", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			let release = (): void => {};
			const held = new Promise<void>((resolve) => {
				release = resolve;
			});
			await signIn(page);
			await page.route(/\/v1\/webhooks\/deliveries/, async (route) => {
				await held;
				await route.continue();
			});
			await to(page, "/deliveries");
			await page.locator(".skeleton i").first().waitFor();
			const moving = () => page.evaluate(() => document.getAnimations().length);
			expect(await moving()).toBe(0);
			await page.emulateMedia({ reducedMotion: "no-preference" });
			await expect.poll(moving).toBeGreaterThan(0);
			release();
			await settled(page);
		},
		{ context: { reducedMotion: "reduce" }, expected: MOVES },
	));
