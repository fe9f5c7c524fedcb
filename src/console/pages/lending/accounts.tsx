// Accounts: the borrower's own, or those of an organization, found by their number.

import { useEffect, useState } from "preact/hooks";
import { calendarDay } from "../../clock.ts";
import { day, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import { stateInWords } from "../../states.ts";
import type { BodyOf } from "../../typed.ts";
import { Field, Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch, type Watched } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { Amount, List, pageOf, setFilter } from "../list.tsx";
import { Named, usePeople } from "../people.tsx";
import { BOOK_FILTERS, BookFilters, chosenIn, daysLate, queryOf } from "./book.tsx";

export type Account = BodyOf<"GET /v1/accounts">["data"][number];

const COLUMNS: readonly Column<Account>[] = [
	{
		head: "Account",
		cell: ({ type, account_number }) => (
			<>
				{type === "CREDIT" ? "Loan" : "Current account"}
				<small>
					<code>{account_number}</code>
				</small>
			</>
		),
	},
	{
		head: "State",
		cell: (account) => {
			const [of, word] =
				account.type === "CREDIT"
					? stateInWords("CreditAccount.status", account.status)
					: stateInWords("CurrentAccount.status", account.status);
			return <State of={of} word={word} />;
		},
	},
	{
		head: "Due",
		right: true,
		wide: true,
		cell: (account) => {
			if (account.type !== "CREDIT" || !account.due_date) return "–";
			const late = account.status === "SUSPENDED" ? 0 : daysLate(account.due_date, calendarDay());
			return (
				<>
					{day(account.due_date)}
					{late > 0 && <small class="bad">{plural(late, "day")} late</small>}
				</>
			);
		},
	},
	{
		head: "Balance",
		right: true,
		cell: (account) =>
			account.type === "CREDIT" ? (
				<Amount value={account.balance.total_outstanding} currency={account.currency} />
			) : (
				<Amount value={account.balance.total_balance} currency={account.currency} />
			),
	},
	{ head: "Opened", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

interface AccountsProps {
	readonly of: Watched<BodyOf<"GET /v1/accounts">>;
	readonly skeleton?: number;
	readonly filters?: readonly string[];
	/** What opens the first. */
	readonly empty: string;
	readonly title?: string;
	readonly words?: readonly [back: string, on: string];
	/** To whom each row names its borrower; left out where the page names them. */
	readonly person?: Person;
}

export function Accounts({ empty, title = "No accounts yet", of, person, ...list }: AccountsProps) {
	const people = usePeople(
		of.value?.data.map(({ user_id }) => user_id),
		person,
	);
	const columns: readonly Column<Account>[] =
		!person || person.kind === "borrower"
			? COLUMNS
			: [
					{
						head: "Borrower",
						cell: ({ user_id, account_number }) => <Named of={people?.get(user_id)} narrow={<code>{account_number}</code>} />,
					},
					...COLUMNS.map((column) => (column.head === "Account" ? { ...column, wide: true } : column)),
				];
	return (
		<List {...list} of={people ? of : { ...of, value: undefined }} empty={[title, empty]}>
			{(rows) => <Table label="Accounts" rows={rows} columns={columns} keyOf={({ id }) => id} to={({ id }) => `/accounts/${id}`} />}
		</List>
	);
}

export function Page({ query, person }: PageProps) {
	const own = person.kind === "borrower";
	return own ? <OwnAccounts query={query} /> : <Book query={query} person={person} />;
}

function OwnAccounts({ query }: Pick<PageProps, "query">) {
	const read = useWatch("GET /v1/accounts", { query: { size: 25, ...pageOf(query) } }, 2);
	return (
		<>
			<Head title="Accounts" about="Your debts and your money" />
			<Accounts of={read} empty="Your first loan opens one." />
		</>
	);
}

function Book({ query, person }: Pick<PageProps, "query" | "person">) {
	const number = query.get("number") ?? undefined;
	const chosen = chosenIn(query);
	const on = calendarDay();
	const filter = number ? { account_number: number } : queryOf(chosen, on);
	const read = useWatch("GET /v1/accounts", { query: { size: 25, ...filter, ...pageOf(query) } }, 2);
	const next = read.value?.data.length === 0 ? read.value.links.next : null;
	// Where a page has none of those that were looked at, the next is looked at too.
	useEffect(() => {
		if (next) setQuery({ after: next, before: undefined });
	}, [next]);
	const isDue = chosen.due === "today";
	const held = BOOK_FILTERS.filter((name) => chosen[name] !== undefined && name !== "sort");
	return (
		<>
			<Head title="Accounts" about={`Of ${person.acting?.name ?? "the organization"}'s borrowers`} />
			<div class="filters">
				<Search number={number} />
			</div>
			<BookFilters chosen={chosen} person={person} today={on} />
			<Accounts
				of={next ? { ...read, value: undefined } : read}
				person={person}
				filters={number ? ["number"] : isDue && held.length === 1 ? [] : held}
				{...(isDue && { title: "Nothing is due today" })}
				{...(chosen.sort && { words: ["Back", "Further"] as const })}
				empty={isDue ? "No loan has its oldest unpaid installment due on this day." : "A borrower's first loan opens one."}
			/>
		</>
	);
}

const noFilters = () => Object.fromEntries(BOOK_FILTERS.map((name) => [name, undefined]));

function Search({ number }: { readonly number: string | undefined }) {
	const [text, set] = useState(number ?? "");
	return (
		<form
			class="field"
			onSubmit={(event) => {
				event.preventDefault();
				setFilter({ ...noFilters(), number: text.replaceAll(/\s/g, "") || undefined });
			}}
		>
			<Field label="Account number">
				{(ids) => (
					<div class="joined">
						<input {...ids} inputMode="numeric" value={text} onInput={({ currentTarget }) => set(currentTarget.value)} />
						<button type="submit">Find</button>
					</div>
				)}
			</Field>
		</form>
	);
}
