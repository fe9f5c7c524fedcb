// Invoices that merchants sell: decided, and followed until the buyer has paid.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { FinancingInvoice } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Field, Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { useDialogs } from "../form.tsx";
import { Amount, List, pageOf, setFilter } from "../list.tsx";
import { mayFinance, mayManage } from "../may.ts";
import { ActOnInvoice, Grants, type OnInvoice, Upload } from "./actions.tsx";

const STATES = ["PENDING", "APPROVED", "FINANCED", "OVERDUE", "REJECTED", "CANCELLED", "PAID"] as const;
const OWED: ReadonlySet<string> = new Set(["FINANCED", "OVERDUE"]);

export function Page({ query, person }: PageProps) {
	const status = STATES.find((value) => value === query.get("status"));
	const dueBefore = query.get("due") ?? undefined;
	const merchant = query.get("merchant") ?? undefined;
	const filter = { ...(status && { status }), ...(dueBefore && { due_before: dueBefore }) };
	const all = useWatch("GET /v1/financing/invoices", merchant ? undefined : { query: { size: 25, ...filter, ...pageOf(query) } }, 2);
	const own = useWatch(
		"GET /v1/financing/merchants/{merchantId}/invoices",
		merchant ? { path: { merchantId: merchant }, query: { size: 25, ...pageOf(query) } } : undefined,
		2,
	);
	const read = merchant ? own : all;
	const { shown, show, close, say } = useDialogs();
	const after = { onClose: close, onDone: say };
	const operates = person.kind === "operator";
	const [deciding, decide] = useState<readonly [FinancingInvoice, "APPROVED" | "REJECTED"]>();
	const decides = mayFinance(person);
	const columns: Column<FinancingInvoice>[] = [
		{
			head: "Invoice",
			cell: ({ id, merchant_id }) => (
				<>
					<code title={id}>{id.slice(-8)}</code>
					<small>
						of merchant{" "}
						<button
							type="button"
							class="plain"
							title={`Only those of ${merchant_id}`}
							onClick={() => setFilter({ merchant: merchant_id, status: undefined, due: undefined })}
						>
							<code>{merchant_id.length > 20 ? merchant_id.slice(-8) : merchant_id}</code>
						</button>
					</small>
				</>
			),
		},
		{
			head: "State",
			cell: ({ status }) => {
				const [of, word, note] = stateInWords("FinancingInvoice.status", status);
				return <State of={of} word={word} note={note} />;
			},
		},
		{ head: "Amount", right: true, cell: ({ amount_minor_units, currency }) => <Amount value={amount_minor_units} currency={currency} /> },
		{ head: "Issued", right: true, wide: true, cell: ({ issued_date }) => day(issued_date) },
		{ head: "Due", right: true, wide: true, cell: ({ due_date }) => day(due_date) },
		...(decides
			? [
					{
						head: "",
						right: true,
						cell: (invoice: FinancingInvoice) => {
							const name = invoice.id.slice(-8);
							const act = (what: OnInvoice) => show(<ActOnInvoice what={what} of={invoice} {...after} />);
							return (
								<span class="buttons end-of-row">
									{invoice.status === "PENDING" && (
										<>
											<button type="button" onClick={() => decide([invoice, "APPROVED"])} aria-label={`Approve ${name}`}>
												Approve
											</button>
											<button type="button" class="danger" onClick={() => decide([invoice, "REJECTED"])} aria-label={`Reject ${name}`}>
												Reject
											</button>
											<button type="button" class="wide" onClick={() => act("cancel")} aria-label={`Withdraw ${name}`}>
												Withdraw
											</button>
										</>
									)}
									{operates && invoice.status === "APPROVED" && (
										<button type="button" onClick={() => act("finance")} aria-label={`Pay ${name} to its merchant`}>
											Pay
										</button>
									)}
									{operates && OWED.has(invoice.status) && (
										<button type="button" onClick={() => act("repay")} aria-label={`Record a repayment of ${name}`}>
											Record a repayment
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
			<Head
				title="Invoices"
				about={`That merchants sell to ${person.acting?.name ?? "the organization"}; newest first`}
				actions={
					<>
						{mayManage(person) && person.acting && (
							<button type="button" onClick={() => show(<Grants organizationId={person.acting?.id ?? ""} {...after} />)}>
								Merchants' people
							</button>
						)}
						{decides && (
							<button type="button" class="primary" onClick={() => show(<Upload {...after} />)}>
								Upload an invoice
							</button>
						)}
					</>
				}
			/>
			{shown}
			<div class="filters">
				{merchant && (
					<button type="button" onClick={() => setFilter({ merchant: undefined })}>
						All merchants, not only {merchant}
					</button>
				)}
				<Field label="State">
					{(ids) => (
						<select
							{...ids}
							value={status ?? ""}
							onChange={({ currentTarget }) =>
								setFilter({
									merchant: undefined,
									status: currentTarget.value,
									...(OWED.has(currentTarget.value) ? {} : { due: undefined }),
								})
							}
						>
							<option value="">All</option>
							{STATES.map((value) => (
								<option key={value} value={value}>
									{stateInWords("FinancingInvoice.status", value)[1]}
								</option>
							))}
						</select>
					)}
				</Field>
				<Field label="Owed, and due before">
					{(ids) => (
						<input
							{...ids}
							type="date"
							value={dueBefore ?? ""}
							onChange={({ currentTarget }) =>
								setFilter({ merchant: undefined, due: currentTarget.value, ...(status && !OWED.has(status) && { status: undefined }) })
							}
						/>
					)}
				</Field>
			</div>
			<List
				of={read}
				filters={[...(status ? ["status"] : []), ...(dueBefore ? ["due"] : []), ...(merchant ? ["merchant"] : [])]}
				empty={["No invoices yet", "Upload one, or have the merchants' programs do it."]}
			>
				{(rows) => <Table label="Invoices" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
			{deciding && <Decide of={deciding[0]} decision={deciding[1]} onClose={() => decide(undefined)} />}
		</>
	);
}

interface DecideProps {
	readonly of: FinancingInvoice;
	readonly decision: "APPROVED" | "REJECTED";
	readonly onClose: () => void;
}

function Decide({ of: { id, amount_minor_units, currency, due_date }, decision, onClose }: DecideProps) {
	const [comment, setComment] = useState("");
	const approve = decision === "APPROVED";
	const amount = `${money(amount_minor_units, currency)} ${currency}`;
	return (
		<Confirm
			title={`${approve ? "Approve" : "Reject"} the invoice of ${amount}?`}
			verb={approve ? "Approve" : "Reject"}
			dangerous={!approve}
			onClose={onClose}
			onConfirm={() =>
				call("POST /v1/financing/invoices/{id}/decision", {
					path: { id },
					body: { decision, ...(comment.trim() && { comment: comment.trim() }) },
				})
			}
		>
			<p>
				Invoice <code>{id.slice(-8)}</code>, due {day(due_date)}.{" "}
				{approve
					? "It may be financed from then on: the merchant gets its amount less a fee, and the buyer owes it."
					: "It is not financed, and cannot be decided again."}
			</p>
			<Field label="Comment" hint="May be empty">
				{(ids) => <input {...ids} maxLength={1000} value={comment} onInput={({ currentTarget }) => setComment(currentTarget.value)} />}
			</Field>
		</Confirm>
	);
}
