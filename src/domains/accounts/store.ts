// Finds a page of an organization's credit accounts by what they owe, since when, their product and their state.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { type Position, pageOf, pageToEdge, type Window } from "../../db/keyset";
import type { CalendarDate } from "../../shared/time";
import { creditAccounts, IN_ACCOUNT_LIST, NEEDS_A_LOOK } from "../credit-accounts/table";
import type { LISTED_STATUSES, SORTS } from "./sorts.policy";

export type Chosen = {
	readonly organizationId: string;
	readonly sort: (typeof SORTS)[number];
	readonly status?: (typeof LISTED_STATUSES)[number] | undefined;
	readonly loanProductId?: string | undefined;
	/** The day on which the oldest unpaid installment is due. */
	readonly dueOn?: CalendarDate | undefined;
	/** The day before which it was due. */
	readonly dueBefore?: CalendarDate | undefined;
	/** More that they must meet. */
	readonly conditions?: readonly SQL[];
};

export type Found = { readonly id: string; readonly at: number | string };

/** So many accounts are looked at for a page, whether or not they belong on it. */
const LOOKED_AT = 1_000;

const { organizationId, loanProductId, status, createdAt, earliestDue, principalOutstanding } = creditAccounts;
/** The accounts that are looked at, for conditions and columns of others. */
export const LOOKED = alias(creditAccounts, "looked");
const looked = LOOKED;

const ORDERS = {
	NEWEST: { column: createdAt, order: "newest" },
	DAYS_PAST_DUE: { column: earliestDue, order: "oldest" },
	OUTSTANDING: { column: principalOutstanding, order: "newest" },
} as const;

const isRare = (wanted: Chosen["status"]): boolean => wanted !== undefined && wanted !== "ACTIVE";

/** The index along which accounts are looked at, and its condition. */
function indexOf(chosen: Chosen): { readonly index: string; readonly along: SQL } {
	if (chosen.sort === "DAYS_PAST_DUE") return { index: "credit_accounts_due_on", along: dueOf(chosen) };
	if (chosen.sort === "OUTSTANDING") return { index: "credit_accounts_outstanding", along: sql`${principalOutstanding} > 0` };
	if (chosen.loanProductId !== undefined)
		return { index: "credit_accounts_of_product", along: sql`${loanProductId} = ${chosen.loanProductId}` };
	if (isRare(chosen.status)) return { index: "credit_accounts_by_status", along: sql`${status} = ${chosen.status} and ${NEEDS_A_LOOK}` };
	return { index: "credit_accounts_of", along: IN_ACCOUNT_LIST };
}

const dueOf = ({ dueOn, dueBefore }: Chosen): SQL => {
	if (dueOn !== undefined) return sql`${earliestDue} = ${dueOn}`;
	return dueBefore === undefined ? sql`${earliestDue} is not null` : sql`${earliestDue} < ${dueBefore}`;
};

/** What the looked at accounts must meet to be on the page. */
const conditionsOf = ({ status: wanted, loanProductId: product, dueOn, dueBefore, conditions = [] }: Chosen): SQL =>
	sql.join(
		[
			sql`looked.${IN_ACCOUNT_LIST}`,
			...(wanted === undefined ? [] : [sql`${looked.status} = ${wanted}`]),
			...(product === undefined ? [] : [sql`${looked.loanProductId} = ${product}`]),
			...(dueOn === undefined ? [] : [sql`${looked.earliestDue} = ${dueOn}`]),
			...(dueBefore === undefined ? [] : [sql`${looked.earliestDue} < ${dueBefore}`]),
			...conditions,
		],
		sql` and `,
	);

/** The statements of a page, and what makes one of the rows that they find. */
export function sortedPage<Row extends Found = Found>(orm: Orm, chosen: Chosen, window: Window, columns?: SQL) {
	const { column, order } = ORDERS[chosen.sort];
	const isDay = column === earliestDue;
	const of = ({ at, id }: Found): Position => [isDay ? Date.parse(String(at)) : Number(at), id];
	const stored = (at: number) => (isDay ? new Date(at).toISOString().slice(0, 10) : at);
	const descending = (order === "newest") !== (window.before !== undefined);
	const direction = sql.raw(descending ? "desc" : "asc");
	const cursor = window.after ?? window.before;
	const beyond = cursor
		? sql`and (${column}, ${creditAccounts.id}) ${sql.raw(descending ? "<" : ">")} (${stored(cursor[0])}, ${cursor[1]})`
		: sql``;
	const { index, along } = indexOf(chosen);
	const all = (columns: SQL) => sql`select ${columns} from ${creditAccounts} indexed by ${sql.identifier(index)}
		where ${organizationId} = ${chosen.organizationId} and ${along} ${beyond} order by ${column} ${direction}, ${creditAccounts.id} ${direction}`;
	// In the order in which they are looked at: to sort them again, SQLite would read all that may be looked at.
	const found = (columns: SQL) => sql`select ${columns} from (${all(sql`*`)} limit ${sql.raw(String(LOOKED_AT))}) ${looked}
		where ${conditionsOf(chosen)} limit ${sql.raw(String(window.size + 1))}`;
	const at = sql`${column} as "at", ${creditAccounts.id} as "id"`;
	const lookedAt = alias(creditAccounts, "looked")[column.name as "createdAt"];
	return {
		rows: orm.all<Row>(found(sql`${lookedAt} as "at", ${looked.id} as "id"${columns ? sql`, ${columns}` : sql``}`)),
		/** The last account that was looked at, where that was too early for a whole page. */
		edge: orm.all<Found>(
			sql`${all(at)} limit (select count(*) <= ${window.size} from (${found(sql`1`)})) offset ${sql.raw(String(LOOKED_AT - 1))}`,
		),
		page: (rows: readonly Row[], edge: readonly Found[]) =>
			edge.length === 0 ? pageOf(rows, window, of) : pageToEdge(rows, window, of, edge.map(of), descending),
	};
}
