// What waits for a lender's people, a kind at a time: each is looked after by one of them, and many are assigned at once.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../api.ts";
import { words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import { reasonOfPayment, stateInWords } from "../../states.ts";
import type { OwnedWork } from "../../typed.ts";
import { Choice, Head, Link } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { isRead, useWatch } from "../../watch.ts";
import { permitted } from "../../who.ts";
import { Bulk } from "../bulk.tsx";
import { counted } from "../lending/today.ts";
import { Amount, List, pageOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { ownerName, useColleagues } from "../members.ts";
import { assigning, OwnerChoice } from "../owners.tsx";
import { nameOf, usePeople } from "../people.tsx";

/** Where it is done, and what its owner is kept for. */
const KINDS = {
	PAYMENT: { name: "Payments", subject: "PAYMENT", counted: "unmatched_payments", place: () => "/payments" },
	WAITING_USER: { name: "Waiting list", subject: "USER", counted: "waiting_users", place: ({ id }: OwnedWork) => `/users/${id}` },
	DISBURSEMENT: {
		name: "Payouts",
		subject: "DISBURSEMENT",
		counted: "payouts",
		place: ({ account_id }: OwnedWork) => (account_id ? `/accounts/${account_id}` : "/payouts"),
	},
	APPROVAL: { name: "Approvals", subject: "APPROVAL", counted: "approvals", place: () => "/approvals" },
	STATEMENT_BREAK: { name: "Breaks", subject: "STATEMENT_BREAK", counted: "statement_breaks", place: () => undefined },
} as const;
type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as Kind[];
const mayReadApprovals = permitted("org:approvals:read");

/** What it is, or why it waits. */
function wordsOf({ kind, state, reason }: OwnedWork): string {
	if (kind === "PAYMENT") return reasonOfPayment(reason);
	if (kind === "STATEMENT_BREAK") return stateInWords("StatementBreak.kind", state)[1];
	if (kind === "DISBURSEMENT") return stateInWords("Disbursement.status", state)[1];
	return words(reason ?? state);
}

export function Page({ query, person }: PageProps) {
	const waits = useWatch("GET /v1/attention", {}, 1);
	const countOf = (one: Kind) => waits.value?.[KINDS[one].counted].count ?? 0;
	// The first that somebody waits for, unless one was chosen.
	const kinds = ALL.filter((one) => one !== "APPROVAL" || mayReadApprovals(person));
	const chosenKind = kinds.find((one) => one === query.get("kind"));
	const kind = chosenKind ?? kinds.find((one) => countOf(one) > 0) ?? "PAYMENT";
	const tabs = kinds.map((one) => {
		const counts = waits.value?.[KINDS[one].counted];
		return [one, counts && counts.count > 0 ? `${KINDS[one].name}, ${counted(counts)}` : KINDS[one].name] as const;
	});
	const { subject, place, name } = KINDS[kind];
	const owner = query.get("owner") ?? "";
	const colleagues = useColleagues(person);
	const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
	const read = useWatch(
		"GET /v1/work",
		chosenKind || isRead(waits) ? { query: { kind, size: 50, ...(owner && { owner }), ...pageOf(query) } } : undefined,
		2,
	);
	const people = usePeople(
		read.value?.data.map(({ user_id }) => user_id),
		person,
	);
	const next = read.value?.data.length === 0 ? read.value.links.next : null;
	useEffect(() => {
		if (next) setQuery({ after: next, before: undefined });
	}, [next]);
	const called = ({ id, user_id, reference }: OwnedWork) => {
		const user = people?.get(user_id ?? "");
		return user ? nameOf(user) : (reference ?? id.slice(-8));
	};
	const assign = (owner_id: string | null) => (row: OwnedWork) =>
		call("PUT /v1/collections/owners/{subjectId}", { path: { subjectId: row.id }, body: { kind: subject, owner_id } });
	const columns: readonly Column<OwnedWork>[] = [
		{
			head: "What",
			cell: (row) => {
				const to = place(row);
				const what = wordsOf(row);
				return (
					<>
						{to ? <Link to={to}>{what}</Link> : what}
						{(row.user_id ?? row.reference) && <small>{called(row)}</small>}
					</>
				);
			},
		},
		{ head: "Amount", right: true, cell: ({ amount }) => (amount ? <Amount {...amount} /> : "–") },
		{ head: "Looked after by", cell: ({ owner_id }) => ownerName(owner_id, colleagues, person) ?? "nobody" },
		{ head: "Since", right: true, wide: true, cell: ({ since }) => <Time at={since} /> },
	];
	return (
		<>
			<Head title="Work" about="Work that waits for you and your colleagues. Overdue loans are on the call list." />
			<div class="filters">
				<Choice label="Kind" value={kind} of={tabs} onChange={(one) => setFilter({ kind: one })} />
				<OwnerChoice owner={owner} person={person} colleagues={colleagues} />
			</div>
			<List
				of={people && !next ? read : { ...read, value: undefined }}
				filters={owner ? ["owner"] : []}
				empty={["Nothing waits", "Work of this kind will be here as soon as it needs somebody."]}
				words={["Back", "Further"]}
			>
				{(rows) => (
					<Table
						label={name}
						rows={rows}
						columns={columns}
						keyOf={({ id }) => id}
						select={mayLend(person) ? { chosen, onChange: choose, nameOf: called } : undefined}
					/>
				)}
			</List>
			{mayLend(person) && (
				<Bulk
					rows={read.value?.data ?? []}
					keyOf={({ id }) => id}
					nameOf={called}
					chosen={chosen}
					onChange={choose}
					actions={assigning(person, colleagues, assign)}
				/>
			)}
		</>
	);
}
