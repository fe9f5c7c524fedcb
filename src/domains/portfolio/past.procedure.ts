// Computes a page of what accounts were on earlier days, from their facts: of as many accounts as one request can read and compute.

import type { Page, Window } from "../../db/keyset";
import { first } from "../../db/reads";
import type { Services } from "../../runtime/services";
import { accountsNamed, type BookRecords, findBook, recordsOf } from "../credit-accounts/ledger.store";
import type { Edge, ScannedPosition, scanOf } from "./reads.store";
import { type Computed, pageOfScan } from "./views.plan";

/** A page ends behind the account with which it has read so many transactions, and computed books of so many entries and installments. */
const MOST = { transactions: 2_000, length: 10_000 };

type PastRow<Row> = { readonly position: ScannedPosition; readonly accountId: string; readonly records: BookRecords; readonly row: Row };

/** The page of the scan's accounts of which `compute` makes a row. It may have fewer rows than asked for although more follow. */
export async function computePage<Row>(
	{ db }: Services,
	{ findRows, findEdge }: ReturnType<typeof scanOf>,
	window: Window,
	compute: (records: BookRecords, position: ScannedPosition) => Computed<Row>,
): Promise<Page<PastRow<Row>>> {
	const { found, edge } = await db.read({
		found: findRows(db.orm),
		edge: first(findEdge(db.orm)),
	});
	const near = upTo(found, MOST.transactions, ({ transactions }) => transactions);
	const ids = near.slice(0, window.size).map(({ accountId }) => accountId);
	if (ids.length === 0) return pageOfScan<PastRow<Row>>([], edge, window);
	const { accounts, ...books } = await db.read(findBook(db.orm, accountsNamed(ids), "HISTORY", "WAIVED"));
	const rows = new Map<string, PastRow<Row>>();
	const computed = upTo(near, MOST.length, (position) => {
		const { accountId } = position;
		const account = accounts.find(({ id }) => id === accountId);
		// The account behind the page only shows that there is one.
		if (!account) return 0;
		const records = recordsOf(account, books);
		const { row, length } = compute(records, position);
		if (row !== undefined) rows.set(accountId, { position, accountId, records, row });
		return length;
	});
	const page = pageOfScan(computed, computed.length < found.length ? edgeAt(computed) : edge, window);
	return { ...page, rows: page.rows.flatMap(({ accountId }) => rows.get(accountId) ?? []) };
}

const edgeAt = (computed: readonly ScannedPosition[]): Edge => ({ last: computed.at(-1)?.accountId ?? null });

/** The first of them, up to the one with which their sum is reached. */
function upTo<Item>(items: readonly Item[], most: number, of: (item: Item) => number): Item[] {
	let sum = 0;
	const end = items.findIndex((item) => {
		sum += of(item);
		return sum >= most;
	});
	return end === -1 ? [...items] : items.slice(0, end + 1);
}
