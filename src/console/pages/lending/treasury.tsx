// Treasury records: borrowed funds, owners' money, and transfers between the cash accounts; each is asked for here, and taken back here.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { now } from "../../clock.ts";
import { day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { TreasuryRecord } from "../../typed.ts";
import { Head, WaitsForApproval } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { Amount, List, pageOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { TREASURY } from "../organization/effect.ts";

type Kind = TreasuryRecord["kind"];
type Account = (typeof ACCOUNTS)[number][0];

const ACCOUNTS = [
	["1130", "1130 Bank"],
	["1110", "1110 M-Pesa"],
	["1120", "1120 MTN MoMo"],
	["1140", "1140 Cash with agents"],
	["1150", "1150 Custodian"],
] as const;
const KINDS = Object.entries(TREASURY) as [Kind, string][];

export function Page({ query, person }: PageProps) {
	const [asked, setAsked] = useState(false);
	// What is asked for is here once another person has approved it.
	const read = useWatch("GET /v1/ledger/treasury-records", { query: { size: 50, ...pageOf(query) } }, asked ? 6 : 0);
	const { shown, show, close } = useDialogs();
	const currency = read.value?.data[0]?.currency ?? "KES";
	const ask = () =>
		show(
			<FormDialog
				title="Record money of the lender?"
				verb="Ask for approval"
				entries={{
					kind: { label: "What happened", of: KINDS },
					account: { label: "Cash account", of: ACCOUNTS },
					to_account: { label: "To", of: ACCOUNTS, only: ({ kind }) => kind === "TRANSFER" },
					currency: { label: "Currency", from: currency },
					amount: { label: "Amount", is: "amount", currency: (typed) => typed.currency ?? "" },
					value_date: { label: "Day on which it moved", is: "day", from: new Date(now()).toISOString().slice(0, 10) },
					reference: { label: "Reference", hint: "Its receipt, or what the statement says", most: 100 },
					reason: { label: "Reason", hint: "Kept in the audit trail; may be empty", optional: true },
				}}
				onClose={close}
				onSend={async (body) => {
					await call("POST /v1/ledger/treasury-records", { body });
					setAsked(true);
				}}
			/>,
		);
	const takeBack = ({ id, kind, account, to_account, currency: of, amount, value_date, reference }: TreasuryRecord) =>
		show(
			<FormDialog
				title={`Take back the record ${reference}?`}
				verb="Ask for approval"
				dangerous
				entries={{ reason: { label: "Reason", hint: "Kept in the audit trail" } }}
				onClose={close}
				onSend={async ({ reason }) => {
					const accounts = { account: account as Account, ...(to_account && { to_account: to_account as Account }) };
					const same = { ...accounts, kind, currency: of, amount, value_date, reference };
					await call("POST /v1/ledger/treasury-records", { body: { ...same, corrects_id: id, reason } });
					setAsked(true);
				}}
			/>,
		);
	return (
		<>
			<Head
				title="Treasury"
				from={["/ledger", "Ledger"]}
				about="Borrowed funds, owners' money and transfers between cash accounts. One person asks, another approves."
				actions={
					mayLend(person) && (
						<button type="button" class="primary" onClick={ask}>
							Record money
						</button>
					)
				}
			/>
			{asked && <WaitsForApproval />}
			{shown}
			<List of={read} empty={["Nothing is recorded yet", "Record here what the lender borrows, and what its owners put in."]}>
				{(rows) => (
					<Table
						label="Treasury records"
						rows={rows}
						columns={mayLend(person) ? [...COLUMNS, takenBackBy(takeBack)] : COLUMNS}
						keyOf={({ id }) => id}
					/>
				)}
			</List>
		</>
	);
}

const COLUMNS: readonly Column<TreasuryRecord>[] = [
	{
		head: "Record",
		cell: (row) => (
			<>
				{row.corrects_id ? `Taken back: ${TREASURY[row.kind]?.toLowerCase()}` : TREASURY[row.kind]}
				<small>
					{row.reference}, {row.account}
					{row.to_account && ` to ${row.to_account}`}
				</small>
			</>
		),
	},
	{ head: "Moved", cell: (row) => day(row.value_date), wide: true },
	{ head: "Asked by", cell: (row) => row.requested_by_display ?? row.requested_by, wide: true },
	{ head: "Approved by", cell: (row) => row.approved_by_display ?? row.approved_by, wide: true },
	{ head: "Amount", cell: (row) => <Amount value={row.amount} currency={row.currency} />, right: true },
];

const takenBackBy = (takeBack: (row: TreasuryRecord) => void): Column<TreasuryRecord> => ({
	head: "",
	cell: (row) =>
		!row.corrects_id &&
		(row.corrected_by_id ? (
			"Taken back"
		) : (
			<button type="button" onClick={() => takeBack(row)}>
				Take back
			</button>
		)),
});
