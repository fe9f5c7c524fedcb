// What strangers do with the reference: find answers, by keyboard alone too, copy a sample, and try an operation out.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { DESK, PHONE, visit } from "../visit.ts";

/** Each with the path and the words of its answer, and the links that lead there from the start page. */
const QUESTIONS = [
	["how do I rotate a secret", "/docs/guides/receiving-webhooks#rotate-a-secret", ["Receiving webhooks", "Rotate a secret"]],
	["why 409", "/docs/errors", ["Errors", "409"]],
	[
		"what is due on a day",
		"/docs/guides/where-every-unit-comes-from#the-amount-due-on-a-day",
		["Where every unit comes from", "The amount due on a day"],
	],
	["how do I page", "/docs/guides/paging-and-bookmarks#page-through-a-list", ["Paging and bookmarks", "Page through a list"]],
	["how do I verify a signature", "/docs/guides/receiving-webhooks#verify-a-signature", ["Receiving webhooks", "Verify a signature"]],
	["how do I retry safely", "/docs/guides/idempotency-and-retries#retry-safely", ["Idempotency and retries", "Retry safely"]],
	["what does INVALID_STATE mean", "/docs/errors#INVALID_STATE", ["Errors", "409"]],
	["which role may approve", "/docs/roles#permissions", ["Roles and scopes", "Which role has which permission"]],
	["how do I move the sandbox's clock", "/docs/guides/sandbox-clock#move-the-clock", ["Sandbox clock", "Move the clock"]],
	["how do I refund", "/docs/guides/from-offer-to-repayment#refund-an-overpayment", ["From offer to repayment", "Refund an overpayment"]],
] as const;

const placeOf = (page: Page): string => page.url().replace(/^https?:\/\/[^/]+/, "");

describe("the stranger's questions", () => {
	it("are each answered by one search, with the keyboard alone", { timeout: 90_000 }, async () => {
		await visit("/docs", DESK, async ({ page }) => {
			for (const [question, answer] of QUESTIONS) {
				await page.keyboard.press("/");
				await page.keyboard.type(question);
				await page.locator('#found [aria-selected="true"]').waitFor();
				await page.waitForFunction(
					(path) => document.querySelector('#found [aria-selected="true"]')?.getAttribute("href")?.endsWith(path),
					answer.slice(6),
				);
				await page.keyboard.press("Enter");
				await page.waitForURL(`**${answer}`);
				expect(placeOf(page), question).toBe(answer);
			}
		});
	});

	it("are each answered within three clicks, on a phone without script", { timeout: 90_000 }, async () => {
		await visit(
			"/docs",
			PHONE,
			async ({ page }) => {
				for (const [question, answer, links] of QUESTIONS) {
					await page.goto("/docs");
					for (const name of links) {
						const link = page.getByRole("link", { name, exact: true });
						if (!(await link.first().isVisible())) await page.getByRole("button", { name: "Menu" }).click();
						await link.first().click();
					}
					expect(placeOf(page).split("#")[0], question).toBe(answer.split("#")[0]);
				}
			},
			{ script: false },
		);
	});
});

it("is used by keyboard: the menu of a phone, the samples, copying", async () => {
	await visit(
		"/docs/loans",
		PHONE,
		async ({ page, faults }) => {
			await page.getByRole("button", { name: "Menu" }).focus();
			await page.keyboard.press("Enter");
			expect(await page.getByRole("navigation").isVisible()).toBe(true);
			expect(await page.locator('#menu [aria-current="page"]').textContent()).toBe("Loans");
			expect(await faults()).toEqual([]);
			await page.keyboard.press("Escape");
			expect(await page.getByRole("navigation").isVisible()).toBe(false);
			const apply = page.locator("section:has(> .says > #applyForLoan)");
			await apply.getByLabel("curl").focus();
			await page.keyboard.press("ArrowRight");
			expect(await apply.getByText("await api.applyForLoan(").isVisible()).toBe(true);
			await apply.getByRole("button", { name: "Copy" }).first().click();
			expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("await api.applyForLoan(");
		},
		{ context: { permissions: ["clipboard-read", "clipboard-write"] } },
	);
});

it("tries an operation out with a token of the sandbox", async () => {
	await visit(
		"/docs/users",
		DESK,
		async ({ page }) => {
			const section = page.locator("section:has(> .says > #getMe)");
			await section.getByText("Try it").click();
			await section.getByRole("button", { name: "Send" }).click();
			await section.getByText("200 OK").waitFor();
			expect(await section.locator("output pre").textContent()).toContain('"tag": "@');
		},
		{ name: "docs-users-tried" },
	);
});
