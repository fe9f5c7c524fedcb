// What people do at a desk in the month of `month.test.ts`.

import type { Locator, Page } from "playwright-core";
import { DESK, MOVES, type Visited, visit } from "../visit.ts";
import { approve } from "./day-borrowers.ts";
import { besides, open } from "./hands.ts";
import { fileOf } from "./month-file.ts";
import { type Loan, type Month, SHORT_CODE } from "./month-world.ts";
import { settled, signIn } from "./support.ts";

export const PATIENCE_MS = 30_000;

/** The owner at a desk. */
export const look = (month: Month, then: (visited: Visited) => Promise<void>) =>
	visit(
		"/console",
		DESK,
		async (visited) => {
			await signIn(visited.page);
			await settled(visited.page);
			await then(visited);
		},
		{ at: month.at, expected: MOVES },
	);

export const agree = (month: Month, title: RegExp) =>
	besides(month.at, DESK, "Platform operator", MOVES, (second) => approve(second, title));

interface Money {
	readonly kind: "BORROWED" | "TRANSFER" | "DRAWN";
	readonly account: string;
	readonly to?: string;
	readonly amount: string;
	readonly on: string;
	readonly reference: string;
	readonly title: string;
}

export const openTreasury = async (page: Page) => {
	await open(page, "Ledger");
	await page.getByRole("link", { name: "Treasury" }).click();
};

/** On the page Treasury. One asks, the other decides. */
export async function record(page: Page, month: Month, { kind, account, to, amount, on, reference, title }: Money): Promise<void> {
	await page.getByRole("button", { name: "Record money" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("What happened").selectOption(kind);
	await dialog.getByLabel("Cash account").selectOption(account);
	if (to) await dialog.getByLabel("To", { exact: true }).selectOption(to);
	await dialog.getByLabel("Amount").fill(amount);
	await dialog.getByLabel("Day on which it moved").fill(on);
	await dialog.getByLabel("Reference").fill(reference);
	await dialog.getByRole("button", { name: "Ask for approval" }).click();
	await dialog.waitFor({ state: "detached" });
	await page.getByText("It waits among the").waitFor();
	await agree(month, new RegExp(`^Approve: Record ${amount}\\.00 KES: ${title}`));
}

export async function match(page: Page, receipt: string, { number, name }: Loan): Promise<void> {
	await open(page, "Payments");
	await page.getByRole("button", { name: `Match ${receipt}` }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel(/^Account number, @tag/).fill(number);
	await dialog.getByRole("button", { name: "Find", exact: true }).click();
	await dialog.getByRole("radio", { name: new RegExp(name) }).check();
	await dialog.getByRole("button", { name: /^Post / }).click();
	await page.getByText(`(${receipt}) is posted`).waitFor();
}

/** The figure of this name. */
export const figure = (page: Page, name: string): Locator =>
	page
		.locator("dl.figures > div", { has: page.locator("dt", { hasText: name }) })
		.locator("dd")
		.first();

export async function importFile(page: Page, month: Month): Promise<void> {
	await open(page, "Statements");
	const buffer = Buffer.from(fileOf(month.lines, SHORT_CODE));
	await page.getByLabel("Import a statement (CSV)").setInputFiles({ name: "month.csv", mimeType: "text/csv", buffer });
	await page.getByLabel("Shortcode or account number").fill(SHORT_CODE);
	await page.getByLabel("First day").fill(month.first);
	await page.getByLabel("Last day").fill(month.last);
	await page.getByRole("button", { name: "Import and compare" }).click();
	await page.getByRole("heading", { level: 1, name: "Statement of" }).waitFor();
	await month.work();
	await page.getByText("Compared", { exact: true }).waitFor({ timeout: PATIENCE_MS });
}

export async function compareAgain(page: Page, month: Month): Promise<void> {
	const asked = page.waitForResponse((response) => response.url().endsWith("/compare"));
	await page.getByRole("button", { name: "Compare again" }).click();
	await asked;
	await month.work();
}

export const openStatement = async (page: Page) => {
	await open(page, "Statements");
	await page.locator(".row-link").first().click();
	await page.getByRole("heading", { level: 1, name: "Statement of" }).waitFor();
	await settled(page);
};

export const openBreaks = async (page: Page): Promise<string[]> =>
	(
		await page
			.getByRole("table", { name: "Breaks" })
			.getByRole("button")
			.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""))
	)
		.filter((label) => !label.startsWith("Take "))
		.sort();

/** The amounts of a row, without their currency. */
export const sidesOf = async (row: Locator): Promise<string[]> =>
	(await row.locator("td.right").allTextContents()).map((text) => text.trim().replace(/[A-Z]{3}$/, ""));
