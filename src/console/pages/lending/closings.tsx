// The closed months of the ledger, and the request to close the next one.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { calendarDay } from "../../clock.ts";
import { day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { LedgerClosing } from "../../typed.ts";
import { Head, WaitsForApproval } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { List, pageOf } from "../list.tsx";
import { mayLend } from "../may.ts";

export function Page({ query, person }: PageProps) {
	const [asked, setAsked] = useState(false);
	// What is asked for is here once another person has approved it.
	const read = useWatch("GET /v1/ledger/closings", { query: { size: 24, ...pageOf(query) } }, asked ? 6 : 0);
	const { shown, show, close } = useDialogs();
	const last = query.has("after") ? undefined : read.value?.data[0]?.month;
	const ask = () =>
		show(
			<FormDialog
				title="Close a month of the ledger?"
				verb="Ask for approval"
				entries={{
					month: { label: "Month", hint: "Year and month, such as 2026-03", from: last ? monthAfter(last) : lastMonth() },
					reason: { label: "Reason", hint: "Kept in the audit trail; may be empty", optional: true },
				}}
				onClose={close}
				onSend={async (body) => {
					await call("POST /v1/ledger/closings", { body });
					setAsked(true);
				}}
			/>,
		);
	return (
		<>
			<Head
				title="Closed months"
				from={["/ledger", "Ledger"]}
				about="Months are closed one after the other, each once its days are closed and another person approves."
				actions={
					mayLend(person) && (
						<button type="button" class="primary" onClick={ask}>
							Close a month
						</button>
					)
				}
			/>
			{asked && <WaitsForApproval />}
			{shown}
			<List of={read} empty={["No month is closed yet", "The first one is the month of the first entry."]}>
				{(rows) => (
					<Table
						label="Closed months"
						rows={rows}
						columns={COLUMNS}
						keyOf={({ month }) => month}
						to={({ last_day }) => `/ledger?on=${last_day}`}
					/>
				)}
			</List>
		</>
	);
}

/** The month that ended last, until the first is closed. The service names the next month if it is another. */
const lastMonth = (): string => {
	const [year = 0, number = 0] = calendarDay().split("-").map(Number);
	return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
};

/** Of the calendar. */
function monthAfter(month: string): string {
	const [year = 0, number = 0] = month.split("-").map(Number);
	return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
}

const COLUMNS: readonly Column<LedgerClosing>[] = [
	{ head: "Until the end of", cell: (row) => day(row.last_day) },
	{ head: "Asked by", cell: (row) => row.requested_by_display ?? row.requested_by, wide: true },
	{ head: "Approved by", cell: (row) => row.approved_by_display ?? row.approved_by },
	{ head: "Closed", cell: (row) => <Time at={row.closed_at} />, right: true },
];
