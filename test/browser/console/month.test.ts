// A month of a lender, closed from the console by clicks: payments with wrong references, a payout that came back, charges, a write-off, a
// recovery, a rescheduled loan and borrowed money. The provider's statement ties out to the unit, the trial balance is even, and a borrower's statement is read
// back from its file.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { readPdf } from "../../support/pdf.ts";
import { openLoan } from "./day-borrowers.ts";
import { open } from "./hands.ts";
import {
	agree,
	compareAgain,
	figure,
	importFile,
	look,
	match,
	openBreaks,
	openStatement,
	openTreasury,
	PATIENCE_MS,
	record,
	sidesOf,
} from "./month-desk.ts";
import { shillings } from "./month-file.ts";
import { HAPPENS, type Loan, type Month, makeMonth, type Who } from "./month-world.ts";
import { fileSavedBy, settled } from "./support.ts";

it("a lender's month is closed by clicks, ties out to the unit, and its statements are read back", { timeout: 600_000 }, async () => {
	const month = await makeMonth();
	try {
		await look(month, ({ page }) => borrows(page, month));
		const loans = await month.lendToAll();
		await firstHalf(month, loans);
		await look(month, async ({ page, faults }) => {
			await match(page, "WRONG00001", loans.misdirected);
			await match(page, "WRONG00002", loans.misdirected);
			expect(await faults()).toEqual([]);
		});
		const elsewhere = await secondHalf(month, loans);
		let closing = "";
		await look(month, async ({ page, faults, picture }) => {
			closing = await tiesOut(page, month, loans, elsewhere);
			expect(await faults()).toEqual([]);
			await picture("month-statement");
			await closes(page, month);
		});
		await month.moveTo(daysOf(month) + 2, 10);
		await look(month, async ({ page, faults }) => {
			await cashIs(page, month, closing);
			await readsBack(page, month, loans.payer);
			expect(await faults()).toEqual([]);
		});
	} finally {
		await month.end();
	}
});

const daysOf = ({ last }: Month): number => Number(last.slice(8));

/** The lender borrows, and moves what its payouts need to M-Pesa. */
async function borrows(page: Page, month: Month): Promise<void> {
	const on = month.first;
	await openTreasury(page);
	const bank = { kind: "BORROWED", account: "1130", amount: "1,000,000", on, reference: "KCB 4711" } as const;
	await record(page, month, { ...bank, title: "borrowed funds received" });
	const moved = { kind: "TRANSFER", account: "1130", to: "1110", amount: "800,000", on, reference: "TRF0000001" } as const;
	await record(page, month, { ...moved, title: "transfer between cash accounts" });
	month.lines.push({ receipt: "TRF0000001", at: month.instant(1, 8), amount: 80_000_000, reason: "Organization Settlement" });
}

/** Until two payments wait that were made with wrong references. */
async function firstHalf(month: Month, loans: Readonly<Record<Who, Loan>>): Promise<void> {
	await month.moveTo(3, 10);
	await HAPPENS.payoutReturns(month, loans.returned);
	await month.moveTo(12, 10);
	await month.pay({ account_id: loans.payer.accountId }, 250_000, "RIGHT00001");
	await month.pay({ account_number: "SHAMBA 12" }, 200_000, "WRONG00001");
	await month.pay({ account_number: "UM-00917" }, 150_000, "WRONG00002");
}

