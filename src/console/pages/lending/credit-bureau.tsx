// The monthly files for a credit bureau: whether they are made, the files, the notices before a negative mark, and disputes.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { amountIn, count, day, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { BodyOf, CreditBureauDispute, CreditBureauFile, CreditBureauNotice, CreditBureauSettings } from "../../typed.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Choice, Facts, Head, Link, Section } from "../../ui/page.tsx";
import { type Column, Pager, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch, type Watched } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { typed } from "../amounts.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { List, pageOf } from "../list.tsx";
import { mayLend } from "../may.ts";

export function Page({ query, person }: PageProps) {
	const settings = useWatch("GET /v1/credit-bureau/settings", {});
	const files = useWatch("GET /v1/credit-bureau/files", { query: { size: 24, ...pageOf(query) } });
	const notices = useWatch("GET /v1/credit-bureau/notices", { query: { size: 50 } });
	const { shown, show, close } = useDialogs();
	const change = (of: CreditBureauSettings) => show(<ChangeSettings of={of} onClose={close} />);
	return (
		<>
			<Head
				title="Credit bureau"
				about="A file of all loans at the end of each month. It is made here; sending it to the bureau is up to you."
				actions={
					mayLend(person) && (
						<button type="button" class="primary" disabled={!settings.value} onClick={() => settings.value && change(settings.value)}>
							Change the settings
						</button>
					)
				}
			/>
			{shown}
			<Loaded of={settings} skeleton={1}>
				{(of) => <Facts of={factsOf(of)} />}
			</Loaded>
			<List
				of={files}
				empty={[
					"No file is made yet",
					"The first one is that of the month in which they are switched on. It is made once the month is closed.",
				]}
			>
				{(rows) => (
					<Table
						label="Files"
						rows={rows}
						columns={FILES}
						keyOf={({ month }) => month}
						{...(mayLend(person) && { to: ({ month }: CreditBureauFile) => `/credit-bureau/${month}` })}
					/>
				)}
			</List>
			{/* What is above has its final height before what is below shows. */}
			<div class="sections" hidden={waits(settings) || waits(files)}>
				<Notices of={notices} />
				<div class="sections" hidden={waits(notices)}>
					<Disputes person={person} />
				</div>
			</div>
		</>
	);
}

const factsOf = ({ enabled, currency, threshold, notice_days, next_month }: CreditBureauSettings) =>
	[
		["Files", enabled ? `Made each month; the next one is ${next_month}` : "Not made"],
		["Negative above", currency === null || threshold === null ? "–" : amountIn(currency, threshold)],
		["Notice", notice_days === null ? "–" : plural(notice_days, "day")],
	] as const;

function ChangeSettings({ of, onClose }: { readonly of: CreditBureauSettings; readonly onClose: () => void }) {
	const currency = of.currency ?? "KES";
	return (
		<FormDialog
			title="Change the settings?"
			verb="Change"
			entries={{
				enabled: { label: "Make a file each month", is: "yes", ...(of.enabled && { from: "yes" }) },
				currency: { label: "Currency", hint: "Of the loans in the file", from: currency },
				threshold: {
					...{ label: "Negative above", is: "amount", least: 0, currency: (fields) => fields.currency ?? "" },
					from: typed(of.threshold ?? 100_000, currency),
					hint: "For KES at least 1,000",
				},
				notice_days: { label: "Days of notice", is: "whole", least: 30, most: 365, from: String(of.notice_days ?? 30) },
			}}
			onClose={onClose}
			onSend={(body) => call("PUT /v1/credit-bureau/settings", { body })}
		/>
	);
}

const FILES: readonly Column<CreditBureauFile>[] = [
	{ head: "Month", cell: ({ month }) => month },
	{ head: "Loans", cell: (row) => count(row.accounts), right: true },
	{ head: "Negative", cell: (row) => count(row.negative), right: true },
	{ head: "Disputed", cell: (row) => count(row.disputed), right: true, wide: true },
	{ head: "Corrections", cell: (row) => count(row.corrections), right: true, wide: true },
	{ head: "Left out", cell: (row) => count(row.left_out), right: true },
	{ head: "Made", cell: (row) => <Time at={row.made_at} />, right: true, wide: true },
];

