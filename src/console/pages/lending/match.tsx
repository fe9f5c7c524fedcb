// Says whose a payment is: the accounts that it may have been meant for, or another that is looked for.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../api.ts";
import { minute, money } from "../../format.ts";
import { reasonOfPayment, stateInWords } from "../../states.ts";
import type { UnmatchedPayment } from "../../typed.ts";
import { Answer, Dialog, useDoing } from "../../ui/dialog.tsx";
import { Facts, Field } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { State } from "../../ui/state.tsx";
import { nameOf } from "../people.tsx";
import { type Candidate, candidatesFor } from "./candidates.ts";

interface Props {
	readonly payment: UnmatchedPayment;
	readonly reach: { readonly organization?: null };
	readonly onClose: () => void;
	readonly onMatched: (sentence: string) => void;
}

export function MatchPayment({ payment, reach, onClose, onMatched }: Props) {
	const { id, mobile_money_transaction_id: reference, account_number: given, amount, reason, transacted_at } = payment;
	const [text, setText] = useState(given ?? "");
	const [found, setFound] = useState<readonly Candidate[]>();
	const [chosen, choose] = useState<Candidate>();
	const [looking, look, lookError] = useDoing();
	const [busy, run, error] = useDoing();
	const find = (by: string) =>
		look(async () => {
			const candidates = await candidatesFor(by, amount.currency, reach);
			setFound(candidates);
			choose(candidates.length === 1 ? candidates[0] : undefined);
		});
	useEffect(() => void find(given ?? ""), [id]);
	const paid = `${money(amount.value, amount.currency)} ${amount.currency}`;
	const match = async () => {
		if (!chosen) return;
		const { account } = chosen;
		await call("POST /v1/platform/unmatched-payments/{id}/match", { path: { id }, body: { account_id: account.id }, ...reach });
		onMatched(`${paid} (${reference}) is posted to account ${account.account_number}.`);
		onClose();
	};
	return (
		<Dialog title={`Match ${reference}`} class="broad" onClose={onClose}>
			<Facts
				of={[
					["Paid", `${paid}, ${minute(Date.parse(transacted_at))}`],
					["Written", <code key="given">{given ?? "nothing"}</code>],
					["Why it waits", reasonOfPayment(reason)],
				]}
			/>
			<form
				class="find"
				onSubmit={(event) => {
					event.preventDefault();
					void find(text);
				}}
			>
				<Field label="Account number, @tag, mobile number or name" hint="Such as 1040561060158, 0712 345 678, @njeri or Njeri">
					{(ids) => (
						<div class="joined">
							<input {...ids} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
							<button type="submit" disabled={looking}>
								Find
							</button>
						</div>
					)}
				</Field>
			</form>
			{lookError && <Problem error={lookError} />}
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run(match);
				}}
			>
				<fieldset class="candidates">
					<legend>May be meant for</legend>
					{found?.length === 0 && (
						<p class="none">No loan in {amount.currency} is found by this. Ask the payer for their account's number.</p>
					)}
					{found?.map((one) => (
						<CandidateChoice key={one.account.id} of={one} chosen={one.account.id === chosen?.account.id} onChoose={() => choose(one)} />
					))}
				</fieldset>
				<Answer
					verb={chosen ? `Post ${paid} to ${chosen.account.account_number}` : "Choose an account"}
					disabled={busy || !chosen}
					error={error}
					onClose={onClose}
				/>
			</form>
		</Dialog>
	);
}

interface ChoiceProps {
	readonly of: Candidate;
	readonly chosen: boolean;
	readonly onChoose: () => void;
}

function CandidateChoice({ of: { account, because, borrower }, chosen, onChoose }: ChoiceProps) {
	const [of, word] = stateInWords("CreditAccount.status", account.status);
	return (
		<label>
			<input type="radio" name="account" checked={chosen} onChange={onChoose} />
			<span>
				<strong>{borrower ? nameOf(borrower) : "Loan"}</strong>
				<small>
					<code>{account.account_number}</code>
					{borrower?.mobile_number && ` · ${borrower.mobile_number}`}
				</small>
				<small>{because}</small>
			</span>
			<State of={of} word={word} />
			<span class="right">
				{money(account.balance.total_outstanding, account.currency)}
				<small>{account.currency} owed</small>
			</span>
		</label>
	);
}
