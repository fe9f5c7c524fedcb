// Accounts: the borrower's own, or those of an organization, found by their number.

import { useState } from "preact/hooks";
import { day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { told } from "../../states.ts";
import type { BodyOf } from "../../typed.ts";
import { Field, Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch, type Watched } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { Amount, List, pageOf, setFilter } from "../list.tsx";

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
}

export const Accounts = ({ empty, ...list }: AccountsProps) => (
	<List {...list} empty={["No accounts yet", empty]}>
		{(rows) => <Table label="Accounts" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} to={({ id }) => `/accounts/${id}`} />}
	</List>
);

export function Page({ query, person }: PageProps) {
	const number = query.get("number") ?? undefined;
	const read = useWatch("GET /v1/accounts", { query: { size: 25, ...(number && { account_number: number }), ...pageOf(query) } }, 2);
	const own = person.kind === "borrower";
	return (
		<>
			<Head title="Accounts" about={own ? "What you owe, and what you have" : aboutOf(person)} />
			{!own && <Search number={number} />}
			<Accounts
				of={read}
				filters={number ? ["number"] : []}
				empty={own ? "Your first loan opens one." : "A borrower's first loan opens one."}
			/>
		</>
	);
}

const aboutOf = ({ acting }: Person): string => `Of ${acting?.name ?? "the organization"}'s borrowers, newest first`;

function Search({ number }: { readonly number: string | undefined }) {
	const [text, set] = useState(number ?? "");
	return (
		<form
			class="filters"
			onSubmit={(event) => {
				event.preventDefault();
				setFilter({ number: text.trim() || undefined });
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