const waits = ({ value, error }: Watched<unknown>): boolean => value === undefined && error === undefined;

function Notices({ of }: { readonly of: Watched<BodyOf<"GET /v1/credit-bureau/notices">> }) {
	return (
		<Section title="Notices" note="Borrowers who were notified that a negative mark will follow; the newest fifty">
			<Loaded of={of} skeleton={3}>
				{({ data }) =>
					data.length === 0 ? (
						<Empty title="Nobody was notified">A borrower in default is notified when the file of the month is made.</Empty>
					) : (
						<Table
							label="Notices"
							rows={data}
							columns={NOTICES}
							keyOf={({ id }) => id}
							to={({ account_id }) => `/accounts/${account_id}`}
						/>
					)
				}
			</Loaded>
		</Section>
	);
}

const stateOf = ({ status, listed_in, ended_in }: CreditBureauNotice): string => {
	if (status === "NOTIFIED") return "Notified";
	if (status === "LISTED") return `Negative since ${listed_in}`;
	return listed_in ? `Negative from ${listed_in} until ${ended_in}` : `Cancelled in ${ended_in}`;
};

const NOTICES: readonly Column<CreditBureauNotice>[] = [
	{ head: "Notified on", cell: ({ noticed_on }) => day(noticed_on) },
	{ head: "Negative from", cell: ({ listable_from }) => day(listable_from), wide: true },
	{ head: "State", cell: stateOf },
	{ head: "Owed then", cell: ({ owed }) => amountIn(owed.currency, owed.value), right: true },
];

/** A page of the disputes, whose place is none of the address: that of the files is. */
type Place = { readonly after?: string; readonly before?: string };

function Disputes({ person }: { readonly person: Person }) {
	const [status, setStatus] = useState<"OPEN" | "RESOLVED">("OPEN");
	const [place, setPlace] = useState<Place>({});
	const read = useWatch("GET /v1/credit-bureau/disputes", { query: { size: 50, status, ...place } });
	const { shown, show, close } = useDialogs();
	const resolve = ({ id }: CreditBureauDispute) =>
		show(
			<FormDialog
				title="Resolve the dispute?"
				verb="Resolve"
				entries={{ resolution: { label: "Result of the inquiry", is: "long", most: 2_000 } }}
				onClose={close}
				onSend={(body) => call("POST /v1/credit-bureau/disputes/{disputeId}/resolve", { path: { disputeId: id }, body })}
			/>,
		);
	const columns: readonly Column<CreditBureauDispute>[] = [
		{ head: "Loan", cell: ({ account_id }) => <Link to={`/accounts/${account_id}`}>Loan</Link> },
		{
			head: "Reason",
			cell: ({ reason, resolution }) => (
				<>
					{reason ?? "Erased"}
					{resolution && <small>{resolution}</small>}
				</>
			),
		},
		{ head: "Since", cell: ({ created_at }) => <Time at={created_at} />, right: true, wide: true },
		{
			head: "",
			right: true,
			cell: (row) => {
				if (row.resolved_at) return "Resolved";
				if (!mayLend(person)) return "Open";
				return (
					<button type="button" onClick={() => resolve(row)} aria-label={`Resolve: ${row.reason ?? row.id}`}>
						Resolve
					</button>
				);
			},
		},
	];
	return (
		<Section title="Disputes" note="Objections of borrowers, newest first. A loan is marked as disputed in the rows of a file.">
			{shown}
			<div class="filters">
				<Choice<"OPEN" | "RESOLVED">
					label="Disputes"
					value={status}
					of={[
						["OPEN", "Open"],
						["RESOLVED", "Resolved"],
					]}
					onChange={(value) => {
						setStatus(value);
						setPlace({});
					}}
				/>
			</div>
			<Loaded of={read} skeleton={3}>
				{({ data, links }) =>
					data.length === 0 && !links.prev && !links.next ? (
						<Empty title={status === "OPEN" ? "Nothing is disputed" : "Nothing is resolved"}>
							While a dispute is open, the rows of its loan have the mark.
						</Empty>
					) : (
						<>
							<Table label="Disputes" rows={data} columns={columns} keyOf={({ id }) => id} />
							<Pager prev={links.prev} next={links.next} onPage={setPlace} />
						</>
					)
				}
			</Loaded>
		</Section>
	);
}
