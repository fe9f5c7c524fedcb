// The rows of a monthly file for a credit bureau, and the accounts that it leaves out: saved as a file, disputed, and identified.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { amountIn, count, words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { CreditBureauRow } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Choice, Head, Link } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { List, pageOf, setFilter } from "../list.tsx";
import { pagesOf, saveFile } from "../save.tsx";
import { StateIdentity } from "./credit-bureau-identity.tsx";

type Part = "FILE" | "LEFT_OUT";
const LINE = "GET /v1/credit-bureau/files/{month}/rows";

export function Page({ params, query: search }: PageProps) {
	const month = params.id ?? "";
	const part: Part = search.get("part") === "LEFT_OUT" ? "LEFT_OUT" : "FILE";
	const path = { month };
	const read = useWatch(LINE, { path, query: { part, size: 50, ...pageOf(search) } });
	const { shown, show, close } = useDialogs();
	const [busy, run, error] = useDoing();
	const [saved, setSaved] = useState(0);
	const save = () =>
		run(async () => {
			setSaved(0);
			const lines: string[] = [];
			await pagesOf(LINE, { path, query: { part, size: 500 } }, "text/csv", (text) => {
				// The first page alone has the names of the columns.
				lines.push(lines.length === 0 ? text : text.slice(text.indexOf("\n") + 1));
				setSaved((rows) => rows + text.trimEnd().split("\n").length - 1);
			});
			saveFile(`credit-bureau-${month}${part === "FILE" ? "" : "-left-out"}.csv`, "text/csv", lines);
		});
	const dispute = ({ account_id, account_number }: CreditBureauRow) =>
		show(
			<FormDialog
				title={`Mark account ${account_number} as disputed?`}
				verb="Mark"
				entries={{ reason: { label: "The borrower's objection", is: "long", most: 2_000 } }}
				onClose={close}
				onSend={({ reason }) => call("POST /v1/credit-bureau/disputes", { body: { account_id, reason } })}
			/>,
		);
	const identify = ({ customer_id }: CreditBureauRow) => show(<StateIdentity userId={customer_id} onClose={close} />);
	const actions: Column<CreditBureauRow> = {
		head: "",
		right: true,
		cell: (row) => (
			<span class="buttons end-of-row">
				<button type="button" onClick={() => identify(row)} aria-label={`Document of account ${row.account_number}`}>
					Document
				</button>
				<button type="button" onClick={() => dispute(row)} aria-label={`Dispute account ${row.account_number}`}>
					Dispute
				</button>
			</span>
		),
	};
	return (
		<>
			<Head
				title={`File of ${month}`}
				from={["/credit-bureau", "Credit bureau"]}
				about="It never changes. If a figure turns out otherwise later, the next file has a row that corrects it."
				actions={
					<button type="button" class="primary" disabled={busy} onClick={() => void save()}>
						{busy ? `Reading, ${count(saved)} rows` : "Save the file"}
					</button>
				}
			/>
			{error && <Problem error={error} />}
			{shown}
			<div class="filters">
				<Choice<Part>
					label="Part"
					value={part}
					of={[
						["FILE", "In the file"],
						["LEFT_OUT", "Left out"],
					]}
					onChange={(value) => setFilter({ part: value === "FILE" ? undefined : value })}
				/>
			</div>
			<List
				of={read}
				empty={
					part === "FILE"
						? ["No loans", "Nothing was owed in this month."]
						: ["Nothing is left out", "Each loan has what the layout requires."]
				}
			>
				{(rows) => <Table label="Rows of the file" rows={rows} columns={[...COLUMNS, actions]} keyOf={({ row }) => String(row)} />}
			</List>
		</>
	);
}

const noteOf = ({ corrects_file, corrects_row, left_out_reason }: CreditBureauRow): string | null => {
	if (corrects_file) return `Corrects row ${corrects_row} of ${corrects_file}`;
	return left_out_reason && words(left_out_reason);
};

const COLUMNS: readonly Column<CreditBureauRow>[] = [
	{ head: "Row", cell: ({ row }) => count(row), wide: true },
	{
		head: "Account",
		cell: (row) => (
			<>
				<Link to={`/accounts/${row.account_id}`}>{row.account_number}</Link>
				<small>{[row.name, noteOf(row)].filter(Boolean).join(", ")}</small>
			</>
		),
	},
	{
		head: "Status",
		cell: (row) => (
			<>
				{words(row.status)}
				<small>{[row.negative && "negative", row.disputed && "disputed"].filter(Boolean).join(", ")}</small>
			</>
		),
	},
	{ head: "Days past due", cell: (row) => count(row.days_past_due), right: true, wide: true },
	{ head: "Owed", cell: (row) => amountIn(row.currency, row.outstanding), right: true },
];
