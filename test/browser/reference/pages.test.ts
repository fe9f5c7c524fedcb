// Every page of the reference, as people with a phone or a desk, by day or by night, without script or on paper see it.

import { describe, expect, inject, it } from "vitest";
import { DESK, PHONE, VIEWS, visit } from "../visit.ts";

const index = await (await fetch(`${inject("baseUrl")}/docs`)).text();
const menu = index.slice(index.indexOf('<nav id="menu"'), index.indexOf("</nav>"));
const pages = [...new Set([...menu.matchAll(/href="(docs[^"#]*)"/g)].map(([, page = ""]) => `/${page}`))];

/** In kB of 1,024 bytes. */
const MOST_WEIGHT = 25;

it("are those of the menu", () => {
	expect(pages.length).toBeGreaterThan(40);
});

it.each(pages)("%s is sound on a phone by day and at a desk by night, and light", { timeout: 60_000 }, async (address) => {
	const name = address.slice(1).replaceAll("/", "-");
	await visit(
		address,
		PHONE,
		async ({ page, faults, weight }) => {
			expect(await weight()).toBeLessThan(MOST_WEIGHT);
			expect(await faults()).toEqual([]);
			await page.emulateMedia({ colorScheme: "dark" });
			await page.setViewportSize({ width: 1440, height: 900 });
		},
		// To be made wider shifts everything; the pages below are looked at in each width from the start.
		{ name: `${name}-wide-dark`, expected: /^the layout shifts/ },
	);
});

describe.each(["/docs", "/docs/webhooks", "/docs/errors", "/docs/guides/first-webhook"])("%s", (address) => {
	it.each(VIEWS)("is sound at $width px, $scheme", async (view) => {
		await visit(address, view, async ({ page }) => {
			// Everything that is folded too.
			await page.evaluate(() => {
				for (const details of document.querySelectorAll("details:not(.try)")) details.setAttribute("open", "");
			});
		});
	});

	it("is whole without script", async () => {
		await visit(
			address,
			PHONE,
			async ({ page }) => {
				expect(await page.locator("h1").isVisible()).toBe(true);
				expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(0);
				await page.getByRole("button", { name: "Menu" }).click();
				await page.getByRole("navigation").getByRole("link", { name: "Errors", exact: true }).click();
				expect(await page.locator("h1").textContent()).toBe("Errors");
			},
			{ script: false },
		);
	});

	it("prints what is folded, and no menu", async () => {
		await visit(
			address,
			DESK,
			async ({ page }) => {
				await page.emulateMedia({ media: "print" });
				expect(await page.locator("#menu").isVisible()).toBe(false);
				expect(await page.locator("header").isVisible()).toBe(false);
				expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
			},
			{ expected: /^the layout shifts/ },
		);
	});
});
