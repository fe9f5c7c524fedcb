// Asks Daraja which payments were made to a shortcode (Pull Transactions). The list is of 48 hours, and a shortcode is registered for it once.

import type { ListedPage, ListedPayment, PaymentList, Unlisted } from "../../runtime/ports";
import type { Paying } from "../payment-adapter";
import { eastAfrican } from "./answers";
import { confirmationsAt } from "./callback-address";
import { ask, type DarajaAccount } from "./client";
import { listedIn, pageIn, registeredBy } from "./pull-answers";

export const paymentList = (paying: Paying, account: DarajaAccount, organizationId: string): PaymentList => ({
	async register({ number, version }) {
		const answer = await ask(paying, account, "/pulltransactions/v1/register", {
			ShortCode: account.shortCode,
			RequestType: "Pull",
			NominatedNumber: number.slice(1),
			CallBackURL: `${await confirmationsAt(paying, { organizationId, version })}/confirmation`,
		});
		return registeredBy(answer);
	},
	pages: (asked) => pagesOf(paying, account, asked),
});

/**
 * The portal says of the offset that it is the row to begin with, and that it acts like the number of a page. One more than the last leaves
 * out nothing either way. Where that page begins with the last one's second row, rows are counted, and those that were read are passed over.
 */
async function* pagesOf(
	paying: Paying,
	account: DarajaAccount,
	{ from, to, offset: first }: Parameters<PaymentList["pages"]>[0],
): AsyncGenerator<ListedPage | Unlisted> {
	const seen = new Set<string>();
	let last: readonly string[] = [];
	let countsRows = false;
	for (let offset = first; ; ) {
		const answer = await ask(paying, account, "/pulltransactions/v1/query", {
			ShortCode: account.shortCode,
			StartDate: eastAfrican(from),
			EndDate: eastAfrican(to),
			OffSetValue: String(offset),
		});
		const page = pageIn(answer);
		if (typeof page === "string") return yield page;
		const texts = page.rows.map((row) => JSON.stringify(row));
		countsRows ||= last.length > 1 && texts[0] === last[1];
		const fresh = page.rows.filter((_, index) => !seen.has(texts[index] ?? ""));
		for (const text of texts) seen.add(text);
		last = texts;
		offset += countsRows ? texts.length : 1;
		const payments = fresh.map(listedIn).filter((payment): payment is ListedPayment => payment !== undefined);
		const next = page.isLast || fresh.length === 0 ? null : offset;
		yield { payments, unreadable: fresh.length - payments.length, next };
		if (next === null) return;
	}
}
