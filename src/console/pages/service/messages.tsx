// Messages to users: how many were sent, delivered and paid for, by provider and day.

import { now } from "../../clock.ts";
import { count, day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { MessageDay } from "../../typed.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Field, Head } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { setFilter } from "../list.tsx";
import { SaveList } from "../save.tsx";

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** The most that the service answers at once. */
const DAYS = 30;

const COLUMNS: readonly Column<MessageDay>[] = [
	{
		head: "Day",
		cell: ({ day: of, provider }) => (
			<>
				{day(of)}
				<small>{provider}</small>
			</>
		),
	},
	{ head: "Sent", right: true, cell: ({ sent }) => count(sent) },
	{ head: "Delivered", right: true, cell: ({ delivered }) => count(delivered) },
	{ head: "Failed", right: true, cell: ({ failed }) => (failed > 0 ? <span class="bad">{count(failed)}</span> : "–") },
	{ head: "Cost", right: true, wide: true, cell: ({ cost, currency }) => (cost === null ? "–" : `${cost} ${currency ?? ""}`) },
];

export function Page({ query }: PageProps) {
	const to = query.get("to") ?? dayOf(now());
	const from = query.get("from") ?? dayOf(now() - DAYS * 86_400_000);
	const read = useWatch("GET /v1/platform/messages/statistics", { query: { from, to } });
	return (
		<>
			<Head
				title="Messages sent"
				from={["/service", "Service"]}
				about="One-time passwords and notices by SMS and mail, by provider and day (UTC). At most 92 days at once."
			/>
			<div class="filters">
				<Field label="From">
					{(ids) => <input {...ids} type="date" value={from} onChange={({ currentTarget }) => setFilter({ from: currentTarget.value })} />}
				</Field>
				<Field label="To">
					{(ids) => <input {...ids} type="date" value={to} onChange={({ currentTarget }) => setFilter({ to: currentTarget.value })} />}
				</Field>
			</div>
			<Loaded of={read} skeleton={6}>
				{({ data }) =>
					data.length === 0 ? (
						<Empty title="No messages in this time" children="They are counted where MESSAGE_SENDER is a list of providers." />
					) : (
						<>
							<Table label="Messages by day" rows={data} columns={COLUMNS} keyOf={(row) => row.day + row.provider + row.currency} />
							{read.source && <SaveList of={read.source} />}
						</>
					)
				}
			</Loaded>
		</>
	);
}
