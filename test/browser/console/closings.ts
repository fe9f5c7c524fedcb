// Months of the ledger: closed by two people in the world of `day.test.ts`, and what the page says before one can be closed, in that of
// `staff.test.ts`.

import { expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { approve } from "./day-borrowers.ts";
import type { DayWorld } from "./day-world.ts";
import { besides, open } from "./hands.ts";
import { changed, settled, signIn, to } from "./support.ts";

const EAST_AFRICA_MS = 3 * 3_600_000;

/** The month in which the world began is over: its clock has moved on by more than a month. */
export function itsFirstMonth(world: () => DayWorld): void {
	it("a month is closed by two people, by clicks, with a trial balance whose sides are equal", { timeout: 120_000 }, () => {
		const { at } = world();
		return visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				await signIn(page);
				await open(page, "Ledger");
				await page.getByRole("link", { name: "Closed months" }).click();
				await page.getByText("No month is closed yet").waitFor();
				await page.getByRole("button", { name: "Close a month" }).click();
				const month = new Date(Date.now() + EAST_AFRICA_MS).toISOString().slice(0, 7);
				await page.getByRole("textbox", { name: "Month" }).fill(month);
				await page.getByRole("button", { name: "Ask for approval" }).click();
				await page.getByText("It waits among the").waitFor();
				await besides(at, DESK, "Platform operator", MOVES, (second) => approve(second, new RegExp(`^Approve: Close .*${month}`)));
				await page.goto("/console");
				await signIn(page);
				await open(page, "Ledger");
				await page.getByRole("link", { name: "Closed months" }).click();
				await page.getByRole("table", { name: "Closed months" }).getByRole("link").first().click();
				await page.getByText(/^At the end of/).waitFor();
				await settled(page);
				const sum = page.getByRole("table", { name: "Trial balance in KES" }).locator("tfoot td.right");
				const [debit, credit] = await sum.allTextContents();
				expect(Number(debit?.replaceAll(",", ""))).toBeGreaterThan(0);
				expect(debit).toBe(credit);
				expect(await faults()).toEqual([]);
				await picture("day-closed-month");
			},
			{ at, expected: MOVES },
		);
	});
}

const CLOSED = {
	month: "2026-03",
	last_day: "2026-03-31",
	approval_request_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e10",
	requested_by: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
	requested_by_display: "Amina Odhiambo",
	approved_by: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e12",
	approved_by_display: "Joseph Kiprop",
	reason: null,
	closed_at: "2026-04-02T09:00:00.000Z",
};

export function itsClosings(): void {
	it.each([PHONE, DESK])("asks to close the month after the last closed one, and says why it cannot be closed yet, at $width px", (view) =>
		visit(
			"/console",
			view,
			async ({ page, faults, picture }) => {
				type Rows = { data: object[]; links: object };
				await page.route(
					/\/ledger\/closings\?/,
					changed((body: Rows) => ({ ...body, data: [CLOSED] })),
				);
				await signIn(page, "Owner of an organization");
				await to(page, "/ledger");
				await page.getByRole("link", { name: "Closed months" }).click();
				const row = page.getByRole("row").filter({ hasText: "Joseph Kiprop" });
				await row.waitFor();
				await picture("console-closings");
				await page.getByRole("button", { name: "Close a month" }).click();
				expect(await page.getByRole("textbox", { name: "Month" }).inputValue()).toBe("2026-04");
				expect(await faults()).toEqual([]);
				await page.getByRole("textbox", { name: "Month" }).fill("2099-01");
				await page.getByRole("button", { name: "Ask for approval" }).click();
				await page
					.getByRole("alert")
					.getByText(/Months are closed one after the other: the next one is \d{4}-\d\d\./)
					.waitFor();
				await page.getByRole("button", { name: "Cancel" }).click();
				await row.getByRole("link").click();
				await page.getByRole("heading", { name: "Trial balance" }).waitFor();
				expect(await page.getByLabel("Closed day").inputValue()).toBe("2026-03-31");
			},
			{ expected: new RegExp(`status of 409|${MOVES.source}`) },
		),
	);
}
