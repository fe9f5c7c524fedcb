// Payments: those that have no account yet, each to be matched, and all others.

import { useState } from "preact/hooks";
import { minute } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { reasonOfPayment, stateInWords } from "../../states.ts";
import type { BodyOf, RepaymentTransaction, UnmatchedPayment } from "../../typed.ts";
import { late } from "../../ui/late.tsx";
import { Choice, Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch, type Watched } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { useDialogs } from "../form.tsx";
import { Amount, List, pageOf, reachOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { OwnerBelow, ownerColumn, useOwners } from "../owners.tsx";
import { MatchPayment } from "./match.tsx";

const Confirmations = late(async () => (await import("../account/confirmations.tsx")).Confirmations);
const RecordPayment = late(async () => (await import("../account/steps.tsx")).RecordPayment);

const TABS = [
	["unmatched", "Without account"],
	["POSTED", "Posted"],
	["CONFIRMED", "Received"],
	["FAILED", "Failed"],
	["confirmations", "Confirmations"],
	["all", "All"],
] as const;
type Tab = (typeof TABS)[number][0];

export function Page({ query, person }: PageProps) {
	const tab = TABS.find(([value]) => value === query.get("status"))?.[0] ?? "unmatched";
	const turn = (next: Tab) => setFilter({ status: next === "unmatched" ? undefined : next });
	const dialogs = useDialogs();
	const record = () => dialogs.show(<RecordPayment person={person} onClose={dialogs.close} onDone={dialogs.say} />);
	return (
		<>
			<Head
				title="Payments"
				about="Payments of borrowers. A payment without an account waits until you assign it."
				actions={
					mayLend(person) &&
					person.acting && (
						<button type="button" class="primary" onClick={record}>
							Record a payment
						</button>
					)
				}
			/>
			{dialogs.shown}
			<div class="filters">
				<Choice label="Payments" value={tab} of={TABS} onChange={turn} />
			</div>
			{tab === "unmatched" ? (
				<UnmatchedPage query={query} person={person} />
			) : tab === "confirmations" ? (
				<Confirmations query={query} person={person} />
			) : (
				<Recorded query={query} tab={tab} />
			)}
		</>
	);
}

function UnmatchedPage({ query, person }: Pick<PageProps, "query" | "person">) {
	const read = useWatch("GET /v1/platform/unmatched-payments", { query: { size: 25, ...pageOf(query) }, ...reachOf(person) }, 4);
	return <Unmatched of={read} person={person} />;
}

interface UnmatchedProps {
	readonly of: Watched<BodyOf<"GET /v1/platform/unmatched-payments">>;
	readonly person: Person;
	readonly paged?: boolean;
}

export function Unmatched({ person, ...list }: UnmatchedProps) {
	const [matching, match] = useState<UnmatchedPayment>();
	const [matched, setMatched] = useState<string>();
	const owners = useOwners(
		list.of.value?.data.map(({ id }) => id),
		person,
	);
	const columns: Column<UnmatchedPayment>[] = [
		{
			head: "Payment",
			cell: ({ id, mobile_money_transaction_id, reason }) => (
				<>
					<code>
						<strong>{mobile_money_transaction_id}</strong>
					</code>
					<small>{reasonOfPayment(reason)}</small>
					<OwnerBelow owners={owners} id={id} />
				</>
			),
		},
		{ head: "Account number given", wide: true, cell: ({ account_number }) => <code>{account_number ?? "none"}</code> },
		{ head: "Amount", right: true, cell: ({ amount }) => <Amount {...amount} /> },
		{ head: "Paid", right: true, wide: true, cell: ({ transacted_at }) => minute(Date.parse(transacted_at)) },
		...ownerColumn<UnmatchedPayment>(owners, "PAYMENT", ({ id, mobile_money_transaction_id: called }) => ({ id, called })),
		{
			head: "",
			right: true,
			cell: (payment) => (
				<button type="button" onClick={() => match(payment)} aria-label={`Match ${payment.mobile_money_transaction_id}`}>
					Match
				</button>
			),
		},
	];
	return (
		<>
			{matched && (
				<p class="notice is-good" role="status">
					<span>{matched}</span>
				</p>
			)}
			<List
				{...list}
				of={owners ? list.of : { ...list.of, value: undefined }}
				empty={["Every payment has its account", "Payments to an unknown account number will wait here."]}
			>
				{(rows) => <Table label="Payments without account" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
			{matching && <MatchPayment payment={matching} reach={reachOf(person)} onClose={() => match(undefined)} onMatched={setMatched} />}
		</>
	);
}

const RECORDED: readonly Column<RepaymentTransaction>[] = [
	{
		head: "Payment",
		cell: ({ mobile_money_transaction_id, resource_id }) => (
			<code>
				<strong>{mobile_money_transaction_id ?? resource_id}</strong>
			</code>
		),
	},
	{
		head: "State",
		cell: ({ status, failure_reason }) => {
			const [of, word] = stateInWords("RepaymentTransaction.status", status);
			return <State of={of} word={word} note={failure_reason ?? undefined} />;
		},
	},
	{ head: "Amount", right: true, cell: ({ amount }) => <Amount {...amount} /> },
	{ head: "Paid", right: true, wide: true, cell: ({ transacted_at }) => minute(Date.parse(transacted_at)) },
];

function Recorded({ query, tab }: { readonly query: URLSearchParams; readonly tab: Exclude<Tab, "unmatched" | "confirmations"> }) {
	const read = useWatch("GET /v1/repayments", { query: { size: 25, ...(tab !== "all" && { status: tab }), ...pageOf(query) } }, 4);
	return (
		<List
			of={read}
			filters={tab === "all" ? [] : ["status"]}
			empty={["No payments yet", "They come through the API, and from the provider of mobile money."]}
		>
			{(rows) => (
				<Table
					label="Payments"
					rows={rows}
					columns={RECORDED}
					keyOf={({ id }) => id}
					to={({ account_id }) => (account_id ? `/accounts/${account_id}?tab=transactions` : null)}
				/>
			)}
		</List>
	);
}
