// Records a payment that no provider has reported: cash at the counter, a bank transfer, a receipt of mobile money that did not come in.

import { call } from "../../api.ts";
import { now } from "../../clock.ts";
import { amountIn, isId } from "../../format.ts";
import type { BodyOf, CreditAccount, RepaymentInput } from "../../typed.ts";
import { Link } from "../../ui/page.tsx";
import type { Person } from "../../who.ts";
import { FormDialog } from "../form.tsx";
import { reachOf } from "../list.tsx";
import { useColleagues } from "../members.ts";

const HOWS = [
	["BANK_TRANSFER", "Bank transfer"],
	["AGENT_CASH", "Cash"],
	["PAY_BILL", "Mobile money, paybill"],
	["BUY_GOODS", "Mobile money, till"],
	["SEND_MONEY", "Mobile money, sent to a number"],
] as const;

/** A time as its field has it, where the reader is. */
const fieldOf = (at: number): string => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

interface Props {
	/** Without one, its number is asked for. */
	readonly account?: CreditAccount;
	readonly person: Person;
	readonly onClose: () => void;
	readonly onDone: (sentence: preact.ComponentChildren) => void;
}

export function RecordPayment({ account, person, onClose, onDone }: Props) {
	const colleagues = useColleagues(person);
	const members = [[person.id, "You"] as const, ...[...colleagues].filter(([id]) => id !== person.id)];
	return (
		<FormDialog
			title={account ? `Record a payment to account ${account.account_number}` : "Record a payment"}
			verb="Record it"
			entries={{
				...(!account && {
					account_number: { label: "Account number", hint: "As the payer gave it. An unknown one waits among the payments" },
				}),
				...(!account && { currency: { label: "Currency", from: "KES" } }),
				type: { label: "Paid by", of: HOWS },
				value: { label: "Amount", is: "amount", currency: account?.currency ?? (({ currency = "" }) => currency) },
				receipt: { label: "Receipt or reference", hint: "Its own number: a receipt is recorded once", most: 100 },
				transacted_at: { label: "Paid at", is: "time", from: fieldOf(now()) },
				bank_code: { label: "Bank", hint: "Its code or short name", only: ({ type }) => type === "BANK_TRANSFER" },
				agent_user_id: {
					label: "Taken by",
					...(isId(person.id) ? { of: members, from: person.id } : { hint: "The user's id" }),
					only: ({ type }) => type === "AGENT_CASH",
				},
				paybill_number: { label: "Paybill", only: ({ type }) => type === "PAY_BILL" },
				till_number: { label: "Till", only: ({ type }) => type === "BUY_GOODS" },
				mobile_number: { label: "Number that it was sent to", only: ({ type }) => type === "SEND_MONEY" },
			}}
			onClose={onClose}
			onSend={async (entered) => {
				const { value, receipt, transacted_at } = entered;
				const number = account?.account_number ?? entered.account_number ?? "";
				const currency = account?.currency ?? entered.currency?.toUpperCase() ?? "";
				const details = {
					BANK_TRANSFER: { type: "BANK_TRANSFER", bank_code: entered.bank_code ?? "", reference: receipt },
					AGENT_CASH: { type: "AGENT_CASH", agent_user_id: entered.agent_user_id ?? "" },
					PAY_BILL: { type: "PAY_BILL", paybill_number: entered.paybill_number ?? "", account_reference: number },
					BUY_GOODS: { type: "BUY_GOODS", till_number: entered.till_number ?? "" },
					SEND_MONEY: { type: "SEND_MONEY", mobile_number: entered.mobile_number ?? "" },
				} satisfies Record<string, RepaymentInput["details"]>;
				const body: RepaymentInput = {
					...(account ? { account_id: account.id } : { account_number: number }),
					amount: { value, currency },
					mobile_money_transaction_id: receipt,
					transacted_at,
					details: details[entered.type],
				};
				const recorded = await call("POST /v1/repayments", { body, ...(account && reachOf(person)) });
				onDone(outcomeOf(recorded, amountIn(currency, value)));
			}}
		/>
	);
}

type Recorded = BodyOf<"POST /v1/repayments">;

function outcomeOf({ transaction: { status } }: Recorded, amount: string): preact.ComponentChildren {
	if (status === "UNMATCHED") {
		return (
			<>
				{amount} is recorded, and waits <Link to="/payments">among the payments without account</Link>.
			</>
		);
	}
	return status === "POSTED" ? `${amount} is posted.` : `${amount} is recorded, and is posted within a minute.`;
}
