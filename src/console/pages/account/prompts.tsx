// Asks the borrower on their phone to pay, and follows what came of it.

import { call } from "../../api.ts";
import { amountIn, money } from "../../format.ts";
import { stateInWords } from "../../states.ts";
import type { CreditAccount, RepaymentPrompt } from "../../typed.ts";
import { Section } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog } from "../form.tsx";

interface Props {
	readonly account: CreditAccount;
	readonly reach: { readonly organization?: null };
}

export function AskToPay({ account, reach, onClose, onDone }: Props & { onClose: () => void; onDone: (sentence: string) => void }) {
	const { id: accountId, account_number, currency } = account;
	return (
		<FormDialog
			title={`Ask the borrower of account ${account_number} to pay?`}
			verb="Send the request"
			entries={{ amount: { label: "Amount", is: "amount", currency, optional: true, hint: "Whole units. Empty: what is due" } }}
			onClose={onClose}
			onSend={async (body) => {
				const { amount } = await call("POST /v1/accounts/{accountId}/repayment-prompts", { path: { accountId }, body, ...reach });
				onDone(`The borrower's phone asks for ${amountIn(currency, amount)}. What came of it stands among the transactions.`);
			}}
		>
			<p>M-Pesa asks on their own phone, and they pay with their PIN. One request at a time, at most ten in a day.</p>
		</FormDialog>
	);
}

const COLUMNS: readonly Column<RepaymentPrompt>[] = [
	{ head: "Asked", cell: ({ created_at }) => <Time at={created_at} /> },
	{
		head: "State",
		cell: ({ status, failure_reason }) => {
			const [of, word, note] = stateInWords("RepaymentPrompt.status", status);
			return <State of={of} word={word} note={failure_reason ?? note} />;
		},
	},
	{ head: "Amount", right: true, cell: ({ amount, currency }) => money(amount, currency) },
];

/** Asks while one is open: its end comes by itself. */
const OPEN: ReadonlySet<string> = new Set(["PENDING", "SENT"]);

/** The latest requests, if there were any. */
export function Prompts({ account: { id: accountId }, reach }: Props) {
	const line = "GET /v1/accounts/{accountId}/repayment-prompts";
	const request = { path: { accountId }, query: { size: 5 }, ...reach };
	const first = useWatch(line, request);
	const read = useWatch(line, request, first.value?.data.some(({ status }) => OPEN.has(status)) ? 6 : 0);
	if (!read.value?.data.length) return null;
	return (
		<Section title="Requests to pay" note="The latest five, by M-Pesa to the borrower's phone.">
			<Table label="Requests to pay" rows={read.value.data} columns={COLUMNS} keyOf={({ id }) => id} />
		</Section>
	);
}
