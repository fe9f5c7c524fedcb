// What owners do on the pages of webhooks, by keyboard alone.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DESK, MOVES, visit } from "../visit.ts";
import { focused, happen, pressUntil, type Story, settled, signIn, tabTo, tellStory } from "./support.ts";

let story: Story;

/** A key that is pressed so long after the page was opened: what a hand does sooner than a test can be sure to. */
const pressAt = (page: Page, key: string, timeStamp: number) =>
	page.evaluate(
		([name, at]) => {
			const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true });
			Object.defineProperty(event, "timeStamp", { value: at });
			document.body.dispatchEvent(event);
		},
		[key, timeStamp] as const,
	);
beforeAll(async () => {
	story = await tellStory({ good: "General ledger", gone: "Collections" });
});
afterAll(() => story.end());

it("lets a dead receiver be resumed and recovered, and a key be rotated, by keyboard alone", async () => {
	// A colour in which links can be read, because other files look at the page that shows it.
	await happen(story.owner, story.organizationId, "#14532d");
	story.goneReceiver.behaviour.failures = 0;
	await visit(
		"/console",
		DESK,
		async ({ page }) => {
			const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
			await page.getByText("Start at once").waitFor();
			await tabTo(page, /^Owner of an organization/);
			await press("Enter");
			await page.getByText("Needs attention").waitFor();
			await pressUntil(page, ["g", "e"], page.getByRole("heading", { name: "Endpoints", level: 1 }));
			await page.locator(".row-link").filter({ hasText: "Collections" }).waitFor();
			do await press("j");
			while (!(await page.evaluate(() => document.activeElement?.textContent ?? "")).startsWith("Collections"));
			await press("Enter");
			await page.getByRole("heading", { name: "Collections" }).waitFor();

			await page.getByRole("button", { name: "Resume" }).waitFor();
			await tabTo(page, /^Resume$/);
			await press("Enter");
			// The safe button has the focus.
			await focused(page, /^Cancel$/);
			await tabTo(page, /^Resume$/);
			await press("Enter");
			await page.locator(".title .badge", { hasText: /Active|Failing/ }).waitFor();

			await tabTo(page, /^Recover$/);
			await press("Enter");
			await page.getByRole("button", { name: /^Recover \d/ }).waitFor();
			await tabTo(page, /^Recover \d/);
			await press("Enter");
			await page.getByText("will be sent, ten a second").waitFor();
			await page.waitForTimeout(50);
			await tabTo(page, /^Close$/);
			await press("Enter");
			await page.locator("main .state", { hasText: "Delivered" }).first().waitFor();

			await tabTo(page, /^Rotate$/);
			await press("Enter");
			await tabTo(page, /^Make a key$/);
			await press("Enter");
			// Waits until it is there.
			const secret = (await page.locator(".secret code").textContent()) ?? "";
			expect(secret).toMatch(/^whsec_/);
			story.goneReceiver.behaviour.secrets = [secret];
			await tabTo(page, /^The receiver has it$/);
			await press("Enter");
			await tabTo(page, /^Send test$/);
			await press("Enter");
			await page.getByRole("button", { name: /^End whsec_/ }).waitFor();
			await tabTo(page, /^End whsec_/);
			await press("Enter");
			await page.getByText("The key is rotated").waitFor();
			await press("Escape");
			await page.locator(".rows li").nth(1).waitFor({ state: "detached" });
			// Once it is left, the secret is nowhere.
			expect(await page.content()).not.toContain(secret);
		},
		{ expected: MOVES },
	);
}, 120_000);

it("takes a letter for a page only after g, in the first moments of a page too", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			await signIn(page);
			await settled(page);
			await pressAt(page, "e", 100);
			await pressAt(page, "g", 200);
			await pressAt(page, "k", 300);
			await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
			// Its sequence has ended.
			await pressAt(page, "e", 400);
			await settled(page);
			expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("API keys");
			await pressAt(page, "g", 500);
			await pressAt(page, "h", 2_001);
			await settled(page);
			expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("API keys");
		},
		{ expected: MOVES },
	));
