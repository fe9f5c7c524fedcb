// What may be done about an account: at once by operators, by another person's approval for members.

import { useState } from "preact/hooks";
import { call, Refused } from "../../api.ts";
import { day, money } from "../../format.ts";
import { placeOf } from "../../installment.ts";
import type { CreditAccount, Installment, RepaymentTransaction } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Field } from "../../ui/page.tsx";
import type { Person } from "../../who.ts";
import { minorOf, typed } from "../amounts.ts";
import { isByPhone } from "./statement.tsx";

export type Doing =
	| { readonly is: "waive" | "write-off" | "refund" | "settle" }
	| { readonly is: "reverse"; readonly transaction: RepaymentTransaction };

interface Props {
	readonly doing: Doing;
	readonly account: CreditAccount;
	readonly installments: readonly Installment[];
	readonly person: Person;
	readonly onClose: () => void;
	/** An approval was asked for. */
	readonly onAsked: () => void;
}

export function Act({ doing, account, installments, person, onClose, onAsked }: Props) {
	const { id: accountId, account_number: number, currency } = account;
	const path = { accountId };
	const owing = installments.flatMap(({ id, ...row }) => (id !== null && row.outstanding > 0 ? [{ id, ...row }] : []));
	const [installment, choose] = useState(owing[0]);
	const [sum, setSum] = useState(installment ? typed(installment.outstanding, currency) : "");
	const [until, setUntil] = useState("");
	const [reason, setReason] = useState("");
	const [returns, setReturns] = useState(false);
	const alone = person.kind === "operator";
	const ask = async (
		approval_type: "WAIVER" | "WRITE_OFF" | "SETTLEMENT" | "OVERPAYMENT_REFUND",
		payload: Record<string, string | number>,
	) => {
		await call("POST /v1/approvals", { body: { approval_type, entity_type: "ACCOUNT", entity_id: accountId, payload, reason } });
		onAsked();
	};
	const value = minorOf(sum, currency);
	const amountField = (
		<Field label={`Amount, ${currency}`} error={sum && value === undefined ? `An amount such as ${typed(125_050, currency)}` : undefined}>
			{(ids) => <input {...ids} required inputMode="decimal" value={sum} onInput={({ currentTarget }) => setSum(currentTarget.value)} />}
		</Field>
	);
	const reasonField = (
		<Field label="Reason" hint="Kept in the audit trail">
			{(ids) => <input {...ids} required maxLength={255} value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />}
		</Field>
	);
	const later = !alone && <p>Another person must approve it. Nothing changes before.</p>;
	switch (doing.is) {
		case "waive":
			return (
				<Confirm
					title={`Waive part of account ${number}?`}
					verb={alone ? "Waive" : "Ask for approval"}
					dangerous
					onClose={onClose}
					onConfirm={async () => {
						if (!installment || value === undefined) throw new Error("no amount");
						const body = { installment_id: installment.id, amount: value };
						if (alone) await call("POST /v1/platform/accounts/{accountId}/waivers", { path, body: { ...body, reason } });
						else await ask("WAIVER", body);
					}}
				>
					<p>The borrower owes that much less of one installment, today.</p>
					<Field label="Installment">
						{(ids) => (
							<select
								{...ids}
								value={installment?.id}
								onChange={({ currentTarget }) => {
									const found = owing.find(({ id }) => id === currentTarget.value);
									choose(found);
									if (found) setSum(typed(found.outstanding, currency));
								}}
							>
								{owing.slice(0, 100).map((row) => (
									<option key={row.id} value={row.id}>
										{placeOf(row)}, due {day(row.due_date)}: {money(row.outstanding, currency)} owed
									</option>
								))}
							</select>
						)}
					</Field>
					{amountField}
					{reasonField}
					{later}
				</Confirm>
			);
		case "settle":
			return (
				<Confirm
					title={`Settle account ${number} for less?`}
					verb="Ask for approval"
					dangerous
					onClose={onClose}
					onConfirm={async () => {
						if (value === undefined) throw new Error("no amount");
						await ask("SETTLEMENT", { amount: value, valid_until: until });
					}}
				>
					<p>Once this much is paid in time, the rest of {money(account.balance.total_outstanding, currency)} is waived.</p>
					{amountField}
					<Field label="Paid by">
						{(ids) => <input {...ids} type="date" required value={until} onInput={({ currentTarget }) => setUntil(currentTarget.value)} />}
					</Field>
					{reasonField}
					<p>Another person must approve it. Nothing changes before.</p>
				</Confirm>
			);
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
						No interest and no penalties are charged any more on {money(account.balance.total_outstanding, currency)} {currency}. The debt
						stays. Another person must approve it.
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
					title={`Reverse ${money(amount.value, amount.currency)} ${amount.currency} of ${day(transacted_at)}?`}
					verb={alone ? "Reverse" : "Ask for approval"}
					dangerous
					onClose={onClose}
					onConfirm={async () => {
						if (alone && mayReturn) {
							return call("POST /v1/repayments/{id}/reverse", { path: { id }, body: { reason, return_money: returns } });
						}
						const line = "POST /v1/platform/accounts/{accountId}/transactions/{transactionId}/reverse";
						if (alone) return call(line, { path: { accountId, transactionId: id }, body: { reason } });
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
