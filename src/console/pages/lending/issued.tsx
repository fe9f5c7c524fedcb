// The statements of an account that were issued: to make another one, and to take each along as a file.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { day } from "../../format.ts";
import type { IssuedStatement } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Done, Field, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type Column, Pager, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { reachOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { pagesOf, saveFile } from "../save.tsx";

const FILES = [
	["PDF", "application/pdf"],
	["CSV", "text/csv"],
] as const;

interface Props {
	readonly accountId: string;
	readonly person: Person;
	/** The last day of a statement, as the service's clock says. */
	readonly today: string;
}

export function Issued({ accountId, person, today }: Props) {
	const path = { accountId };
	const reach = reachOf(person);
	const [cursor, turn] = useState<{ readonly after?: string; readonly before?: string }>({});
	const [from, setFrom] = useState("");
	const [to, setTo] = useState(today);
	const [made, setMade] = useState<string>();
	const [busy, run, error] = useDoing();
	const read = useWatch("GET /v1/accounts/{accountId}/statements", { path, query: { size: 10, ...cursor }, ...reach });
	const issue = () =>
		run(async () => {
			setMade(undefined);
			const { number } = await call("POST /v1/accounts/{accountId}/statements", { path, body: { from, to }, ...reach });
			setMade(`Statement ${number} is issued.`);
		});
	const save = ({ id, number }: IssuedStatement, name: string, type: string) =>
		run(async () => {
			const line = "GET /v1/accounts/{accountId}/statements/{statementId}";
			await pagesOf(line, { path: { ...path, statementId: id }, ...reach }, type, (text) =>
				saveFile(`statement-${number}.${name.toLowerCase()}`, type, [text]),
			);
		});
	const columns: Column<IssuedStatement>[] = [
		{
			head: "Statement",
			cell: ({ number, replaces, replaced_by }) => (
				<>
					No. {number}
					<small>
						{[replaces && `replaces no. ${replaces.number}`, replaced_by && `replaced by no. ${replaced_by.number}`]
							.filter(Boolean)
							.join(", ")}
					</small>
				</>
			),
		},
		{ head: "Days", cell: ({ from: first, to: last }) => `${day(first)} to ${day(last)}` },
		{ head: "Issued", wide: true, cell: ({ issued_at }) => <Time at={issued_at} /> },
		{
			head: "",
			right: true,
			cell: (row) => (
				<span class="buttons end-of-row">
					{FILES.map(([name, type]) => (
						<button
							key={name}
							type="button"
							disabled={busy}
							onClick={() => void save(row, name, type)}
							aria-label={`Save statement ${row.number} as ${name}`}
						>
							{name}
						</button>
					))}
				</span>
			),
		},
	];
	return (
		<Section title="Issued statements" note="Each has a number, and says for ever what was known when it was issued.">
			{made && <Done>{made}</Done>}
			{error && <Problem error={error} />}
			{(person.kind === "borrower" || mayLend(person)) && (
				<form
					class="filters"
					onSubmit={(event) => {
						event.preventDefault();
						void issue();
					}}
				>
					<Field label="From">
						{(ids) => (
							<input {...ids} type="date" required max={today} value={from} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />
						)}
					</Field>
					<Field label="To">
						{(ids) => (
							<input {...ids} type="date" required max={today} value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
						)}
					</Field>
					<button type="submit" disabled={busy}>
						Issue a statement
					</button>
				</form>
			)}
			<Loaded of={read} skeleton={2}>
				{({ data, links }) =>
					data.length === 0 ? (
						<Empty title="None was issued yet" children="Statements with their numbers will be here." />
					) : (
						<>
							<Table label="Issued statements" rows={data} columns={columns} keyOf={({ id }) => id} />
							<Pager prev={links.prev} next={links.next} onPage={turn} />
						</>
					)
				}
			</Loaded>
		</Section>
	);
}
