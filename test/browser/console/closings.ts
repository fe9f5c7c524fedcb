// Months of the ledger, from the page that lists them to the trial balance of one. In the world of `staff.test.ts`.

import { expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { changed, signIn, to } from "./support.ts";

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
				expect(await page.getByLabel("Month").inputValue()).toBe("2026-04");
				expect(await faults()).toEqual([]);
				await page.getByLabel("Month").fill("2099-01");
				await page.getByRole("button", { name: "Ask for approval" }).click();
				await page.getByText(/Months are closed one after the other/).waitFor();
				await page.getByRole("button", { name: "Cancel" }).click();
				await row.getByRole("link").click();
				await page.getByRole("heading", { name: "Trial balance" }).waitFor();
				expect(await page.getByLabel("Closed day").inputValue()).toBe("2026-03-31");
			},
			{ expected: new RegExp(`status of 409|${MOVES.source}`) },
		),
	);
}
