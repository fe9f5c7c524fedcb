// Confirmations of payments that no payment came of: reported by somebody, and not found at the provider.

import { call } from "../../api.ts";
import { stateInWords } from "../../states.ts";
import type { PaymentConfirmation } from "../../typed.ts";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { FormDialog, REASON, useDialogs } from "../form.tsx";
import { Amount, List, pageOf, reachOf } from "../list.tsx";
import { mayLend } from "../may.ts";

export function Confirmations({ query, person }: { readonly query: URLSearchParams; readonly person: Person }) {
	const read = useWatch("GET /v1/platform/confirmations", { query: { size: 25, ...pageOf(query) }, ...reachOf(person) }, 2);
	const { shown, show, close, say } = useDialogs();
	const dismiss = ({ id, mobile_money_transaction_id: receipt }: PaymentConfirmation) =>
		show(
			<FormDialog
				title={`Take the confirmation of ${receipt} off the list?`}
				verb="Dismiss"
				entries={{ reason: REASON }}
				onClose={close}
				onSend={async (body) => {
					await call("POST /v1/platform/confirmations/{id}/dismiss", { path: { id }, body, ...reachOf(person) });
					say(`${receipt} is off the list. Nothing was posted.`);
				}}
			>
				<p>Compare it with the provider's statement first. Nothing is posted or undone by this.</p>
			</FormDialog>,
		);
	const columns: readonly Column<PaymentConfirmation>[] = [
		{
			head: "Receipt",
			cell: ({ mobile_money_transaction_id, account_number }) => (
				<>
					<code>
						<strong>{mobile_money_transaction_id}</strong>
					</code>
					<small>for account {account_number ?? "unknown"}</small>
				</>
			),
		},
		{
			head: "State",
			cell: ({ status, contradicted_at }) => {
				const [of, word, note] = stateInWords("PaymentConfirmation.status", status);
				return <State of={of} word={word} note={contradicted_at ? "Reported with other facts too" : note} />;
			},
		},
		{ head: "Amount", right: true, cell: ({ amount }) => (amount ? <Amount {...amount} /> : "–") },
		{ head: "Came", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
		...(mayLend(person)
			? [
					{
						head: "",
						right: true,
						cell: (of: PaymentConfirmation) => (
							<button type="button" onClick={() => dismiss(of)} aria-label={`Dismiss ${of.mobile_money_transaction_id}`}>
								Dismiss
							</button>
						),
					},
				]
			: []),
	];
	return (
		<>
			{shown}
			<List of={read} empty={["No confirmation is open", "Those that the provider does not bear out will wait here."]}>
				{(rows) => <Table label="Confirmations without payment" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
		</>
	);
}
