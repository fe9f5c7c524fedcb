// Provisions: loans by stage with the loss that is expected, their moves between stages, and the rules behind them.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { count, day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { ProvisioningRules, ProvisionRow } from "../../typed.ts";
import { Field, Head, Section, WaitsForApproval } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { List, pageOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { rateText } from "./rate.ts";

const MONTH = /^\d{4}-\d{2}$/;
const rate = (basisPoints: number) => rateText(BigInt(basisPoints), 10_000n);

export function Page({ query, person }: PageProps) {
	const typed = query.get("month") ?? "";
	const month = MONTH.test(typed) ? typed : undefined;
	const read = useWatch("GET /v1/ledger/provisions", { query: { size: 500, ...(month && { month }), ...pageOf(query) } });
	const products = useWatch("GET /v1/platform/loan-products", { query: { size: 100 } });
	const names = new Map(products.value?.data.map(({ id, name }) => [id, name]));
	const nameOf = (id: string) => names.get(id) ?? "A product";
	const [asked, setAsked] = useState(false);
	const { shown, show, close } = useDialogs();
	const ask = () => show(<NewRules products={[...names]} onClose={close} onSent={() => setAsked(true)} />);
	return (
		<>
			<Head
				title="Provisions"
				from={["/ledger", "Ledger"]}
				about="The loss that is expected of loans by their stage. By rules that two people have approved it is posted at the end of each month."
				actions={
					mayLend(person) && (
						<button type="button" class="primary" onClick={ask}>
							New rules
						</button>
					)
				}
			/>
			{asked && <WaitsForApproval />}
			{shown}
			<div class="filters">
				<Field label="End of month" hint="By default, the last closed day">
					{(field) => (
						<input
							{...field}
							type="month"
							value={month ?? ""}
							onChange={({ currentTarget: { value } }) => setFilter({ month: MONTH.test(value) ? value : undefined })}
						/>
					)}
				</Field>
			</div>
			<List
				of={read}
				filters={month ? ["month"] : []}
				empty={["No stages yet", "The loans are put into stages when a day is closed, ten minutes after midnight."]}
			>
				{(rows) =>
					[...Map.groupBy(rows, ({ loan_product_id }) => loan_product_id)].map(([id, own]) => (
						<Product key={id} rows={own} name={nameOf(id)} />
					))
				}
			</List>
			{(read.value || read.error) && <Rules nameOf={nameOf} />}
		</>
	);
}

function Product({ rows, name }: { readonly rows: readonly ProvisionRow[]; readonly name: string }) {
	const [{ on, currency, rules_id } = { on: "", currency: "", rules_id: null }] = rows;
	const of = (part: ProvisionRow["part"]) => rows.filter((row) => row.part === part);
	const amount = (minor: number | null) => money(minor ?? 0, currency);
	const sum = (field: "accounts" | "exposure" | "suspended_interest" | "expected_loss") =>
		of("STAGE").reduce((total, row) => total + (row[field] ?? 0), 0);
	const stages: readonly Column<ProvisionRow>[] = [
		{
			head: "Stage",
			cell: (row) => (
				<>
					{row.stage}
					<small class="narrow">{rate(row.rate_basis_points ?? 0)}</small>
				</>
			),
		},
		{ head: "Days past due", cell: daysOf, wide: true },
		{ head: "Loans", cell: (row) => count(row.accounts), right: true },
		{ head: "Owed", cell: (row) => amount(row.exposure), right: true },
		{ head: "Interest suspended", cell: (row) => amount(row.suspended_interest), right: true, wide: true },
		{ head: "Rate", cell: (row) => rate(row.rate_basis_points ?? 0), right: true, wide: true },
		{ head: "Expected loss", cell: (row) => amount(row.expected_loss), right: true },
	];
	const buckets: readonly Column<ProvisionRow>[] = [
		{ head: "Days past due", cell: daysOf },
		{ head: "Loans", cell: (row) => count(row.accounts), right: true },
		{ head: "Owed", cell: (row) => amount(row.exposure), right: true },
	];
	const rules = rules_id ? "by the organization's rules" : "by the default rules, which post nothing";
	return (
		<>
			<Section title={name} note={`${currency} at the end of ${day(on)}, ${rules}`}>
				<Table
					label={`Stages of ${name}`}
					rows={of("STAGE")}
					columns={stages}
					keyOf={(row) => `${row.stage}`}
					foot={[
						"Sum",
						"",
						count(sum("accounts")),
						amount(sum("exposure")),
						amount(sum("suspended_interest")),
						"",
						amount(sum("expected_loss")),
					]}
				/>
			</Section>
			<Section title={`Moves of ${name}`} note="Loans, by their stage at the end of the month before and now">
				<Moves rows={of("MOVE")} stages={of("STAGE").length} label={`Moves of ${name}`} />
			</Section>
			<Section title={`Ageing of ${name}`} note={currency}>
				<Table label={`Ageing of ${name}`} rows={of("BUCKET")} columns={buckets} keyOf={daysOf} />
			</Section>
		</>
	);
}

function daysOf({ over_days: over, up_to_days: most }: ProvisionRow): string {
	if (most === null) return over === null ? "Any" : `Over ${over}`;
	return most === 0 ? "None" : `${over === null ? 0 : over + 1}–${most}`;
}

/** From the stages of the rows to those of the columns, in loans. */
function Moves({ rows, stages, label }: { readonly rows: readonly ProvisionRow[]; readonly stages: number; readonly label: string }) {
	const numbers = Array.from({ length: stages }, (_, index) => index + 1);
	const loans = (from: number | null, to: number | null) => rows.find((row) => row.from_stage === from && row.stage === to)?.accounts ?? 0;
	const to = (stage: number | null, head: string): Column<number | null> => ({
		head,
		cell: (from) => count(loans(from, stage)),
		right: true,
	});
	return (
		<Table<number | null>
			label={label}
			rows={[null, ...numbers]}
			columns={[
				{ head: "From", cell: (from) => (from === null ? "New" : `Stage ${from}`) },
				...numbers.map((stage) => to(stage, `To ${stage}`)),
				to(null, "Ended"),
			]}
			keyOf={(from) => `${from}`}
		/>
	);
}

function Rules({ nameOf }: { readonly nameOf: (id: string) => string }) {
	const read = useWatch("GET /v1/ledger/provisioning-rules", { query: { size: 20 } });
	const columns: readonly Column<ProvisioningRules>[] = [
		{ head: "From", cell: (row) => day(row.effective_from) },
		{ head: "Product", cell: (row) => (row.loan_product_id ? nameOf(row.loan_product_id) : "All others") },
		{
			head: "Stages",
			cell: (row) =>
				row.stages
					.map((one) => `${one.up_to_days === null ? "beyond" : `to ${one.up_to_days}`}: ${rate(one.rate_basis_points)}`)
					.join(", "),
			wide: true,
		},
		{ head: "Cured after", cell: (row) => `${row.cure_days} days`, right: true },
	];
	return (
		<Section title="Rules" note="Each version counts from its day on, and never changes.">
			<List of={read} paged={false} empty={["No rules of your own", "The default rules show what would be expected, and post nothing."]}>
				{(rows) => <Table label="Rules of provisions" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
		</Section>
	);
}

interface NewRulesProps {
	readonly products: readonly (readonly [id: string, name: string])[];
	readonly onClose: () => void;
	readonly onSent: () => void;
}

const DAYS = { is: "whole", least: 0, most: 10_000 } as const;
const COUNTS_AS = "Of what is owed";

function NewRules({ products, onClose, onSent }: NewRulesProps) {
	return (
		<FormDialog
			title="New rules of provisions"
			verb="Ask for approval"
			entries={{
				effective_from: { label: "They count from", is: "day", hint: "Later than the day of the approval" },
				loan_product_id: { label: "Product", of: products, optional: true, hint: "Empty for all without rules of their own" },
				days1: { ...DAYS, label: "Stage 1 up to days past due", from: "30" },
				rate1: { label: "Stage 1 loss", is: "percent", from: "1", hint: COUNTS_AS },
				days2: { ...DAYS, label: "Stage 2 up to days past due", from: "90" },
				rate2: { label: "Stage 2 loss", is: "percent", from: "10", hint: COUNTS_AS },
				rate3: { label: "Stage 3 loss", is: "percent", from: "50", hint: COUNTS_AS },
				suspends: { label: "Unpaid interest of stage 3 is no income", is: "yes", from: "yes" },
				cure_days: { ...DAYS, label: "Days with nothing overdue before a loan goes back a stage", from: "90" },
				reason: { label: "Reason", hint: "Kept in the audit trail; may be empty", optional: true },
			}}
			onClose={onClose}
			onSend={async ({ days1, rate1, days2, rate2, rate3, suspends, ...rest }) => {
				const stages = [
					{ up_to_days: days1, rate_basis_points: rate1 },
					{ up_to_days: days2, rate_basis_points: rate2 },
					{ up_to_days: null, rate_basis_points: rate3, suspends_interest: suspends },
				];
				await call("POST /v1/ledger/provisioning-rules", { body: { ...rest, stages } });
				onSent();
			}}
		/>
	);
}
