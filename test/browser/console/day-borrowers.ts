// The lender's day: borrowers and what they owe. In the world of `day.test.ts`.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type DayWorld, SAID } from "./day-world.ts";
import { find, type Hands, open, task } from "./hands.ts";
import { settled } from "./support.ts";

const loanOf = (page: Page, name: string) => page.getByRole("heading", { name: `Loan of ${name}` }).waitFor();

/** The loan of a borrower, by the search. */
export async function openLoan(page: Page, name: string): Promise<void> {
	await find(page, name, name);
	await page.getByRole("table", { name: "Accounts" }).locator(".row-link").first().click();
	await loanOf(page, name);
	await settled(page);
}

/** The same by keys: the first letters of a last name are enough. */
export async function keysToLoan(hands: Hands, name: string): Promise<void> {
	const { page } = hands;
	await hands.press("Control+k");
	await hands.type(name.split(" ")[1]?.slice(0, 4).toLowerCase() ?? "");
	await page.getByRole("option").filter({ hasText: name }).waitFor();
	await hands.press("Enter");
	await page.getByRole("heading", { name, exact: true }).waitFor();
	await page.locator(".row-link").first().waitFor();
	await hands.press("j", "Enter");
	await loanOf(page, name);
	await settled(page);
}

/** The one request that waits and reads so. */
const waiting = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });

export async function approve(page: Page, title: RegExp): Promise<void> {
	await open(page, "Approvals");
	await page.getByRole("button", { name: title }).first().click();
	await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
	await page.getByRole("status").filter({ hasText: "Approved" }).waitFor();
}

async function keysToApprove(hands: Hands, title: RegExp): Promise<void> {
	await hands.press("g", "a");
	await hands.page.getByRole("button", { name: title }).first().waitFor();
	await hands.tabTo(title);
	await hands.press("Enter");
	await hands.tabTo(/^Approve$/);
	await hands.press("Enter");
	await hands.page.getByRole("status").filter({ hasText: "Approved" }).waitFor();
}

export function itsBorrowers(world: () => DayWorld): void {
	const at = () => world().at;
	const nth = (index: number) => world().borrowers[index] ?? { name: "", number: "", accountId: "", userId: "" };

	task("1. a borrower is found by the number that they say", at, {
		async clicks({ page, sound }) {
			await find(page, SAID, "Baraka Mwangi");
			await sound("borrower");
		},
		async keys(hands) {
			await hands.press("Control+k");
			await hands.type(SAID.replaceAll(" ", ""));
			await hands.page.getByRole("option").filter({ hasText: "Baraka Mwangi" }).waitFor();
			await hands.press("Enter");
			await hands.page.getByRole("heading", { name: "Baraka Mwangi" }).waitFor();
		},
	});

	task("2. what a borrower owes, and why", at, {
		async clicks({ page, sound }) {
			await open(page, "Accounts");
			await page.locator(".row-link").first().click();
			await page.getByRole("heading", { name: "Why this amount is owed" }).waitFor();
			await page.locator(".why tbody tr").filter({ hasText: "overdue" }).first().waitFor();
			await sound("loan-overdue");
		},
		async keys(hands) {
			await hands.press("g", "c");
			await hands.page.locator(".row-link").first().waitFor();
			await hands.press("j", "Enter");
			await hands.page.locator(".why tbody tr").filter({ hasText: "overdue" }).first().waitFor();
		},
	});

	task("4. a penalty is waived, and a second person agrees", at, {
		async clicks({ page, sound, round, beside }) {
			await openLoan(page, nth(round).name);
			await page.getByRole("button", { name: "Waive" }).click();
			const amount = await page.getByLabel("Amount, KES").inputValue();
			expect(Number(amount)).toBeGreaterThan(0);
			await page.getByLabel("Reason").fill("The bank was closed");
			await sound("waive");
			await page.getByRole("button", { name: "Ask for approval" }).click();
			await page.getByText("It waits among the").waitFor();
			await beside("Platform operator", async (second) => {
				await open(second, "Approvals");
				await waiting(second, nth(round).name).getByText("The bank was closed").waitFor();
				await approve(second, new RegExp(`^Approve: Waive ${amount} KES`));
			});
		},
		async keys(hands, { round, beside }) {
			await keysToLoan(hands, nth(round).name);
			await hands.tabTo(/^Waive$/);
			await hands.press("Enter");
			await hands.tabTo(/^Reason/, "Shift+Tab");
			await hands.type("Late");
			await hands.press("Enter");
			await hands.page.getByText("It waits among the").waitFor();
			await beside("Platform operator", (second) => keysToApprove(hands.at(second), /^Approve: Waive/));
		},
	});

	task("5. a loan is written off, and a second person agrees", at, {
		async clicks({ page, sound, round, beside }) {
			await openLoan(page, nth(2 + round).name);
			await page.getByRole("button", { name: "Write off" }).click();
			await page.getByLabel("Reason").fill("The borrower has left the country");
			await sound("write-off");
			await page.getByRole("button", { name: "Ask for approval" }).click();
			await page.getByText("It waits among the").waitFor();
			await beside("Platform operator", (second) => approve(second, /^Approve: Write/));
			await page.getByText("Written off").first().waitFor();
		},
		async keys(hands, { round, beside }) {
			await keysToLoan(hands, nth(2 + round).name);
			await hands.tabTo(/^Write off$/);
			await hands.press("Enter");
			await hands.tabTo(/^Reason/, "Shift+Tab");
			await hands.type("Gone");
			await hands.press("Enter");
			await hands.page.getByText("It waits among the").waitFor();
			await beside("Platform operator", (second) => keysToApprove(hands.at(second), /^Approve: Write/));
		},
	});

	// Its dates are the platform's to give.
	task("6. a loan is rescheduled", at, {
		who: "Platform operator",
		async clicks({ page, sound }) {
			await openLoan(page, nth(6).name);
			await page.getByRole("button", { name: "Reschedule" }).click();
			const dialog = page.getByRole("dialog");
			await dialog.getByLabel("What").selectOption("EXTEND");
			await dialog.getByLabel("Reason").fill("The harvest is late");
			await dialog.getByRole("row").filter({ hasText: "–" }).waitFor();
			const height = (cell: HTMLElement | SVGElement) => cell.clientHeight / Number.parseFloat(getComputedStyle(cell).lineHeight);
			expect(
				await dialog
					.getByRole("cell", { name: /^\d+ \w+ \d{4}$/ })
					.first()
					.evaluate(height),
				"lines of a date",
			).toBeLessThan(3);
			await sound("reschedule");
			await dialog.getByRole("button", { name: "Reschedule" }).click();
			await page.getByText("The installments have their new dates.").waitFor();
		},
		async keys(hands) {
			await keysToLoan(hands, nth(7).name);
			await hands.tabTo(/^Reschedule$/);
			await hands.press("Enter");
			await hands.tabTo(/^Reason/);
			await hands.type("Harvest");
			await hands.page.getByRole("dialog").getByRole("row").nth(1).waitFor();
			await hands.press("Enter");
			await hands.page.getByText("The installments have their new dates.").waitFor();
		},
	});
}
