// The numbers of the lender's own ledger: what the page shows, how others are asked for, and the files that the page Ledger saves. In
// the world of `staff.test.ts`.

import { expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { changed, savedBy, settled, signIn, to } from "./support.ts";

const ID = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e1";
const VERSION = {
	...{ id: `${ID}0`, loan_product_id: null, effective_from: "2026-03-01", approval_request_id: `${ID}1` },
	...{ requested_by: `${ID}2`, approved_by: `${ID}3`, reason: null, created_at: "2026-02-27T09:00:00.000Z" },
	accounts: [
		{ account: "1110", number: "091", name: "M-Pesa clearing" },
		{ account: "1210", number: "610", name: "Loans to customers" },
	],
};
const PRODUCTS = [
	{ id: `${ID}5`, name: "Loans B" },
	{ id: `${ID}6`, name: "Loans C" },
] as const;
const OF_PRODUCT = {
	...VERSION,
	id: `${ID}4`,
	loan_product_id: PRODUCTS[0].id,
	accounts: [{ account: "1210", number: "610-B", name: "Loans B" }],
};
const BALANCES = [
	{ on: "2026-03-31", account: "1110", name: "M-Pesa", class: "ASSET", currency: "KES", debit: 500, credit: 0 },
	{ on: "2026-03-31", account: "1210", name: "Loan principal", class: "ASSET", currency: "KES", debit: 0, credit: 500 },
];
const HEAD = "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2";
const FILE = [HEAD, "Lending 2026-03-31 KES,31/03/2026,1110 M-Pesa,091,VAT 0,5.00,,,,"];

export function itsOwnNumbers(): void {
	it.each([PHONE, DESK])("shows the own ledger's numbers, asks for others, and saves files for it, at $width px", (view) =>
		visit(
			"/console",
			view,
			async ({ page, faults, picture }) => {
				type Rows = { data: object[]; links: object };
				await page.route(
					/\/platform\/loan-products\?/,
					changed((body: Rows) => ({ ...body, data: PRODUCTS })),
				);
				// The page that is shown has no version of a product.
				await page.route(
					/\/ledger\/mappings\?/,
					changed((body: Rows) => ({ ...body, data: [VERSION] })),
				);
				await page.route(
					/\/ledger\/mappings\?.*size=100/,
					changed((body: Rows) => ({ ...body, data: [OF_PRODUCT, VERSION] })),
				);
				await page.route(
					/\/ledger\/trial-balance\?/,
					changed((body: Rows) => ({ ...body, data: BALANCES })),
				);
				const asked: string[] = [];
				await page.route(/\/ledger\/journals\?/, (route) => {
					asked.push(new URL(route.request().url()).search);
					return route.fulfill({ contentType: "text/csv", body: `${FILE.join("\r\n")}\r\n` });
				});
				await signIn(page, "Owner of an organization");
				await to(page, "/ledger");
				await page.getByRole("heading", { name: "For your own ledger" }).waitFor();
				expect(await page.getByLabel("First day").inputValue()).toBe("2026-03-01");
				await page.getByLabel("Tax rate").fill("VAT 0");
				expect(await savedBy(page, () => page.getByRole("button", { name: "Save for Xero" }).click())).toEqual(FILE);
				await page.getByText("1 file saved.").waitFor();
				expect(asked).toHaveLength(1);
				expect(asked[0]).toContain("from=2026-03-01&to=2026-03-31&tax_rate=VAT");
				await settled(page);
				await picture("console-own-ledger");
				await page.getByRole("link", { name: "Own numbers" }).click();
				const row = page.getByRole("row").filter({ hasText: "610" });
				await row.waitFor();
				expect(await row.textContent()).toContain("1210 Loan principal");
				await picture("console-own-numbers");
				expect(await faults()).toEqual([]);
				await page.getByRole("button", { name: "New numbers" }).click();
				const accounts = page.getByLabel("Accounts");
				const lines = (await accounts.inputValue()).split("\n");
				expect(lines.slice(0, 2)).toEqual(["1110 091 M-Pesa clearing", "1120 1120 MTN MoMo"]);
				expect(lines).toContain("1210 610 Loans to customers");
				expect(await faults()).toEqual([]);
				await accounts.fill(lines.slice(1).join("\n"));
				await page.getByRole("button", { name: "Ask for approval" }).click();
				await page.getByText(/lacks: 1110/).waitFor();
				await page.getByRole("button", { name: "Cancel" }).click();
				for (const [{ id, name }, begins] of [[PRODUCTS[0], "1210 610-B Loans B"] as const, [PRODUCTS[1], ""] as const]) {
					await page.getByRole("button", { name: "Numbers of a product" }).click();
					await page.getByRole("dialog").getByLabel("Product").selectOption(id);
					await page.getByRole("button", { name: "Continue" }).click();
					await page.getByRole("heading", { name: `New numbers of ${name}` }).waitFor();
					expect(await accounts.inputValue()).toBe(begins);
					await page.getByRole("button", { name: "Cancel" }).click();
				}
			},
			{ expected: new RegExp(`status of 400|${MOVES.source}`) },
		),
	);
}
