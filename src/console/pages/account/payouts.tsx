// What people decide about payouts: money that came back, and two receipts for one payout.

import { call } from "../../api.ts";
import { amountIn } from "../../format.ts";
import { FormDialog, REASON } from "../form.tsx";

interface Props {
	readonly what: "return" | "dismiss";
	/** The payout: by the id of the application, draw or refund that it pays. */
	readonly id: string;
	readonly amount: { readonly value: number; readonly currency: string } | null;
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

export function ActOnPayout({ what, id, amount, onClose, onDone }: Props) {
	const payout = amount ? `the payout of ${amountIn(amount.currency, amount.value)}` : "the payout";
	if (what === "dismiss") {
		return (
			<FormDialog
				title={`Take ${payout} off the list?`}
				verb="Dismiss"
				entries={{ reason: REASON }}
				onClose={onClose}
				onSend={async (body) => {
					await call("POST /v1/disbursements/{id}/second-receipts/dismiss", { path: { id }, body, organization: null });
					onDone("The receipts stay with the payout, and it is off the list.");
				}}
			>
				<p>The provider says that it was paid by more than one transaction. Compare them with its statement: perhaps it was paid twice.</p>
			</FormDialog>
		);
	}
	return (
		<FormDialog
			title={`The money of ${payout} came back?`}
			verb="Record it"
			dangerous
			entries={{
				mobile_money_transaction_id: { label: "Receipt of the money that came back" },
				occurred_at: { label: "Came back at", is: "time" },
			}}
			onClose={onClose}
			onSend={async (body) => {
				await call("POST /v1/disbursements/{id}/returned", { path: { id }, body, organization: null });
				onDone("The loan, draw or refund that it paid is undone.");
			}}
		>
			<p>It undoes the loan, the draw or the refund that was paid. A second operator must approve it.</p>
		</FormDialog>
	);
}
