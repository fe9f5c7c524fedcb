// Puts a payment right: moved to the account that it was meant for, or its reversal undone. By another person's approval for members.

import { call, LeadsNowhere } from "../../api.ts";
import { amountIn, day, money } from "../../format.ts";
import type { Allocation, RepaymentTransaction } from "../../typed.ts";
import { Close, Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { FormDialog, REASON } from "../form.tsx";
import { reachOf } from "../list.tsx";

export interface CorrectionProps {
	readonly what: "move" | "restore";
	readonly transaction: RepaymentTransaction;
	readonly person: Person;
	readonly onClose: () => void;
	readonly onAsked: () => void;
	readonly onDone: (sentence: string) => void;
}

export function Correction({ what, transaction, person, onClose, onAsked, onDone }: CorrectionProps) {
	const { id, amount, transacted_at, reversed_by } = transaction;
	const alone = person.kind === "operator";
	const payment = `${amountIn(amount.currency, amount.value)} of ${day(transacted_at)}`;
	const verb = (itself: string) => (alone ? itself : "Ask for approval");
	const later = !alone && <p>Another person must approve it. Nothing changes before.</p>;
	const request = async (
		approval_type: "REPAYMENT_MOVE" | "REPAYMENT_RESTORATION",
		payload: Readonly<Record<string, string>>,
		reason: string,
	) => {
		await call("POST /v1/approvals", { body: { approval_type, entity_type: "TRANSACTION", entity_id: id, payload, reason } });
		onAsked();
	};
	if (what === "restore") {
		return (
			<FormDialog
				title={`Undo the reversal of ${payment}?`}
				verb={verb("Undo the reversal")}
				dangerous
				entries={{ reason: REASON }}
				onClose={onClose}
				onSend={async ({ reason }) => {
					const reversal_id = reversed_by ?? "";
					if (!alone) return request("REPAYMENT_RESTORATION", { reversal_id }, reason);
					await call("POST /v1/repayments/{id}/restore", { path: { id }, body: { reversal_id, reason }, organization: null });
					onDone(`${payment} counts again.`);
				}}
			>
				<p>The payment counts again, as if it had never been reversed.</p>
				{later}
			</FormDialog>
		);
	}
	return (
		<FormDialog
			title={`Move ${payment} to another account?`}
			verb={verb("Move it")}
			dangerous
			entries={{ number: { label: "Number of the other account" }, reason: REASON }}
			onClose={onClose}
			onSend={async ({ number, reason }) => {
				const query = { account_number: number.replaceAll(/\s/g, "") };
				const [other] = (await call("GET /v1/accounts", { query, ...reachOf(person) })).data;
				if (!other) throw new LeadsNowhere(`No account has the number ${number}.`);
				if (!alone) return request("REPAYMENT_MOVE", { account_id: other.id }, reason);
				await call("POST /v1/repayments/{id}/move", { path: { id }, body: { account_id: other.id, reason }, organization: null });
				onDone(`${payment} is moved to account ${other.account_number}.`);
			}}
		>
			<p>It is taken off this account as if it had never been here, and posted to the other one as of the day on which it was paid.</p>
			{later}
		</FormDialog>
	);
}

interface PaidProps {
	readonly accountId: string;
	readonly installment: { readonly id: string; readonly due_date: string };
	readonly reach: { readonly organization?: null };
	readonly onClose: () => void;
}

type Paid = { readonly transaction: RepaymentTransaction; readonly allocation: Allocation };

/** What has paid an installment, and what of each payment it took. */
export function PaidBy({ accountId, installment, reach, onClose }: PaidProps) {
	const line = "GET /v1/accounts/{accountId}/installments/{id}/transactions";
	const read = useWatch(line, { path: { accountId, id: installment.id }, query: { size: 50 }, ...reach });
	return (
		<Dialog title={`What paid the installment due ${day(installment.due_date)}`} class="broad" onClose={onClose}>
			<Loaded of={read} skeleton={3}>
				{({ data }) => <Table label="Payments of the installment" rows={data} columns={PAID} keyOf={({ allocation }) => allocation.id} />}
			</Loaded>
			<Close onClose={onClose} />
		</Dialog>
	);
}

const PAID: readonly Column<Paid>[] = [
	{ head: "Paid", cell: ({ transaction }) => day(transaction.transacted_at) },
	{ head: "Receipt", wide: true, cell: ({ transaction }) => <code>{transaction.mobile_money_transaction_id ?? "–"}</code> },
	{
		head: "Principal",
		right: true,
		wide: true,
		cell: ({ transaction, allocation }) => money(allocation.principal_amount, transaction.amount.currency),
	},
	{
		head: "Interest, penalty",
		right: true,
		wide: true,
		cell: ({ transaction, allocation }) => money(allocation.interest_amount + allocation.arrears_amount, transaction.amount.currency),
	},
	{ head: "Together", right: true, cell: ({ transaction, allocation }) => money(allocation.allocated_amount, transaction.amount.currency) },
];
