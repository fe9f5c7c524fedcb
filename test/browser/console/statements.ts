// A statement is imported from its file, and each of its breaks is resolved by clicks. In the world of `day.test.ts`.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { approve } from "./day-borrowers.ts";
import type { DayWorld } from "./day-world.ts";
import { besides, open } from "./hands.ts";
import { settled, signIn } from "./support.ts";

const TILL = "12345";
const DAY_MS = 86_400_000;
const EAST_AFRICA_MS = 3 * 3_600_000;

/** The figure of this name. */
const figure = (page: Page, name: string) =>
	page
		.locator("dl.figures > div", { has: page.locator("dt", { hasText: name }) })
		.locator("dd")
		.first();

/** A bank's file, with columns of its own. */
const BANK = (day: string) => ["Account;0123456", "Value Date;Narrative;Debit;Credit;Balance", `${day};Transfer;;250,00;250,00`].join("\n");

function itsBank(world: () => DayWorld): void {
	it("a bank's first statement is imported by the columns of its file, which the form has found", { timeout: 120_000 }, async () => {
		const { at, operator } = world();
		const { now } = await operator.advanceClock({ body: { advance: "PT1S" } });
		const local = new Date(Date.parse(now) + EAST_AFRICA_MS - DAY_MS).toISOString().slice(0, 10);
		await visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				await signIn(page);
				await open(page, "Statements");
				const file = { name: "bank.csv", mimeType: "text/csv", buffer: Buffer.from(BANK(local.split("-").reverse().join("."))) };
				await page.getByLabel("Import a statement (CSV)").setInputFiles(file);
				const dialog = page.getByRole("dialog");
				await dialog.getByLabel("Of", { exact: true }).selectOption("BANK");
				await dialog.getByLabel("Shortcode or account number").fill("0123456");
				await dialog.getByLabel("Which of its accounts").fill("MAIN");
				for (const [label, column] of [
					["Date or time", "Value Date"],
					["Money in", "Credit"],
					["Money out", "Debit"],
					["Balance", "Balance"],
				] as const)
					expect(await dialog.getByLabel(label, { exact: true }).inputValue()).toBe(column);
				await dialog.getByLabel("Amounts are written").selectOption("COMMA");
				await dialog.getByLabel("First day").fill(local);
				await dialog.getByLabel("Last day").fill(local);
				expect(await faults()).toEqual([]);
				await picture("day-bank-statement");
				await dialog.getByRole("button", { name: "Import and compare" }).click();
				await page.getByRole("heading", { level: 1, name: "Statement of" }).waitFor();
				await operator.advanceClock({ body: { advance: "PT1S" } });
				await page.getByText("Compared", { exact: true }).waitFor({ timeout: 60_000 });
				await page.getByRole("table", { name: "Breaks" }).getByText("250.00").first().waitFor();
				await settled(page);
			},
			{ at, expected: MOVES },
		);
	});
}

