// The acts on an account that do not change its debt at once: payments, requests to pay, dates, its end.

import { call } from "../../api.ts";
import type { CreditAccount, CurrentAccount } from "../../typed.ts";
import type { Person } from "../../who.ts";
import { FormDialog, REASON } from "../form.tsx";
import { reachOf } from "../list.tsx";
import { RecordPayment } from "./payment.tsx";
import { AskToPay } from "./prompts.tsx";
import { requestFor } from "./request.tsx";
import { Reschedule } from "./reschedule.tsx";

export { Correction, PaidBy } from "./corrections.tsx";
export { RecordPayment } from "./payment.tsx";
export { Prompts } from "./prompts.tsx";
export { Transfers } from "./transfers.tsx";

export type Step = "pay" | "prompt" | "reschedule" | "close";

interface StepProps {
	readonly step: Step;
	readonly account: CreditAccount;
	/** The due dates of the installments that are not yet due. */
	readonly coming: readonly string[];
	readonly person: Person;
	readonly onClose: () => void;
	/** An approval was asked for. */
	readonly onAsked: () => void;
	readonly onDone: (sentence: preact.ComponentChildren) => void;
}

export function OnAccount({ step, person, coming, onAsked, ...props }: StepProps) {
	switch (step) {
		case "pay":
			return <RecordPayment person={person} {...props} />;
		case "prompt":
			return <AskToPay reach={reachOf(person)} {...props} />;
		case "reschedule":
			return <Reschedule person={person} coming={coming} onAsked={onAsked} {...props} />;
		case "close":
			return <CloseAccount alone={person.kind === "operator"} onAsked={onAsked} {...props} />;
	}
}

interface CloseProps extends Omit<StepProps, "step" | "person" | "coming"> {
	/** Operators ask nobody here; the service may ask a second one. */
	readonly alone: boolean;
}

function CloseAccount({ account, alone, onClose, onAsked, onDone }: CloseProps) {
	return (
		<FormDialog
			title={`Close account ${account.account_number}?`}
			verb={alone ? "Close the account" : "Ask for approval"}
			dangerous
			entries={alone ? {} : { reason: REASON }}
			onClose={onClose}
			onSend={async ({ reason = "" }: { readonly reason?: string }) => {
				if (!alone) {
					await requestFor(account, "ACCOUNT_CLOSURE", {}, reason);
					return onAsked();
				}
				await call("POST /v1/platform/accounts/{accountId}/close", { path: { accountId: account.id }, organization: null });
				onDone("The account is closed.");
			}}
		>
			<p>
				Nothing is owed on it, and nothing can be drawn on it any more. A later loan opens another account.
				{!alone && " Another person must approve it."}
			</p>
		</FormDialog>
	);
}

interface FreezeProps {
	readonly account: CurrentAccount;
	readonly alone: boolean;
	readonly onClose: () => void;
	readonly onAsked: () => void;
	readonly onDone: (sentence: string) => void;
}

/** A current account that spends nothing, or does so again. */
export function Freeze({ account, alone, onClose, onAsked, onDone }: FreezeProps) {
	const { id: accountId, account_number, status } = account;
	const frozen = status === "FROZEN";
	return (
		<FormDialog
			title={`${frozen ? "Release" : "Freeze"} account ${account_number}?`}
			verb={alone ? (frozen ? "Release" : "Freeze") : "Ask for approval"}
			dangerous
			entries={{ reason: REASON }}
			onClose={onClose}
			onSend={async (body) => {
				if (!alone) {
					await requestFor(account, "FREEZE_CHANGE", { frozen: !frozen }, body.reason);
					return onAsked();
				}
				const request = { path: { accountId }, body, organization: null };
				if (frozen) await call("POST /v1/platform/accounts/{accountId}/unfreeze", request);
				else await call("POST /v1/platform/accounts/{accountId}/freeze", request);
				onDone(frozen ? "Its user can spend from it again." : "It takes money and spends none until it is released.");
			}}
		>
			<p>
				{frozen ? "Its user can spend from it again." : "It takes money and spends nothing. Transfers that are on their way end as usual."}
				{!alone && ` ${frozen ? "An operator" : "Another person"} must approve it. Nothing changes before.`}
			</p>
		</FormDialog>
	);
}
