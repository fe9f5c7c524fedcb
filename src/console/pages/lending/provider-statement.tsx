// One statement: whether its days tie out, and its breaks, each with the one action that its state offers.

import { useEffect, useRef } from "preact/hooks";
import { call } from "../../api.ts";
import { count, day, minute, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { BodyOf, StatementBreak, StatementDay } from "../../typed.ts";
import { Confirm, useDoing } from "../../ui/dialog.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Choice, Figures, Head, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Badge, State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { type Dialogs, useDialogs } from "../form.tsx";
import { List, pageOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { OwnerBelow, ownerColumn, useOwners } from "../owners.tsx";
import { BreakAction } from "./break-action.tsx";
import { daysOf } from "./statements.tsx";

const BUSY: ReadonlySet<string> = new Set(["MATCHING", "SEEKING", "LOOKING", "DISCARDING"]);
const LINE = "GET /v1/reconciliation/statements/{statementId}";

export function Page({ params: { id: statementId = "" }, query, person }: PageProps) {
	const first = useWatch(LINE, { path: { statementId } });
	const read = useWatch(LINE, { path: { statementId } }, BUSY.has(first.value?.statement.status ?? "") ? 20 : 0);
	const dialogs = useDialogs();
	const skeleton = (
		<>
			<Head title="Statement" from={["/statements", "Statements"]} about={"\u2007"} />
			<Rows of={4} />
		</>
	);
	return (
		<Loaded of={read} skeleton={skeleton}>
			{(found) => (
				<>
					<One of={found} mayWork={mayLend(person)} dialogs={dialogs} />
					<Breaks statement={found.statement} query={query} dialogs={dialogs} person={person} />
				</>
			)}
		</Loaded>
	);
}

function One({ of, mayWork, dialogs }: { readonly of: BodyOf<typeof LINE>; readonly mayWork: boolean; readonly dialogs: Dialogs }) {
	const { statement, days } = of;
	const { id: statementId, status, currency } = statement;
	const [busy, run, error] = useDoing();
	const [shape, word, note] = stateInWords("ListedStatement.status", status);
	const path = { statementId };
	const sum = (what: (of: StatementDay) => number | null) => days.reduce((total, each) => total + (what(each) ?? 0), 0);
	const shown = (minor: number | null | undefined) =>
		minor === undefined ? "–" : minor === null ? "Not on the file" : money(minor, currency);
	const lines = days.filter((each) => each.lines > 0);
	const [difference, unexplained] = [sum((each) => each.difference), sum((each) => each.unexplained)];
	const discard = () =>
		dialogs.show(
			<Confirm
				title={`Discard ${statement.name}?`}
				verb="Discard it"
				dangerous
				onClose={dialogs.close}
				onConfirm={() => call("POST /v1/reconciliation/statements/{statementId}/discard", { path })}
			>
				<p>Its days can be imported again.</p>
			</Confirm>,
		);
	return (
		<>
			<Head
				title={`Statement of ${daysOf(statement)}`}
				from={["/statements", "Statements"]}
				badge={<Badge of={shape} word={word} />}
				about={[`${statement.number} ${statement.account}, in ${currency}`, note].filter(Boolean).join(" · ")}
				actions={
					mayWork &&
					(status === "OPEN" || status === "COMPARED") && (
						<>
							<button type="button" class="danger" onClick={discard}>
								Discard
							</button>
							<button
								type="button"
								class="primary"
								disabled={busy}
								onClick={() => void run(() => call("POST /v1/reconciliation/statements/{statementId}/compare", { path }))}
							>
								{status === "OPEN" ? "Compare" : "Compare again"}
							</button>
						</>
					)
				}
			/>
			{error && <Problem error={error} />}
			{dialogs.shown}
			<Figures
				of={[
					{
						name: "Opening",
						value: shown(lines[0]?.opening),
						note: `${money(
							sum((each) => each.in),
							currency,
						)} came in`,
					},
					{
						name: "Closing",
						value: shown(lines.at(-1)?.closing),
						note: `${money(
							sum((each) => each.out),
							currency,
						)} went out`,
					},
					{ name: "Difference", value: money(difference, currency), bad: difference !== 0, note: "opening + in − out − closing" },
					{
						name: "Unexplained",
						value: money(unexplained, currency),
						bad: unexplained !== 0,
						note: `in ${count(sum((each) => each.breaks))} open breaks`,
					},
				]}
			/>
			{days.length > 0 && (
				<Section title="Days">
					<Table label={`Days in ${currency}`} rows={days} columns={columnsOf(currency)} keyOf={(each) => each.day} />
				</Section>
			)}
		</>
	);
}

const columnsOf = (currency: string): readonly Column<StatementDay>[] => [
	{ head: "Day", cell: (each) => day(each.day) },
	{ head: "Lines", right: true, wide: true, cell: (each) => count(each.lines) },
	{ head: "Moved", right: true, wide: true, cell: (each) => money(each.in - each.out, currency) },
	{ head: "Difference", right: true, cell: (each) => (each.difference === null ? "–" : money(each.difference, currency)) },
	{ head: "Unexplained", right: true, cell: (each) => money(each.unexplained, currency) },
];

const STATES = [
	["OPEN", "Open"],
	["RESOLVED", "Found since"],
	["RECORDED", "Recorded"],
	["CONFIRMED", "Confirmed"],
	["EXPLAINED", "Explained"],
] as const;

interface BreaksProps extends Pick<PageProps, "query" | "person"> {
	readonly statement: BodyOf<typeof LINE>["statement"];
	readonly dialogs: Dialogs;
}

function Breaks({ statement, query, person, dialogs }: BreaksProps) {
	const status = STATES.find(([value]) => value === query.get("status"))?.[0] ?? "OPEN";
	const asked = { statement_id: statement.id, status, size: 50, ...pageOf(query) };
	const read = useWatch("GET /v1/reconciliation/breaks", { query: asked }, BUSY.has(statement.status) ? 20 : 2);
	// Those that are over have none.
	const owners = useOwners(read.value && (status === "OPEN" ? read.value.data.map(({ id }) => id) : []), person);
	// A comparison that ends changes them.
	const before = useRef(statement.status);
	useEffect(() => {
		if (before.current !== statement.status) read.again();
		before.current = statement.status;
	}, [statement.status]);
	const columns: readonly Column<StatementBreak>[] = [
		{
			head: "Break",
			cell: (row) => {
				const [of, word] = stateInWords("StatementBreak.kind", row.kind);
				return (
					<>
						<State of={of} word={word} note={[row.receipt ?? row.reference, row.reason].filter(Boolean).join(" · ")} />
						<OwnerBelow owners={owners} id={row.id} />
					</>
				);
			},
		},
		{ head: "At", wide: true, cell: ({ at }) => minute(Date.parse(at)) },
		{ head: "Statement", right: true, wide: true, cell: ({ amount, currency }) => (amount === null ? "–" : money(amount, currency)) },
		{ head: "Recorded", right: true, wide: true, cell: ({ recorded, currency }) => (recorded === null ? "–" : money(recorded, currency)) },
		{ head: "Difference", right: true, cell: ({ difference, currency }) => money(difference, currency) },
		...(status === "OPEN"
			? ownerColumn<StatementBreak>(owners, "STATEMENT_BREAK", ({ id, receipt, reference }) => ({
					id,
					called: receipt ?? reference ?? "the break",
				}))
			: []),
		{
			head: "",
			right: true,
			cell: (row) => row.status === "OPEN" && mayLend(person) && <BreakAction of={row} person={person} dialogs={dialogs} />,
		},
	];
	return (
		<Section title="Breaks">
			<div class="filters">
				<Choice label="Breaks" value={status} of={STATES} onChange={(next) => setFilter({ status: next === "OPEN" ? undefined : next })} />
			</div>
			<List
				of={owners ? read : { ...read, value: undefined }}
				words={["Earlier", "Later"]}
				filters={status === "OPEN" ? [] : ["status"]}
				empty={
					statement.status === "COMPARED"
						? ["No open breaks", "All that is on the statement is recorded here, and the other way round."]
						: ["Not compared yet", "Breaks are known once the statement is compared, within two minutes."]
				}
			>
				{(rows) => <Table label="Breaks" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
		</Section>
	);
}