export function itsStatements(world: () => DayWorld): void {
	itsBank(world);
	it.each([PHONE, DESK])(
		"a statement's breaks are resolved until nothing is unexplained, at $width px",
		{ timeout: 600_000 },
		async (view) => {
			const { at, operator, organizationId, borrowers } = world();
			const of = (nth: number) => `Z${view.width}${nth}`;
			const { now } = await operator.advanceClock({ body: { advance: "PT1S" } });
			const local = new Date(Date.parse(now) + EAST_AFRICA_MS - DAY_MS).toISOString().slice(0, 10);
			const noon = `${local}T09:00:00.000Z`;
			const borrower = borrowers[0];
			if (!borrower) throw new Error("there is no borrower");
			const pay = (receipt: string, value: number) =>
				operator.recordRepayment({
					organization: organizationId,
					body: {
						...{ account_id: borrower.accountId, amount: { value, currency: "KES" }, mobile_money_transaction_id: receipt },
						...{ transacted_at: noon, details: { type: "BUY_GOODS", till_number: TILL } },
					},
				});
			await pay(of(3), 30_000);
			await pay(of(4), 40_000);
			await pay(of(5), 50_000);
			const line = (receipt: string, paidIn: string, withdrawn: string, balance: string) =>
				`${receipt},${local} 12:00:00,Completed,${paidIn},${withdrawn},${balance}`;
			const rows = [
				line(of(1), "100.00", "", "100.00"),
				line(of(2), "", "50.00", "50.00"),
				line(of(3), "350.00", "", "400.00"),
				line(of(5), "500.00", "", "900.00"),
				line(of(5), "500.00", "", "1400.00"),
			].reverse();
			const csv = ["Receipt No.,Completion Time,Transaction Status,Paid In,Withdrawn,Balance", ...rows].join("\n");
			await visit(
				"/console",
				view,
				async ({ page, faults, picture }) => {
					await signIn(page);
					await open(page, "Statements");
					await page
						.getByLabel("Import a statement (CSV)")
						.setInputFiles({ name: `till-${view.width}.csv`, mimeType: "text/csv", buffer: Buffer.from(csv) });
					await page.getByLabel("Shortcode or account number").fill(TILL);
					await page.getByLabel("Which of its accounts").fill(`A${view.width}`);
					await page.getByLabel("First day").fill(local);
					await page.getByLabel("Last day").fill(local);
					expect(await faults()).toEqual([]);
					await page.getByRole("button", { name: "Import and compare" }).click();
					await page.getByRole("heading", { level: 1, name: "Statement of" }).waitFor();
					const breaks = page.getByRole("table", { name: "Breaks" });
					const compared = async () => {
						await operator.advanceClock({ body: { advance: "PT1S" } });
						await page.getByText("Compared", { exact: true }).waitFor({ timeout: 60_000 });
					};
					await compared();
					await breaks.getByText(of(4)).waitFor();
					expect(await breaks.locator("tbody tr").count()).toBe(5);
					expect(await figure(page, "Difference").textContent()).toBe("0.00");
					expect(await faults()).toEqual([]);
					await picture("day-statement");
					const explain = async (receipt: string) => {
						await page.getByRole("button", { name: `Explain it: ${receipt}` }).click();
						await page.getByRole("textbox", { name: "Reason" }).fill("Compared with the portal");
						await page.getByRole("dialog").getByRole("button", { name: "Explain it" }).click();
						await breaks.getByText(receipt).waitFor({ state: "detached" });
					};
					await page.getByRole("button", { name: `Record it: ${of(1)}` }).click();
					await page.getByRole("dialog").getByRole("button", { name: "Record it" }).click();
					await breaks.getByText(of(1)).waitFor({ state: "detached" });
					await explain(of(2));
					// No connection to the till is there: nobody can be asked.
					for (const receipt of [of(4), of(5)]) {
						await page.getByRole("button", { name: `Ask the provider: ${receipt}` }).click();
						await page.getByRole("dialog").getByRole("button", { name: "Ask", exact: true }).click();
						await explain(receipt);
					}
					await page.getByRole("button", { name: `Correct it: ${of(3)}` }).click();
					await page.getByLabel("Number of the account").fill(borrower.number);
					await page.getByRole("textbox", { name: "Reason" }).fill("Mistyped");
					await page.getByRole("dialog").getByRole("button", { name: "Ask for approval" }).click();
					await page.getByText("It waits among the").waitFor();
					expect(await figure(page, "Unexplained").textContent()).toBe("50.00");
					await besides(at, view, "Platform operator", MOVES, (second) => approve(second, /^Approve: Correct the amount of a payment/));
					await page.getByRole("button", { name: "Compare again" }).click();
					await operator.advanceClock({ body: { advance: "PT1S" } });
					await expect.poll(() => figure(page, "Unexplained").textContent(), { timeout: 60_000 }).toBe("0.00");
					await settled(page);
					expect(await faults()).toEqual([]);
				},
				{ at, expected: MOVES },
			);
		},
	);
}
