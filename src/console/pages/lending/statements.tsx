// Statements of the provider or the bank: the list of all, and the import of another one from a file.

import { count, day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { go } from "../../router.ts";
import { stateInWords } from "../../states.ts";
import type { ListedStatement } from "../../typed.ts";
import { late } from "../../ui/late.tsx";
import { Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { useDialogs } from "../form.tsx";
import { List, pageOf } from "../list.tsx";
import { mayLend } from "../may.ts";

const ImportStatement = late(async () => (await import("./statement-import.tsx")).ImportStatement);

export function Page({ query, person }: PageProps) {
	const read = useWatch("GET /v1/reconciliation/statements", { query: { size: 25, ...pageOf(query) } }, 2);
	const { shown, show, close } = useDialogs();
	const choose = (file: File | undefined) =>
		file && show(<ImportStatement file={file} onClose={close} onSent={(id) => go(`/statements/${id}`)} />);
	return (
		<>
			<Head title="Statements" about="Statements of the provider or the bank, compared with what is recorded here." />
			{shown}
			{mayLend(person) && (
				<label class="field">
					Import a statement (CSV)
					<input
						type="file"
						accept=".csv,text/csv"
						onChange={({ currentTarget }) => {
							choose(currentTarget.files?.[0]);
							currentTarget.value = "";
						}}
					/>
				</label>
			)}
			<List of={read} empty={["No statement is imported yet", "Download one from the provider's portal, and choose its file here."]}>
				{(rows) => <Table label="Statements" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} to={({ id }) => `/statements/${id}`} />}
			</List>
		</>
	);
}

export const daysOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
	from === to ? day(from) : `${day(from)} to ${day(to)}`;

const COLUMNS: readonly Column<ListedStatement>[] = [
	{
		head: "Days",
		cell: (row) => (
			<>
				{daysOf(row)}
				<small>
					{row.number} {row.account}
				</small>
			</>
		),
	},
	{
		head: "State",
		wide: true,
		cell: ({ status }) => {
			const [of, word] = stateInWords("ListedStatement.status", status);
			return <State of={of} word={word} />;
		},
	},
	{
		head: "Breaks",
		right: true,
		cell: ({ breaks, status }) => (breaks > 0 ? `${count(breaks)} open` : status === "COMPARED" ? "None" : "–"),
	},
	{ head: "Difference of its days", right: true, wide: true, cell: ({ difference, currency }) => money(difference, currency) },
	{ head: "Unexplained", right: true, cell: ({ unexplained, currency }) => money(unexplained, currency) },
];
