// Every page of the shell and of webhooks, on a phone and at a desk, by day and by night.

import { afterAll, beforeAll, expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { HOSTILE, pressUntil, type Story, signIn, tellStory, to, tour } from "./support.ts";

let story: Story;
beforeAll(async () => {
	story = await tellStory({ good: "Core ledger", gone: HOSTILE });
});
afterAll(() => story.end());

const pages = (): readonly (readonly [name: string, path: string])[] => [
	["home", ""],
	["endpoints", "/endpoints"],
	["endpoint-new", "/endpoints/new"],
	["endpoint", `/endpoints/${story.good}`],
	["endpoint-suspended", `/endpoints/${story.gone}`],
	["endpoint-edit", `/endpoints/${story.good}/edit`],
	["events", "/events"],
	["event", `/events/${story.eventId}`],
	["deliveries", "/deliveries"],
	["deliveries-none", "/deliveries?event_type=loan.disbursed"],
	["delivery", `/deliveries/${story.deliveryId}`],
	["delivery-failed", `/deliveries/${story.failedId}`],
	["signatures", "/signatures"],
	["no-page", "/nowhere"],
	["not-found", "/endpoints/00000000-0000-7000-8000-000000000000"],
];

it.each([PHONE, DESK])(
	"have no fault at $width px, by day and by night",
	async (view) => {
		await visit(
			"/console",
			view,
			async ({ page, sound }) => {
				await page.getByText("Start at once").waitFor();
				await sound("console-sign-in");
				const names = new Map(pages().map(([name, path]) => [path, name]));
				await tour(page, "Owner of an organization", [...names.keys()], async (path) => {
					await sound(`console-${names.get(path)}`);
					expect(await page.title(), path).not.toBe("ran");
				});
			},
			{ expected: /status of 404/ },
		);
	},
	120_000,
);

it("show the texts of others as texts", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			await signIn(page);
			await page.getByRole("link", { name: "Endpoints", exact: true }).click();
			await page.locator(".row-link").filter({ hasText: HOSTILE }).click();
			await page.locator("h1", { hasText: HOSTILE }).waitFor();
			await to(page, `/deliveries/${story.failedId}`);
			expect(await page.locator(".answer pre").first().textContent()).toContain(HOSTILE);
			expect(await page.locator("main img").count()).toBe(0);
		},
		{ expected: MOVES },
	));

it("find a page by its name and anything by its id, and write times exactly", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			await signIn(page);
			await pressUntil(page, ["Control+k"], page.locator("dialog input:focus"));
			await page.keyboard.type("deliv");
			await page.locator("dialog [role=option]").first().waitFor();
			await page.keyboard.press("Enter");
			await page.getByRole("heading", { name: "Deliveries" }).waitFor();
			await pressUntil(page, ["/"], page.locator("dialog input:focus"));
			await page.keyboard.type(story.deliveryId);
			await page.locator("dialog [role=option]").waitFor();
			await page.keyboard.press("Enter");
			await page.getByRole("heading", { name: "branding.updated" }).waitFor();
			expect(await page.locator(".about time").textContent()).toMatch(/ago$|^now$/);
			await page.keyboard.press("t");
			await expect.poll(() => page.locator(".about time").textContent()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d$/);
		},
		// Each kind of thing is asked whether it has the id.
		{ expected: /status of 404|^the layout shifts/ },
	));
