// What has moved the balance of a current account.

import { useState } from "preact/hooks";
import { money } from "../../format.ts";
import type { CurrentAccountTransaction } from "../../typed.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { type Column, Pager, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { MOVEMENTS } from "./entries.ts";

const COLUMNS: readonly Column<CurrentAccountTransaction>[] = [
	{
		head: "Transaction",
		cell: ({ type, counterparty, note }) => (
			<>
				{MOVEMENTS[type]}
				<small>{[counterparty.name, note].filter(Boolean).join(" · ")}</small>
			</>
		),
	},
	{ head: "Amount", right: true, cell: ({ amount, currency }) => money(amount, currency) },
	{ head: "Balance", right: true, wide: true, cell: ({ running_balance, currency }) => money(running_balance, currency) },
	{ head: "When", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

interface Props {
	/** Whose: absent for one's own. */
	readonly userId: string | undefined;
	readonly reach: { readonly organization?: null };
}

export function Movements({ userId, reach }: Props) {
	const [cursor, turn] = useState<{ readonly after?: string; readonly before?: string }>({});
	const query = { size: 25, ...(userId && { user_id: userId }), ...cursor };
	const read = useWatch("GET /v1/user/accounts/current/transactions", { query, ...reach });
	return (
		<Loaded of={read} skeleton={4}>
			{({ data, links }) =>
				data.length === 0 ? (
					<Empty title="Nothing has moved yet" children="Money that comes in or goes out will be here." />
				) : (
					<>
						<Table label="Transactions" rows={data} columns={COLUMNS} keyOf={({ id }) => id} />
						<Pager prev={links.prev} next={links.next} onPage={turn} />
					</>
				)
			}
		</Loaded>
	);
}
