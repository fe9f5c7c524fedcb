// A new loan product: its terms, and next to them the cost of a loan, as the service itself quotes it.

import { ask, call } from "../../api.ts";
import { day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { go } from "../../router.ts";
import { useTrial } from "../../trial.ts";
import type { LoanProductInput } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { Facts, Head, Link, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import { type Entries, FormFields, useForm, type Values } from "../form.tsx";
import { QUOTED } from "../lending/products.tsx";
import { rateText } from "../lending/rate.ts";

const UNITS = [
	["DAYS", "Days"],
	["WEEKS", "Weeks"],
	["MONTHS", "Months"],
] as const;
const PERIODS = [...UNITS, ["YEARS", "Years"]] as const;
const currency = ({ currency: code = "" }: Readonly<Record<string, string>>): string => code.toUpperCase();

const TERMS = {
	name: { label: "Name", hint: "As borrowers read it", optional: true },
	currency: { label: "Currency", from: "KES" },
	min_loan_amount: { label: "Least", is: "amount", currency, from: "1000" },
	max_loan_amount: { label: "Most", is: "amount", currency, from: "50000" },
	amount_step: { label: "In steps of", is: "amount", currency, from: "100" },
	base_limit: { label: "First limit", is: "amount", currency, least: 0, from: "10000", hint: "The most that a new borrower may owe" },
	growth_basis_points: { label: "Limit grows by", is: "percent", from: "0", hint: "For each loan repaid without an overdue day" },
	tenure: { label: "Length", is: "whole", most: 36_500, from: "30" },
	tenure_unit: { label: "Length in", of: UNITS },
	installment_every: { label: "An installment every", is: "whole", most: 36_500, from: "30" },
	installment_unit: { label: "Installments in", of: UNITS },
} as const satisfies Entries;

const COSTS = {
	loan_product_type: {
		label: "Interest on",
		of: [
			["REDUCING_BALANCE", "The rest of the loan"],
			["FLAT", "The amount lent, to its end"],
		],
	},
	interest: { label: "Interest", is: "percent", from: "5" },
	interest_every: { label: "For every", is: "whole", most: 36_500, from: "30" },
	interest_unit: { label: "Interest in", of: PERIODS },
	day_count: {
		label: "Days counted as",
		of: [
			["THIRTY_360", "Months of 30 days"],
			["ACTUAL_365", "Years of 365 days"],
		],
	},
	fee_basis_points: { label: "Fee on what is drawn", is: "percent", from: "0" },
	fee_is_income: {
		label: "The fee is income",
		of: [
			["AT_ONCE", "At once"],
			["OVER_LIFE", "Day by day, over the loan's life"],
		],
		only: ({ fee_basis_points }) => Number(fee_basis_points) > 0,
	},
	penalty: { label: "Penalty", is: "percent", from: "1" },
	penalty_on: {
		label: "Penalty on",
		of: [
			["PRINCIPAL_AND_ARREARS", "Overdue principal, interest"],
			["PRINCIPAL", "Overdue principal"],
			["ARREARS", "Overdue interest"],
			["TOTAL_OUTSTANDING", "All that is owed"],
		],
	},
	penalty_type: {
		label: "Charged",
		of: [
			["RECURRING", "Again and again"],
			["ONE_TIME", "Once"],
		],
	},
	penalty_days: { label: "Every … days", is: "whole", most: 36_500, from: "1", only: ({ penalty_type }) => penalty_type === "RECURRING" },
	penalty_from: {
		label: "From",
		of: [
			["AFTER_INSTALLMENT_DUE", "An installment's due date"],
			["AFTER_LOAN_END", "The loan's end"],
		],
	},
	grace: { label: "Days of grace", is: "whole", least: 0, most: 36_500, from: "0" },
	order: {
		label: "Payments go to",
		of: [
			["HORIZONTAL", "Installment after installment"],
			["VERTICAL", "Penalties, then interest, then principal"],
		],
	},
	future: {
		label: "Payments ahead go to",
		of: [
			["NEXT_INSTALLMENT", "The next installment"],
			["LAST_INSTALLMENT", "The last installment"],
			["REAMORTIZATION", "All installments in equal parts"],
		],
	},
	in_duplum: { label: "Interest and penalties of a default stay within the principal", is: "yes", from: "yes" },
	auto_renews: { label: "The rest at the end rolls into a next cycle", is: "yes" },
} as const satisfies Entries;

/** Of the longest of such a unit. */
const DAYS = { DAYS: 1, WEEKS: 7, MONTHS: 31 } as const;

function productOf(organization_id: string, terms: Values<typeof TERMS>, costs: Values<typeof COSTS>): LoanProductInput {
	const { name = "", tenure, tenure_unit, installment_every, installment_unit, currency: code, ...amounts } = terms;
	return {
		organization_id,
		...amounts,
		name,
		currency: code.toUpperCase(),
		tenure: { duration: tenure, unit: tenure_unit },
		installment_every: { duration: installment_every, unit: installment_unit },
		loan_product_type: costs.loan_product_type,
		day_count: costs.day_count,
		rate_schedule: [
			{
				min_days: 1,
				max_days: tenure * DAYS[tenure_unit],
				interest_rate: { basis_points: costs.interest, period_value: costs.interest_every, period_unit: costs.interest_unit },
			},
		],
		fee_basis_points: costs.fee_basis_points,
		...(costs.fee_is_income && { access_fee_recognition: costs.fee_is_income }),
		penalty_terms: {
			rate_basis_points: costs.penalty,
			calculation_basis: costs.penalty_on,
			type: costs.penalty_type,
			period_days: costs.penalty_days ?? 1,
			trigger: costs.penalty_from,
			grace_period_days: costs.grace,
		},
		allocation: { order: costs.order, future: costs.future },
		in_duplum: { since_default: costs.in_duplum },
		auto_renews: costs.auto_renews,
	};
}

export function Page({ person }: PageProps) {
	const terms = useForm(TERMS);
	const costs = useForm(COSTS);
	const [busy, run, error] = useDoing();
	const organization = person.acting;
	if (!organization) return <Empty title="No organization yet" children="A product belongs to one: make it first, under Organizations." />;
	const product = terms.values && costs.values && productOf(organization.id, terms.values, costs.values);
	const make = async () => {
		if (!product) return;
		await call("POST /v1/platform/loan-products", { body: product });
		go("/products");
	};
	return (
		<>
			<Head
				title="New product"
				from={["/products", "Products"]}
				about="It is offered as soon as it is made. Its terms never change: a loan keeps those that it began with."
			/>
			<div class="columns">
				<form
					onSubmit={(event) => {
						event.preventDefault();
						void run(make);
					}}
				>
					<Section title="The loan">
						<FormFields {...terms} />
					</Section>
					<Section title="Its cost">
						<FormFields {...costs} />
					</Section>
					{error && <Problem error={error} />}
					<div class="buttons end">
						<Link to="/products" class="button">
							Cancel
						</Link>
						<button type="submit" class="primary" disabled={busy || !product?.name}>
							Make the product
						</button>
					</div>
				</form>
				<Section title="The cost of a loan" note="As the service computes it, from today.">
					{product ? <Quoted of={product} /> : <p class="foot-note">Fill in the terms: the installments appear here.</p>}
				</Section>
			</div>
		</>
	);
}

function Quoted({ of }: { readonly of: LoanProductInput }) {
	const example = useForm({ amount: { label: "A loan of", is: "amount", currency: of.currency, optional: true, hint: "Empty: the most" } });
	const asked = JSON.stringify({ terms: { ...of, name: of.name || "New" }, loan_amount: example.values?.amount ?? of.max_loan_amount });
	const { answer: quote, error } = useTrial(asked, (signal) => ask("POST /v1/accounts/loan/quotes", { body: JSON.parse(asked), signal }));
	return (
		<>
			<FormFields {...example} />
			{error && <Problem error={error} />}
			{quote && !error && (
				<>
					<Facts
						of={[
							["Cost", `${money(quote.total_cost, quote.currency)} ${quote.currency}`],
							["Of it the fee", money(quote.fee, quote.currency)],
							...(quote.apr_basis_points === null
								? []
								: ([["A year, all charges included", rateText(BigInt(quote.apr_basis_points), 10_000n)]] as const)),
							["Ends", day(quote.installments.at(-1)?.due_date ?? "")],
						]}
					/>
					<Table
						label="Installments of the example"
						rows={quote.installments.slice(0, 60)}
						columns={QUOTED(quote.currency)}
						keyOf={({ position }) => String(position)}
						foot={[
							"Together",
							money(quote.loan_amount, quote.currency),
							money(quote.total_interest, quote.currency),
							money(quote.total_due, quote.currency),
						]}
					/>
					{quote.installments.length > 60 && <p class="foot-note">The first 60 of {quote.installments.length} installments.</p>}
				</>
			)}
		</>
	);
}
