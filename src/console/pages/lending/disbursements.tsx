// Payouts on their way: what the disburser has not taken yet, and what it has not reported.

import { now } from "../../clock.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { Disbursement } from "../../typed.ts";
import { Choice, Head, Link } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { Amount, List, pageOf, setFilter } from "../list.tsx";
import { OwnerBelow, type Owners, ownerColumn, useOwners } from "../owners.tsx";
import { Named, nameOf, type People, usePeople } from "../people.tsx";

export const PAYOUTS: Readonly<Record<Disbursement["kind"], string>> = {
	LOAN: "Loan",
	DRAW: "Draw",
	REFUND: "Refund of what was overpaid",
	INVOICE: "Invoice",
};

const TO: Readonly<Record<NonNullable<Disbursement["destination"]>["type"], string>> = {
	OWN_NUMBER: "Own number",
	CURRENT_ACCOUNT: "Current account",
	PAYEE_ACCOUNT: "Payee's account",
};

/** Payouts usually end by themselves: one is work once it has not ended for ten minutes. */
const USUALLY_ENDED_MS = 600_000;

const columnsFor = (people: People | undefined, owners: Owners | undefined): readonly Column<Disbursement>[] => [
	{
		head: "To",
		cell: ({ destination, kind, account_id }) => (
			<Named
				of={people?.get(destination?.user_id ?? "")}
				narrow={account_id ? <Link to={`/accounts/${account_id}`}>{PAYOUTS[kind]}</Link> : PAYOUTS[kind]}
			/>
		),
	},
	{
		head: "Payout",
		wide: true,
		cell: ({ kind, account_id, destination }) => (
			<>
				{account_id ? <Link to={`/accounts/${account_id}`}>{PAYOUTS[kind]}</Link> : PAYOUTS[kind]}
				{destination && (
					<small>
						{TO[destination.type]} {destination.mobile_number ?? destination.account?.identifier}
					</small>
				)}
			</>
		),
	},
	{
		head: "State",
		cell: ({ id, status, failure_reason, attempts }) => {
			const [of, word, note] = stateInWords("Disbursement.status", status);
			return (
				<>
					<State of={of} word={word} note={failure_reason ?? (attempts > 1 ? `Sent ${attempts} times` : note)} />
					<OwnerBelow owners={owners} id={id} />
				</>
			);
		},
	},
	{ head: "Amount", right: true, cell: ({ amount }) => <Amount {...amount} /> },
	{
		head: "Next attempt",
		right: true,
		wide: true,
		cell: ({ next_attempt_at }) => (next_attempt_at ? <Time at={next_attempt_at} counting /> : "–"),
	},
	...ownerColumn<Disbursement>(owners, "DISBURSEMENT", ({ id, destination, created_at }) => {
		const user = people?.get(destination?.user_id ?? "");
		return {
			id,
			called: user ? `the payout to ${nameOf(user)}` : `the payout ${id.slice(-8)}`,
			waits: now() - Date.parse(created_at) > USUALLY_ENDED_MS,
		};
	}),
	{ head: "Ordered", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Page({ query, person }: PageProps) {
	const status = query.get("status") === "ACCEPTED" ? "ACCEPTED" : "PENDING";
	const read = useWatch("GET /v1/disbursements", { query: { size: 25, status, ...pageOf(query) } }, 4);
	const people = usePeople(
		read.value?.data.map(({ destination }) => destination?.user_id),
		person,
	);
	const owners = useOwners(
		read.value?.data.map(({ id }) => id),
		person,
	);
	return (
		<>
			<Head title="Payouts" about="On their way to borrowers and merchants. Those that have ended stand on their accounts." />
			<div class="filters">
				<Choice
					label="State"
					value={status}
					of={[
						["PENDING", "To be sent"],
						["ACCEPTED", "Taken by the disburser"],
					]}
					onChange={(next) => setFilter({ status: next === "PENDING" ? undefined : next })}
				/>
			</div>
			<List
				of={people && owners ? read : { ...read, value: undefined }}
				empty={
					status === "PENDING"
						? ["Nothing is to be sent", "Each payout is sent as soon as it is ordered, and again until the disburser takes it."]
						: ["Nothing is on its way", "Payouts that the disburser has accepted wait here for its report."]
				}
			>
				{(rows) => <Table label="Payouts" rows={rows} columns={columnsFor(people, owners)} keyOf={({ id }) => id} />}
			</List>
		</>
	);
}
