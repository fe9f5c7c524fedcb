// The statement of an account, and what was posted to it.

import { useState } from "preact/hooks";
import { day, minute, money } from "../../format.ts";
import { byId, isPenalty, placeOf } from "../../installment.ts";
import { stateInWords } from "../../states.ts";
import type { Installment, RepaymentTransaction, Statement as StatementOf } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Pager, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { SaveList } from "../save.tsx";
import { KINDS, PARTS, ruleOf } from "./entries.ts";

/** Before any loan, also a loan that was taken over from another program. */
const BEGINNING = "1970-01-01";

type Cursor = { readonly after?: string; readonly before?: string };
type Entry = StatementOf["entries"][number];

type Reach = { readonly organization?: null };
interface Props {
	readonly accountId: string;
	readonly reach: Reach;
}

/** What the first pages ask, for who asks before they are shown. */
export const statementOf = (accountId: string, reach: Reach, cursor: Cursor = {}) => ({
	path: { accountId },
	query: { from: BEGINNING, size: 50, ...cursor },
	...reach,
});
export const transactionsOf = (accountId: string, reach: Reach, cursor: Cursor = {}) => ({
	path: { accountId },
	query: { size: 25, ...cursor },
	...reach,
});

export function Statement({ accountId, reach, installments }: Props & { readonly installments: readonly Installment[] }) {
	const [cursor, turn] = useState<Cursor>({});
	const read = useWatch("GET /v1/accounts/{accountId}/statement", statementOf(accountId, reach, cursor));
	const found = byId(installments);
	return (
		<Loaded of={read} skeleton={8}>
			{({ entries, currency, links }) => {
				if (entries.length === 0) return <Empty title="Nothing has happened yet" children="Each change of the balance will be here." />;
				const columns: Column<Entry>[] = [
					{ head: "Day", cell: ({ date }) => day(date) },
					{
						head: "What",
						cell: ({ rule, component, installment_id }) => {
							const row = found.get(installment_id ?? "");
							return (
								<>
									{ruleOf(rule)}
									<small>{[PARTS[component], row && !isPenalty(row) && placeOf(row).toLowerCase()].filter(Boolean).join(", ")}</small>
								</>
							);
						},
					},
					{ head: currency, right: true, cell: ({ amount }) => money(amount, currency) },
					{ head: "Balance", right: true, cell: ({ running_balance }) => money(running_balance, currency) },
				];
				return (
					<>
						<Table label="Statement" rows={entries} columns={columns} keyOf={(entry) => String(entries.indexOf(entry))} />
						<p class="foot-note">Oldest first.</p>
						<Pager prev={links.prev} next={links.next} onPage={turn} />
						{read.source && <SaveList of={{ ...read.source, currency }} />}
					</>
				);
			}}
		</Loaded>
	);
}

/** Paid to a till or a paybill, so that the provider may know a way back. */
export const isByPhone = (details: RepaymentTransaction["details"]): boolean =>
	details?.type === "PAY_BILL" || details?.type === "BUY_GOODS";

/** A payment that was undone, and whether its money is on its way back. */
function Undone({ id, reach }: { readonly id: string; readonly reach: Props["reach"] }) {
	const { value } = useWatch("GET /v1/repayments/{id}", { path: { id }, ...reach }, 1);
	const back = value?.money_return;
	const [of, word] = back ? stateInWords("MoneyReturn.status", back.status) : (["ended", undefined] as const);
	return <State of={of} word="Undone" note={back ? [word, back.failure_reason].filter(Boolean).join(": ") : undefined} />;
}

interface TransactionsProps extends Props {
	/** Offered for postings that can be undone. */
	readonly onReverse?: ((transaction: RepaymentTransaction) => void) | undefined;
	/** The same for a payment on the wrong account, and for a reversed payment. */
	readonly onCorrect?: (what: "move" | "restore", transaction: RepaymentTransaction) => void;
}

export function Transactions({ accountId, reach, onReverse, onCorrect }: TransactionsProps) {
	const [cursor, turn] = useState<Cursor>({});
	const read = useWatch("GET /v1/accounts/{accountId}/installments/transactions", transactionsOf(accountId, reach, cursor));
	return (
		<Loaded of={read} skeleton={4}>
			{({ data, links }) => {
				if (data.length === 0)
					return <Empty title="Nothing was paid yet" children="Payments, waivers, refunds and their reversals will be here." />;
				const mayBeUndone = ({ kind, status }: RepaymentTransaction) => kind !== "REVERSAL" && kind !== "REFUND" && status === "POSTED";
				const columns: Column<RepaymentTransaction>[] = [
					{
						head: "Transaction",
						cell: ({ kind, mobile_money_transaction_id, id, transacted_at }) => (
							<>
								{KINDS[kind]}
								<small>
									{mobile_money_transaction_id ? <code>{mobile_money_transaction_id}</code> : <Id of={id} what="the transaction's id" />}
								</small>
								<small class="narrow">{minute(Date.parse(transacted_at))}</small>
							</>
						),
					},
					{
						head: "State",
						wide: true,
						cell: ({ status, id, failure_reason, kind, details }) => {
							if (status === "REVERSED" && kind === "REPAYMENT" && isByPhone(details)) return <Undone id={id} reach={reach} />;
							const [of, word] = stateInWords("RepaymentTransaction.status", status);
							return <State of={of} word={word} note={failure_reason ?? undefined} />;
						},
					},
					{
						head: "Amount",
						right: true,
						cell: ({ amount, remaining_amount: left }) => (
							<>
								{money(amount.value, amount.currency)}
								<small>
									{left.value > 0 && left.value < amount.value ? `${money(left.value, left.currency)} left, ` : ""}
									{amount.currency}
								</small>
							</>
						),
					},
					{ head: "When", right: true, wide: true, cell: ({ transacted_at }) => minute(Date.parse(transacted_at)) },
					...(onReverse
						? [
								{
									head: "",
									right: true,
									cell: (row: RepaymentTransaction) => {
										const what = `${KINDS[row.kind]} of ${money(row.amount.value, row.amount.currency)}`;
										const isPayment = row.kind === "REPAYMENT";
										return (
											<span class="buttons end-of-row">
												{isPayment && row.status === "POSTED" && (
													<button type="button" onClick={() => onCorrect?.("move", row)} aria-label={`Move ${what}`}>
														Move
													</button>
												)}
												{isPayment && row.reversed_by && (
													<button type="button" onClick={() => onCorrect?.("restore", row)} aria-label={`Undo the reversal of ${what}`}>
														Restore
													</button>
												)}
												{mayBeUndone(row) && (
													<button type="button" class="danger" onClick={() => onReverse(row)} aria-label={`Reverse ${what}`}>
														Reverse
													</button>
												)}
											</span>
										);
									},
								},
							]
						: []),
				];
				return (
					<>
						<Table label="Transactions" rows={data.map(({ transaction }) => transaction)} columns={columns} keyOf={({ id }) => id} />
						<Pager prev={links.prev} next={links.next} onPage={turn} />
						{read.source && <SaveList of={read.source} />}
					</>
				);
			}}
		</Loaded>
	);
}
