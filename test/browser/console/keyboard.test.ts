// What owners do on the pages of webhooks, by keyboard alone.

import { afterAll, beforeAll, expect, it } from "vitest";
import { DESK, MOVES, visit } from "../visit.ts";
import { focused, happen, pressUntil, type Story, tabTo, tellStory } from "./support.ts";

let story: Story;
beforeAll(async () => {
	story = await tellStory({ good: "General ledger", gone: "Collections" });
});
afterAll(() => story.end());

it("lets a dead receiver be resumed and recovered, and a key be rotated, by keyboard alone", async () => {
	await happen(story.owner, story.organizationId, "#abcdef");
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
