// Journals of closed days on the wire, and as the file of manual journals that Xero imports. Amounts are in minor units, in the file
// in the currency's own.

import * as z from "zod";
import { cellOf } from "../../http/answers/tables";
import { amountText } from "../../shared/currency";
import type { SummedJournal } from "./journals.policy";
import type { MappedAccount } from "./model/mapping.policy";
import { NO_PRODUCT } from "./model/table";
import { nameOf, sidesOf } from "./wire";

const side = z.int().min(0);

export const LedgerJournal = z
	.object({
		day: z.iso.date(),
		currency: z.string(),
		narration: z.string().meta({ description: "Of no other journal of the organization", examples: ["Lending 2026-03-05 KES"] }),
		tax_rate: z.string().meta({ description: "As the query says it" }),
		lines: z
			.array(
				z.object({
					account: z.string().meta({ description: "A number of the chart of accounts" }),
					loan_product_id: z.uuid().nullable(),
					description: z.string().meta({ description: "The account of the chart and the product" }),
					number: z.string().meta({ description: "Of the account in the lender's own ledger, by the mapping of the day" }),
					number_name: z.string().nullable().meta({ description: "Its name there" }),
					debit: side,
					credit: side,
				}),
			)
			.meta({
				description:
					"A line for each account that the day has moved, by product where `by_product` is true of the account; debits equal credits",
			}),
	})
	.meta({ id: "LedgerJournal" });

type Wire = z.input<typeof LedgerJournal>;

export const toLedgerJournal = (
	{ day, currency, lines }: SummedJournal,
	numberOf: (account: string, loanProductId: string) => MappedAccount,
	taxRate: string,
): Wire => ({
	day,
	currency,
	narration: `Lending ${day} ${currency}`,
	tax_rate: taxRate,
	lines: lines.map(({ account, loanProductId, productName, amount }) => {
		const { number, name } = numberOf(account, loanProductId);
		return {
			account,
			loan_product_id: loanProductId === NO_PRODUCT ? null : loanProductId,
			description: `${account} ${nameOf(account)}${productName === null ? "" : `, ${productName}`}`,
			number,
			number_name: name,
			...sidesOf(amount),
		};
	}),
});

const COLUMNS = ["*Narration", "*Date", "Description", "*AccountCode", "*TaxRate", "*Amount"];
const TRACKING = ["TrackingName1", "TrackingOption1", "TrackingName2", "TrackingOption2"];

/** Dates are dd/mm/yyyy, and a credit is negative. The tracking columns are empty: their categories would have to be known in Xero. */
export function asXero(journals: readonly unknown[]): string {
	const rows = (journals as readonly Wire[]).flatMap(({ day, currency, narration, tax_rate, lines }) =>
		lines.map(({ description, number, debit, credit }) => [
			...[narration, day.split("-").reverse().join("/"), description, number, tax_rate].map(cellOf),
			amountText(debit - credit, currency),
			...TRACKING.map(() => ""),
		]),
	);
	return [[...COLUMNS, ...TRACKING], ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}
