// Accounts: the borrower's own, or those of an organization, found by their number.

import { useState } from "preact/hooks";
import { now } from "../../clock.ts";
import { day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { told } from "../../states.ts";
import type { BodyOf } from "../../typed.ts";
import { Choice, Field, Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch, type Watched } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { Amount, List, pageOf, setFilter } from "../list.tsx";
import { Named, usePeople } from "../people.tsx";

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
				account.type === "CREDIT" ? told("CreditAccount.status", account.status) : told("CurrentAccount.status", account.status);
			return <State of={of} word={word} />;
		},
	},
	{
		head: "Due",
		right: true,
		wide: true,
		cell: (account) => (account.type === "CREDIT" && account.due_date ? day(account.due_date) : "–"),
	},
	{
		head: "Owed or held",
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

/** By the calendar of the service. */
const today = (): string => new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Nairobi" }).format(now());

export function Page({ query, person }: PageProps) {
	const own = person.kind === "borrower";
	const number = query.get("number") ?? undefined;
	const isDue = !own && query.get("due") === "today";
	const filter = isDue ? { due_on: today() } : number ? { account_number: number } : {};
	const read = useWatch("GET /v1/accounts", { query: { size: 25, ...filter, ...pageOf(query) } }, 2);
	return (
		<>
			<Head title="Accounts" about={own ? "Your debts and your money" : aboutOf(person)} />
			{!own && (
				<div class="filters">
					<Search number={number} />
					<Choice
						label="Which"
						value={isDue ? "today" : "all"}
						of={DUE}
						onChange={(next) => setFilter({ due: next === "all" ? undefined : next, number: undefined })}
					/>
				</div>
			)}
			<Accounts
				of={read}
				person={person}
				filters={number ? ["number"] : []}
				{...(isDue && { title: "Nothing is due today" })}
				empty={
					isDue
						? "No loan has its oldest unpaid installment due on this day."
						: own
							? "Your first loan opens one."
							: "A borrower's first loan opens one."
				}
			/>
		</>
	);
}

const DUE = [
	["all", "All"],
	["today", "Due today"],
] as const;

const aboutOf = ({ acting }: Person): string => `Of ${acting?.name ?? "the organization"}'s borrowers, newest first`;

function Search({ number }: { readonly number: string | undefined }) {
	const [text, set] = useState(number ?? "");
	return (
		<form
			class="field"
			onSubmit={(event) => {
				event.preventDefault();
				setFilter({ number: text.trim() || undefined, due: undefined });
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
