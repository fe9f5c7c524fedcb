// Whom to call: overdue loans, what was promised, who looks after them; each is reminded or assigned, or many at once.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api.ts";
import { day, money, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import type { LateLoan } from "../../typed.ts";
import { Choice, Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { Bulk, type BulkAction } from "../bulk.tsx";
import { List, pageOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { ownerName, useColleagues } from "../members.ts";
import { assigning, OwnerChoice } from "../owners.tsx";
import { Named, nameOf, type People, usePeople } from "../people.tsx";
import { PROMISED } from "./follow-ups.tsx";

const TABS = [
	["NONE", "To call"],
	["BROKEN", "Promise broken"],
	["OPEN", "Promised"],
	["all", "All overdue"],
] as const;

export function Page({ query, person }: PageProps) {
	const promise = TABS.find(([value]) => value === query.get("promise"))?.[0] ?? "NONE";
	const owner = query.get("owner") ?? "";
	const colleagues = useColleagues(person);
	const filter = { ...(promise !== "all" && { promise }), ...(owner && { owner }) };
	const read = useWatch("GET /v1/collections/calls", { query: { size: 50, ...filter, ...pageOf(query) } }, 1);
	const people = usePeople(
		read.value?.data.map(({ user_id }) => user_id),
		person,
	);
	const next = read.value?.data.length === 0 ? read.value.links.next : null;
	useEffect(() => {
		if (next) setQuery({ after: next, before: undefined });
	}, [next]);
	return (
		<>
			<Head title="Call list" about="Loans with an installment overdue, those overdue for longest first" />
			<div class="filters">
				<Choice label="Promise" value={promise} of={TABS} onChange={(one) => setFilter({ promise: one === "NONE" ? undefined : one })} />
				<OwnerChoice owner={owner} person={person} colleagues={colleagues} />
			</div>
			<Calls rows={read.value?.data ?? []} people={people} person={person} colleagues={colleagues}>
				{(table) => (
					<List
						of={people && !next ? read : { ...read, value: undefined }}
						filters={[...(promise === "NONE" ? [] : ["promise"]), ...(owner ? ["owner"] : [])]}
						empty={["Nobody is to be called", "No loan is overdue without a promise to pay."]}
						words={["Back", "Further"]}
					>
						{table}
					</List>
				)}
			</Calls>
		</>
	);
}

interface CallsProps {
	readonly rows: readonly LateLoan[];
	readonly people: People | undefined;
	readonly person: Person;
	readonly colleagues: ReadonlyMap<string, string>;
	/** The list around the table. The dialog is outside, because the list may no longer have the rows that it is about. */
	readonly children: (table: (rows: readonly LateLoan[]) => ComponentChildren) => ComponentChildren;
}

function Calls({ rows, people, person, colleagues, children }: CallsProps) {
	const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
	const borrowerOf = ({ user_id, account_number }: LateLoan) => {
		const user = people?.get(user_id);
		return user ? nameOf(user) : account_number;
	};
	const columns: readonly Column<LateLoan>[] = [
		{
			head: "Borrower",
			cell: ({ user_id, account_number }) => <Named of={people?.get(user_id)} narrow={<code>{account_number}</code>} />,
		},
		{
			head: "Late",
			right: true,
			cell: ({ days_past_due, due_date }) => (
				<>
					<span class="bad">{plural(days_past_due, "day")}</span>
					<small>since {day(due_date)}</small>
				</>
			),
		},
		{
			head: "Principal",
			right: true,
			wide: true,
			cell: ({ principal_outstanding, currency }) => (
				<>
					{money(principal_outstanding, currency)}
					<small>{currency}</small>
				</>
			),
		},
		{
			head: "Promise",
			cell: ({ promise, currency }) => {
				if (!promise) return "None";
				const [of, word] = PROMISED[promise.status];
				return <State of={of} word={word} note={`${money(promise.amount, currency)} by ${day(promise.day)}`} />;
			},
		},
		{ head: "Looked after by", wide: true, cell: ({ owner_id }) => ownerName(owner_id, colleagues, person) ?? "nobody" },
		{
			head: "Last contact",
			right: true,
			wide: true,
			cell: ({ last_contact_at }) => (last_contact_at ? <Time at={last_contact_at} /> : "–"),
		},
	];
	const assign = (owner_id: string | null) => (row: LateLoan) =>
		call("PUT /v1/collections/owners/{subjectId}", { path: { subjectId: row.account_id }, body: { kind: "ACCOUNT", owner_id } });
	const actions: readonly BulkAction<LateLoan>[] = [
		{
			verb: "Remind",
			done: "reminded",
			about: "Each borrower gets a message of what is owed, at most one a day.",
			act: ({ account_id }) => call("POST /v1/collections/follow-ups", { body: { type: "REMINDER", account_id } }),
		},
		...assigning(person, colleagues, assign),
	];
	return (
		<>
			{children((shown) => (
				<Table
					label="Call list"
					rows={shown}
					columns={columns}
					keyOf={({ account_id }) => account_id}
					to={({ account_id }) => `/accounts/${account_id}?tab=follow-ups`}
					select={mayLend(person) ? { chosen, onChange: choose, nameOf: borrowerOf } : undefined}
				/>
			))}
			{mayLend(person) && (
				<Bulk rows={rows} keyOf={({ account_id }) => account_id} nameOf={borrowerOf} chosen={chosen} onChange={choose} actions={actions} />
			)}
		</>
	);
}
