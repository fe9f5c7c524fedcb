// Provisions: what the page shows of a month, and how rules are asked for, in the world of `staff.test.ts`.

import { expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { changed, signIn, to } from "./support.ts";

const OF = {
	on: "2026-03-31",
	loan_product_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e10",
	currency: "KES",
	...{ stage: null, from_stage: null, over_days: null, up_to_days: null, accounts: 0, exposure: 0 },
	...{ suspended_interest: null, rate_basis_points: null, expected_loss: null, rules_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11" },
};
const STAGE = { ...OF, part: "STAGE", suspended_interest: 0 };
const ROWS = [
	{ ...STAGE, stage: 1, up_to_days: 30, accounts: 12, exposure: 1_200_000, rate_basis_points: 100, expected_loss: 12_000 },
	{ ...STAGE, stage: 2, over_days: 30, up_to_days: 90, accounts: 3, exposure: 300_000, rate_basis_points: 1_050, expected_loss: 31_500 },
	{
		...STAGE,
		stage: 3,
		over_days: 90,
		accounts: 1,
		exposure: 80_000,
		suspended_interest: 5_000,
		rate_basis_points: 5_000,
		expected_loss: 37_500,
	},
	...[0, 30, 60, 90, 180, 360, null].map((up_to_days, index, all) => ({
		...{ ...OF, part: "BUCKET", up_to_days, over_days: all[index - 1] ?? null, accounts: index, exposure: index * 1_000 },
	})),
	{ ...OF, part: "MOVE", from_stage: null, stage: 1, accounts: 5, exposure: 500_000 },
	{ ...OF, part: "MOVE", from_stage: 1, stage: 2, accounts: 3, exposure: 300_000 },
	{ ...OF, part: "MOVE", from_stage: 3, stage: null, accounts: 2 },
];

export function itsProvisions(): void {
	it.each([PHONE, DESK])(
		"shows the stages, moves and ageing of loans, and says why rules of provisions cannot count, at $width px",
		(view) =>
			visit(
				"/console",
				view,
				async ({ page, faults, picture }) => {
					type Rows = { data: object[]; links: object };
					await page.route(
						/\/ledger\/provisions\?/,
						changed((body: Rows) => ({ ...body, data: ROWS })),
					);
					await signIn(page, "Owner of an organization");
					await to(page, "/ledger");
					await page.getByRole("link", { name: "Provisions" }).click();
					const stages = page.getByRole("table", { name: /^Stages of/ });
					await stages.waitFor();
					expect((await stages.locator("tfoot td.right").last().textContent())?.trim()).toBe("810.00");
					const moves = page.getByRole("table", { name: /^Moves of/ }).getByRole("row");
					expect(await moves.nth(2).locator("td, th").allTextContents()).toEqual(["Stage 1", "0", "3", "0", "0"]);
					expect(await moves.nth(4).locator("td, th").last().textContent()).toBe("2");
					expect(
						await page
							.getByRole("table", { name: /^Ageing of/ })
							.getByRole("row")
							.count(),
					).toBe(8);
					await page.getByRole("button", { name: /CSV/ }).waitFor();
					await picture("console-provisions");
					expect(await faults()).toEqual([]);
					await page.getByRole("button", { name: "New rules" }).click();
					await page.getByLabel("They count from").fill("2020-01-01");
					expect(await faults()).toEqual([]);
					await page.getByRole("button", { name: "Ask for approval" }).click();
					await page.getByText(/must be later than/).waitFor();
					await page.getByRole("button", { name: "Cancel" }).click();
				},
				{ expected: new RegExp(`status of 400|${MOVES.source}`) },
			),
	);
}
