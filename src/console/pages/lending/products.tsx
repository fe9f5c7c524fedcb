// Loan products with their terms, and what a loan of each would cost.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { LoanProduct, Quote } from "../../typed.ts";
import { Confirm, useDoing } from "../../ui/dialog.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Facts, Field, Head, Link } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Badge } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { minorOf, typed } from "../amounts.ts";
import { mayLend } from "../may.ts";
import { lengthOf, ratesText, termsOf } from "./terms.ts";
import { TermsText } from "./terms-text.tsx";

export function Page({ person }: PageProps) {
	const offered = person.kind === "borrower";
	const own = useWatch("GET /v1/platform/loan-products", offered ? undefined : { query: { size: 100 } });
	const mine = useWatch("GET /v1/loan/products", offered ? { query: { size: 100 } } : undefined);
	const mayChange = mayLend(person);
	const [product, change] = useState<readonly [LoanProduct, "ACTIVE" | "SUSPENDED" | "RETIRED"]>();
	return (
		<>
			<Head
				title="Products"
				about={
					offered
						? "The loans that you may ask for"
						: "Loan products and their terms. Terms never change: for other terms, create another product."
				}
				actions={
					mayChange &&
					person.acting && (
						<Link to="/products/new" class="button">
							New product
						</Link>
					)
				}
			/>
			<Loaded of={offered ? mine : own} skeleton={6}>
				{({ data }) =>
					data.length === 0 ? (
						<Empty
							title="No products yet"
							children={
								offered ? "Nothing is offered to you at present." : "Make the first: its costs are computed while you enter the terms."
							}
						/>
					) : (
						data.map((one) => <Product key={one.id} of={one} {...(mayChange && { onChange: (status) => change([one, status]) })} />)
					)
				}
			</Loaded>
			{product && <Change of={product[0]} to={product[1]} onClose={() => change(undefined)} />}
		</>
	);
}

interface ProductProps {
	readonly of: LoanProduct;
	readonly onChange?: (status: LoanProduct["status"]) => void;
}

function Product({ of: product, onChange }: ProductProps) {
	const [of, word] = stateInWords("LoanProduct.status", product.status);
	return (
		<details class="product" open>
			<summary>
				<h2>{product.name}</h2>
				<Badge of={of} word={word} />
				<span>
					{ratesText(product)}, {lengthOf(product.tenure)}
				</span>
			</summary>
			<div class="columns">
				<div>
					<Facts of={termsOf(product)} />
					<TermsText of={product} mayPublish={onChange !== undefined} />
					{onChange && (
						<div class="buttons beneath">
							{product.status !== "ACTIVE" && (
								<button type="button" onClick={() => onChange("ACTIVE")}>
									Offer again
								</button>
							)}
							{product.status === "ACTIVE" && (
								<button type="button" onClick={() => onChange("SUSPENDED")}>
									Suspend
								</button>
							)}
							{product.status !== "RETIRED" && (
								<button type="button" class="danger" onClick={() => onChange("RETIRED")}>
									Retire
								</button>
							)}
						</div>
					)}
				</div>
				{product.status === "ACTIVE" && <Calculator of={product} />}
			</div>
		</details>
	);
}

export const QUOTED = (currency: string): readonly Column<Quote["installments"][number]>[] => [
	{ head: "Due", cell: ({ due_date }) => day(due_date) },
	{ head: "Principal", right: true, cell: ({ principal }) => money(principal, currency) },
	{ head: "Interest", right: true, cell: ({ interest }) => money(interest, currency) },
	{ head: `To pay, ${currency}`, right: true, cell: ({ total }) => money(total, currency) },
];

function Calculator({ of: { id, min_loan_amount, currency, name } }: { readonly of: LoanProduct }) {
	const [text, set] = useState(typed(min_loan_amount, currency));
	const [quote, setQuote] = useState<Quote>();
	const [busy, run, error] = useDoing();
	const amount = minorOf(text, currency);
	return (
		<div>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (amount === undefined) return;
					void run(async () =>
						setQuote(await call("POST /v1/accounts/loan/quotes", { body: { loan_product_id: id, loan_amount: amount } })),
					);
				}}
			>
				{/* No landmark: several products may have one name. */}
				<fieldset aria-label={`Cost of a loan of ${name}`}>
					<Field
						label={`Loan, ${currency}`}
						error={text && amount === undefined ? `An amount such as ${typed(min_loan_amount, currency)}` : undefined}
					>
						{(ids) => (
							<div class="joined">
								<input {...ids} inputMode="decimal" value={text} onInput={({ currentTarget }) => set(currentTarget.value)} />
								<button type="submit" disabled={busy || amount === undefined}>
									What it costs
								</button>
							</div>
						)}
					</Field>
				</fieldset>
			</form>
			{error && <Problem error={error} />}
			{quote && (
				<Table
					label={`Installments of ${money(quote.loan_amount, quote.currency)} ${quote.currency}`}
					rows={quote.installments}
					columns={QUOTED(quote.currency)}
					keyOf={({ position }) => String(position)}
					foot={[
						"Together",
						<span class="total" key="principal">
							{money(quote.loan_amount, quote.currency)}
						</span>,
						<span class="total" key="interest">
							{money(quote.total_interest, quote.currency)}
						</span>,
						<span class="total" key="total">
							{money(quote.total_due, quote.currency)}
						</span>,
					]}
				/>
			)}
		</div>
	);
}

const CHANGES = {
	ACTIVE: ["Offer", "again?", "Borrowers get offers of it again.", "Offer again"],
	SUSPENDED: ["Suspend", "?", "No offers are made, open ones end, and nothing can be drawn until it is offered again.", "Suspend"],
	RETIRED: ["Retire", "?", "There will be no more offers, and open offers end. Running loans continue, draws included.", "Retire"],
} as const;

function Change({
	of: { id, name },
	to,
	onClose,
}: {
	readonly of: LoanProduct;
	readonly to: LoanProduct["status"];
	readonly onClose: () => void;
}) {
	const [verb, end, effect, button] = CHANGES[to];
	return (
		<Confirm
			title={`${verb} ${name}${end === "?" ? "" : " "}${end}`}
			verb={button}
			dangerous={to !== "ACTIVE"}
			onClose={onClose}
			onConfirm={() => call("PATCH /v1/platform/loan-products/{id}", { path: { id }, body: { status: to } })}
		>
			<p>{effect}</p>
		</Confirm>
	);
}
