// What may be done about an account: at once by operators, by another person's approval for members.

import { useState } from "preact/hooks";
import { call, Refused } from "../../api.ts";
import { amountIn, day, minute, money } from "../../format.ts";
import type { RepaymentTransaction } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Field } from "../../ui/page.tsx";
import type { Person } from "../../who.ts";
import { type ActProps, type AskedType, ReasonField, requestFor } from "../account/request.tsx";
import { minorOf, typed } from "../amounts.ts";
import { isByPhone } from "./statement.tsx";
import { Waive } from "./waive.tsx";

export type Doing =
	| { readonly is: "waive" | "write-off" | "refund" | "settle" }
	| { readonly is: "reverse"; readonly transaction: RepaymentTransaction };

interface Props extends Omit<ActProps, "alone"> {
	readonly doing: Doing;
	readonly person: Person;
}

export function Act({ doing, person, ...props }: Props) {
	const { account, onClose, onAsked, onDone } = props;
	const { id: accountId, account_number: number, currency } = account;
	const path = { accountId };
	const [sum, setSum] = useState("");
	const [until, setUntil] = useState("");
	const [reason, setReason] = useState("");
	const [returns, setReturns] = useState(false);
	const alone = person.kind === "operator";
	const ask = async (type: AskedType, payload: Readonly<Record<string, string | number>>) => {
		await requestFor(account, type, payload, reason);
		onAsked();
	};
	const value = minorOf(sum, currency);
	const owed = account.balance.total_outstanding;
	const reasonField = <ReasonField value={reason} onChange={setReason} />;
	const later = !alone && <p>Another person must approve it. Nothing changes before.</p>;
	switch (doing.is) {
		case "waive":
			return <Waive {...props} alone={alone} />;
		case "settle": {
			const isLess = value !== undefined && value < owed;
			const wrong =
				value === undefined ? `An amount such as ${typed(125_050, currency)}` : `Less than the ${amountIn(currency, owed)} owed`;
			return (
				<Confirm
					title={`Settle account ${number} for less?`}
					verb={alone ? "Settle" : "Ask for approval"}
					dangerous
					disabled={!isLess}
					onClose={onClose}
					onConfirm={async () => {
						if (value === undefined) return;
						if (!alone) return ask("SETTLEMENT", { amount: value, valid_until: until });
						const body = { amount: value, valid_until: until, reason };
						await call("POST /v1/platform/accounts/{accountId}/settlements", { path, body, organization: null });
						onDone(`The rest is waived once ${amountIn(currency, value)} is paid by ${day(until)}.`);
					}}
				>
					<Field label={`Amount, ${currency}`} error={sum && !isLess ? wrong : undefined}>
						{(ids) => (
							<input {...ids} required inputMode="decimal" value={sum} onInput={({ currentTarget }) => setSum(currentTarget.value)} />
						)}
					</Field>
					<Field label="Paid by">
						{(ids) => <input {...ids} type="date" required value={until} onInput={({ currentTarget }) => setUntil(currentTarget.value)} />}
					</Field>
					<p>
						{amountIn(currency, owed)} is owed today. Once the amount is paid in time,{" "}
						{isLess ? <strong>the other {amountIn(currency, owed - value)} is waived</strong> : "the rest is waived"}, with what is charged
						until then.
					</p>
					{reasonField}
					{later}
				</Confirm>
			);
		}
		case "write-off":
			return (
				<Confirm
					title={`Write account ${number} off?`}
					verb="Ask for approval"
					dangerous
					onClose={onClose}
					onConfirm={() => ask("WRITE_OFF", {})}
				>
					<p>
						{amountIn(currency, owed)} is owed, before and after: no interest and no penalties are charged on it any more, and what is paid
						later is recovered. Another person must approve it.
					</p>
					{reasonField}
				</Confirm>
			);
		case "refund":
			return (
				<Confirm
					title={`Give back ${money(account.available_balance, currency)} ${currency} of account ${number}?`}
					verb="Refund"
					dangerous
					onClose={onClose}
					onConfirm={async () => {
						try {
							await call("POST /v1/platform/accounts/{accountId}/overpayment/refund", { path, ...(alone && { organization: null }) });
							onDone(`${amountIn(currency, account.available_balance)} is on its way back to the borrower.`);
						} catch (error) {
							if (alone || !(error instanceof Refused) || error.code !== "INVALID_STATE") throw error;
							await ask("OVERPAYMENT_REFUND", { amount: account.available_balance });
						}
					}}
				>
					<p>It goes to the borrower's current account, or is paid out to them.</p>
					{!alone && <p>Another person must approve what comes from payments that no provider has verified.</p>}
					{!alone && reasonField}
				</Confirm>
			);
		case "reverse": {
			const { amount, id, transacted_at, kind, details } = doing.transaction;
			const mayReturn = kind === "REPAYMENT" && isByPhone(details);
			return (
				<Confirm
					title={`Reverse ${money(amount.value, amount.currency)} ${amount.currency} of ${minute(Date.parse(transacted_at))}?`}
					verb={alone ? "Reverse" : "Ask for approval"}
					dangerous
					onClose={onClose}
					onConfirm={async () => {
						if (alone) {
							const line = "POST /v1/platform/accounts/{accountId}/transactions/{transactionId}/reverse";
							if (mayReturn) await call("POST /v1/repayments/{id}/reverse", { path: { id }, body: { reason, return_money: returns } });
							else await call(line, { path: { accountId, transactionId: id }, body: { reason } });
							return onDone(`${amountIn(amount.currency, amount.value)} of ${minute(Date.parse(transacted_at))} is reversed.`);
						}
						const what = mayReturn
							? ({ approval_type: "REPAYMENT_REVERSAL", payload: { return_money: returns } } as const)
							: ({ approval_type: "TRANSACTION_REVERSAL" } as const);
						await call("POST /v1/approvals", { body: { ...what, entity_type: "TRANSACTION", entity_id: id, reason } });
						onAsked();
					}}
				>
					<p>The book of account {number} is replayed as if it had never been posted; what it had settled is owed again.</p>
					{mayReturn && (
						<label class="check">
							<input type="checkbox" checked={returns} onChange={({ currentTarget }) => setReturns(currentTarget.checked)} /> Return the
							money to its payer by M-Pesa
						</label>
					)}
					{reasonField}
					{later}
				</Confirm>
			);
		}
	}
}