/** Until the month is over. Four things are not as they should be. Returns the receipt of a payment that was made to somebody else. */
async function secondHalf(month: Month, loans: Readonly<Record<Who, Loan>>): Promise<string> {
	await month.moveTo(15, 10);
	await HAPPENS.reschedule(month, loans.rescheduled);
	await month.moveTo(20, 10);
	await HAPPENS.writeOff(month, loans.writtenOff);
	await month.moveTo(24, 10);
	await month.pay({ account_id: loans.writtenOff.accountId }, 100_000, "RECOVERED1");
	await month.pay({ account_id: loans.payer.accountId }, 300_000, "MISTYPED01", 350_000);
	const elsewhere = month.payElsewhere(70_000);
	await month.pay({ account_id: loans.rescheduled.accountId }, 70_000, elsewhere, 0);
	const [at, { number }] = [month.instant(25, 12), loans.payer];
	month.lines.push({ receipt: "UNHEARD001", at, amount: 400_000, reason: "Pay Bill Online", reference: number });
	month.lines.push({ receipt: "DRAWN00001", at: at + 60_000, amount: -2_000_000, reason: "Organization Withdrawal" });
	await month.moveTo(daysOf(month) + 1, 10);
	return elsewhere;
}

/** Each break is resolved, until nothing is unexplained. Returns what the statement ends with. */
async function tiesOut(page: Page, month: Month, loans: Readonly<Record<Who, Loan>>, elsewhere: string): Promise<string> {
	await importFile(page, month);
	const breaks = page.getByRole("table", { name: "Breaks" });
	await breaks.getByText(elsewhere).waitFor();
	expect(await openBreaks(page)).toEqual([
		`Ask the provider: ${elsewhere}`,
		"Correct it: MISTYPED01",
		"Explain it: DRAWN00001",
		"Record it: UNHEARD001",
	]);
	expect(await figure(page, "Difference").textContent()).toBe("0.00");
	// What came in more than is recorded, and what went out more.
	expect(await figure(page, "Unexplained").textContent()).toBe(shillings(50_000 - 70_000 + 400_000 - 2_000_000).replace("-", "−"));

	await page.getByRole("button", { name: "Record it: UNHEARD001" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Record it" }).click();
	await breaks.getByText("UNHEARD001").waitFor({ state: "detached" });
	await page.getByRole("button", { name: `Ask the provider: ${elsewhere}` }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Ask", exact: true }).click();
	await breaks.getByText("Waits for the provider").waitFor();
	await page.getByRole("button", { name: "Correct it: MISTYPED01" }).click();
	await page.getByLabel("Number of the account").fill(loans.payer.number);
	await page.getByRole("textbox", { name: "Reason" }).fill("Mistyped");
	await page.getByRole("dialog").getByRole("button", { name: "Ask for approval" }).click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await agree(month, /^Approve: Correct the amount of a payment/);
	await match(page, "UNHEARD001", loans.payer);
	// Where a break of the lender's own money leads.
	await openStatement(page);
	await page.getByRole("button", { name: "Explain it: DRAWN00001" }).click();
	await page.getByRole("dialog").getByRole("link", { name: "Treasury" }).click();
	const drawn = { kind: "DRAWN", account: "1110", amount: "20,000", on: `${month.name}-25`, reference: "DRAWN00001" } as const;
	await record(page, month, { ...drawn, title: "owners' money taken out" });
	await month.hear();

	await openStatement(page);
	await compareAgain(page, month);
	await page.getByRole("button", { name: `Reverse it: ${elsewhere}` }).waitFor({ timeout: PATIENCE_MS });
	await expect.poll(() => openBreaks(page), { timeout: PATIENCE_MS }).toEqual([`Reverse it: ${elsewhere}`]);
	await page.getByRole("button", { name: `Reverse it: ${elsewhere}` }).click();
	await page.getByRole("textbox", { name: "Reason" }).fill("It was paid to another paybill");
	await page.getByRole("dialog").getByRole("button", { name: "Ask for approval" }).click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await agree(month, /^Approve: Reverse a payment/);
	await compareAgain(page, month);
	await page.getByText("No open breaks").waitFor({ timeout: PATIENCE_MS });
	await expect.poll(() => figure(page, "Unexplained").textContent(), { timeout: PATIENCE_MS }).toBe("0.00");
	expect(await figure(page, "Difference").textContent()).toBe("0.00");
	const days = page.getByRole("table", { name: "Days in KES" }).locator("tbody tr");
	for (const day of await days.all()) expect((await sidesOf(day)).slice(-2)).toEqual(["0.00", "0.00"]);
	await settled(page);
	const closing = (await figure(page, "Closing").textContent()) ?? "";
	expect(closing).toBe(shillings(month.lines.reduce((sum, { amount }) => sum + amount, 0)));
	return closing;
}

/** By two people, with a trial balance whose sides are equal. */
async function closes(page: Page, month: Month): Promise<void> {
	await open(page, "Ledger");
	await page.getByRole("link", { name: "Closed months" }).click();
	await page.getByRole("button", { name: "Close a month" }).click();
	await page.getByRole("textbox", { name: "Month" }).fill(month.name);
	await page.getByRole("button", { name: "Ask for approval" }).click();
	await page.getByText("It waits among the").waitFor();
	await agree(month, new RegExp(`^Approve: Close .*${month.name}`));
	// The page says so by itself.
	await page.getByRole("table", { name: "Closed months" }).getByRole("link").first().click({ timeout: PATIENCE_MS });
	await page.getByText(/^At the end of/).waitFor();
	await settled(page);
	const table = page.getByRole("table", { name: "Trial balance in KES" });
	const [debit, credit] = await sidesOf(table.locator("tfoot"));
	expect(Number(debit?.replaceAll(",", ""))).toBeGreaterThan(1_000_000);
	expect(debit).toBe(credit);
	await table.getByText("2310 Borrowed funds").waitFor();
}

/** Once the charges are booked, the journal's cash is what the statement ends with. */
async function cashIs(page: Page, month: Month, closing: string): Promise<void> {
	await open(page, "Ledger");
	await page.getByLabel("Closed day").fill(month.after);
	const table = page.getByRole("table", { name: "Trial balance in KES" });
	await page.waitForURL(new RegExp(`on=${month.after}`));
	await settled(page);
	await expect.poll(() => sidesOf(table.getByRole("row").filter({ hasText: "1110" })), { timeout: PATIENCE_MS }).toEqual([closing, ""]);
	expect(new Set(await sidesOf(table.locator("tfoot"))).size).toBe(1);
}

/** The borrower's statement of the month is issued and saved, and its file has the numbers of the API. */
async function readsBack(page: Page, month: Month, { name, accountId }: Loan): Promise<void> {
	await openLoan(page, name);
	await page.getByRole("button", { name: "Statement", exact: true }).click();
	const issued = page.getByRole("region", { name: "Issued statements" });
	await issued.getByLabel("From").fill(month.first);
	await issued.getByLabel("To").fill(month.last);
	await issued.getByRole("button", { name: "Issue a statement" }).click();
	await issued.getByText("Statement 1 is issued.").waitFor();
	const { texts, author } = readPdf(await fileSavedBy(page, () => issued.getByRole("button", { name: "Save statement 1 as PDF" }).click()));
	const owner = await month.owner();
	const [listed] = (await owner.listIssuedStatements({ path: { accountId } })).data;
	const said = await owner.getIssuedStatement({ path: { accountId, statementId: listed?.id ?? "" } });
	expect([author, said.entries.length > 4]).toEqual(["Umoja Savings", true]);
	expect(texts.flat()).toEqual(expect.arrayContaining([name, `SHA-256 ${said.sha256}`]));
	const numbers = texts.flat().filter((text) => /^-?[\d,]+\.\d\d$/.test(text));
	const expected = [
		said.opening_balance,
		...said.entries.flatMap(({ amount, running_balance }) => [amount, running_balance]),
		said.closing_balance,
	];
	expect(numbers).toEqual(expected.map(shillings));
	const { entries } = await owner.getStatement({ path: { accountId }, query: { from: month.first, to: month.last, size: 100 } });
	expect(said.entries.map(({ amount }) => amount)).toEqual(entries.map(({ amount }) => amount));
}
