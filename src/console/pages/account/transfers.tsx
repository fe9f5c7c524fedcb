// What a user has ordered from their current account.

import { words } from "../../format.ts";
import { stateInWords } from "../../states.ts";
import type { Transfer } from "../../typed.ts";
import { Section } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { Amount } from "../list.tsx";
import { SaveList } from "../save.tsx";

const COLUMNS: readonly Column<Transfer>[] = [
	{
		head: "Transfer",
		cell: ({ direction, counterparty, note }) => (
			<>
				{direction === "IN" ? "From" : "To"} {counterparty.name ?? words(counterparty.kind)}
				{note && <small>{note}</small>}
			</>
		),
	},
	{
		head: "State",
		cell: ({ status, failure_reason }) => {
			const [of, word, note] = stateInWords("Transfer.status", status);
			return <State of={of} word={word} note={failure_reason ?? note} />;
		},
	},
	{ head: "Amount", right: true, cell: ({ amount }) => <Amount {...amount} /> },
	{ head: "Ordered", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

interface Props {
	readonly userId: string;
	readonly reach: { readonly organization?: null };
}

/** The latest, if there were any. */
export function Transfers({ userId, reach }: Props) {
	const read = useWatch("GET /v1/user/transfers", { query: { user_id: userId, size: 10 }, ...reach });
	if (!read.value?.data.length) return null;
	return (
		<Section title="Transfers" note="The latest ten that the user has ordered.">
			<Table label="Transfers" rows={read.value.data} columns={COLUMNS} keyOf={({ id }) => id} />
			{read.source && <SaveList of={read.source} what="all transfers" />}
		</Section>
	);
}
