// What all that may be done about an account needs: who does it, why, and the request for another person's approval.

import { call } from "../../api.ts";
import type { CreditAccount, Explanation, Installment } from "../../typed.ts";
import { Field } from "../../ui/page.tsx";

export interface ActProps {
	readonly account: CreditAccount;
	readonly installments: readonly Installment[];
	/** Of what is owed today. */
	readonly lines: Explanation["lines"];
	/** Operators need nobody's approval. */
	readonly alone: boolean;
	readonly onClose: () => void;
	/** An approval was asked for. */
	readonly onAsked: () => void;
	/** It is done, in words. */
	readonly onDone: (sentence: string) => void;
}

export type AskedType = "WAIVER" | "WRITE_OFF" | "SETTLEMENT" | "OVERPAYMENT_REFUND" | "RESCHEDULE" | "ACCOUNT_CLOSURE" | "FREEZE_CHANGE";

/** Asks for an approval of what is to be done with the account. */
export const requestFor = (
	{ id }: { readonly id: string },
	approval_type: AskedType,
	payload: Readonly<Record<string, unknown>>,
	reason: string,
) => call("POST /v1/approvals", { body: { approval_type, entity_type: "ACCOUNT", entity_id: id, payload, reason } });

export const ReasonField = (props: { readonly value: string; readonly onChange: (value: string) => void }) => (
	<Field label="Reason" hint="Kept in the audit trail">
		{(ids) => (
			<input {...ids} required maxLength={255} value={props.value} onInput={({ currentTarget }) => props.onChange(currentTarget.value)} />
		)}
	</Field>
);
