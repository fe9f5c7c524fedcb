// The acts on an account that do not change its debt at once: payments, requests to pay, dates, its end.

import { call } from "../../api.ts";
import type { CreditAccount, CurrentAccount } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import type { Person } from "../../who.ts";
import { FormDialog, REASON } from "../form.tsx";
import { reachOf } from "../list.tsx";
import { RecordPayment } from "./payment.tsx";
import { AskToPay } from "./prompts.tsx";
import { Reschedule } from "./reschedule.tsx";

export { Correction, PaidBy } from "./corrections.tsx";
export { RecordPayment } from "./payment.tsx";
export { Prompts } from "./prompts.tsx";
export { Transfers } from "./transfers.tsx";

export type Step = "pay" | "prompt" | "reschedule" | "close";

interface StepProps {
	readonly step: Step;
	readonly account: CreditAccount;
	readonly person: Person;
	readonly onClose: () => void;
	readonly onDone: (sentence: preact.ComponentChildren) => void;
}

export function OnAccount({ step, person, ...props }: StepProps) {
	const { account, onClose, onDone } = props;
	switch (step) {
		case "pay":
			return <RecordPayment person={person} {...props} />;
		case "prompt":
			return <AskToPay reach={reachOf(person)} {...props} />;
		case "reschedule":
			return <Reschedule {...props} />;
		case "close":
			return (
				<Confirm
					title={`Close account ${account.account_number}?`}
					verb="Close the account"
					dangerous
					onClose={onClose}
					onConfirm={async () => {
						await call("POST /v1/platform/accounts/{accountId}/close", { path: { accountId: account.id }, organization: null });
						onDone("The account is closed.");
					}}
				>
					<p>Nothing is owed on it, and nothing can be drawn on it any more. A later loan opens another account.</p>
				</Confirm>
			);
	}
}

interface FreezeProps {
	readonly account: CurrentAccount;
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

/** A current account that spends nothing, or does so again. */
export function Freeze({ account: { id: accountId, account_number, status }, onClose, onDone }: FreezeProps) {
	const frozen = status === "FROZEN";
	return (
		<FormDialog
			title={`${frozen ? "Release" : "Freeze"} account ${account_number}?`}
			verb={frozen ? "Release" : "Freeze"}
			dangerous
			entries={{ reason: REASON }}
			onClose={onClose}
			onSend={async (body) => {
				const request = { path: { accountId }, body, organization: null };
				if (frozen) await call("POST /v1/platform/accounts/{accountId}/unfreeze", request);
				else await call("POST /v1/platform/accounts/{accountId}/freeze", request);
				onDone(frozen ? "Its user can spend from it again." : "It takes money and spends none until it is released.");
			}}
		>
			<p>
				{frozen ? "Its user can spend from it again." : "It takes money and spends nothing. Transfers that are on their way end as usual."}
			</p>
		</FormDialog>
	);
}
