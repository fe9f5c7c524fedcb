// The portfolio at the end of the last closed day, and the accounts behind what is overdue.

import { count, day, money, percent, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import type { Portfolio, PortfolioAccount, PortfolioPeriod } from "../../typed.ts";
import { late } from "../../ui/late.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Choice, Figures, FiguresSkeleton, Head, Section } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { List, pageOf, setFilter } from "../list.tsx";
import { Named, usePeople } from "../people.tsx";

const Ledger = late(async () => (await import("../account/ledger.tsx")).Ledger);

const OVER = ["0", "30", "60", "90"] as const;
type Over = (typeof OVER)[number];

export function Page({ query, person }: PageProps) {
	const read = useWatch("GET /v1/portfolio", { query: { size: 100 } });
	const products = useWatch("GET /v1/platform/loan-products", { query: { size: 100 } });
	const names = new Map(products.value?.data.map(({ id, name }) => [id, name]));
	const over = OVER.find((value) => value === query.get("over"));
	const skeleton = (
		<Section title="Figures">
			<FiguresSkeleton />
		</Section>
	);
	return (
		<>
			<Head title="Portfolio" about={`Loans of ${person.acting?.name ?? "the organization"}, as known at the end of the last closed day`} />
			<Loaded of={read} skeleton={skeleton}>
				{({ data }) =>
					data.length === 0 ? (
						<Empty title="No day is closed yet" children="A day is closed ten minutes after midnight. Its figures never change." />
					) : (
						data.map((one) => (
							<Book key={one.loan_product_id + one.currency} of={one} name={names.get(one.loan_product_id) ?? "A product"} />
						))
					)
				}
			</Loaded>
			{(read.error || (read.value && read.value.data.length > 0)) && (
				<Section title="Accounts behind the figures" note="Those on which something is owed.">
					<div class="filters">
						<Choice<Over | "all">
							label="Overdue for"
							value={over ?? "all"}
							of={[["all", "All"], ...OVER.map((days) => [days, days === "0" ? "Overdue" : `Over ${days} days`] as const)]}
							onChange={(next) => setFilter({ over: next === "all" ? undefined : next })}
						/>
					</div>
					<Behind over={over} query={query} person={person} />
				</Section>
			)}
			{read.value && read.value.data.length > 0 && <Ledger />}
		</>
	);
}

function Book({ of, name }: { readonly of: Portfolio; readonly name: string }) {
	const { balances, past_due, currency, as_of, from, period } = of;
	const amount = (minor: number) => money(minor, currency);
	const late = past_due.find(({ over_days }) => over_days === 30);
	const share = late && balances.principal > 0 ? late.principal / balances.principal : 0;
	const charges = balances.interest + balances.arrears + balances.penalty;
	return (
		<Section title={name} note={`${currency}, ${day(as_of)}`}>
			<Figures
				of={[
					{ name: "Principal lent", value: amount(balances.principal), note: `on ${plural(balances.accounts, "account")}` },
					{
						name: "Interest and penalties",
						value: amount(charges),
						note: balances.overpaid > 0 ? `${amount(balances.overpaid)} overpaid` : "charged and not paid",
					},
					{
						name: "Over 30 days late",
						value: late && late.accounts > 0 ? percent(share) : "None",
						bad: share > 0.05,
						note: late && late.accounts > 0 && (
							<button type="button" class="plain" onClick={() => setQuery({ over: "30", after: undefined, before: undefined })}>
								{amount(late.principal)} on {plural(late.accounts, "account")}
							</button>
						),
					},
					{ name: "Repaid", value: amount(sumOf(period.repaid)), note: `since ${day(from)}` },
				]}
			/>
			<details class="beneath">
				<summary>
					What moved it, {day(from)} to {day(as_of)}
				</summary>
				<Table label={`Movements of ${name}`} rows={linesOf(period)} columns={MOVED(currency)} keyOf={([what]) => what} />
			</details>
		</Section>
	);
}

const sumOf = ({ principal, interest, penalty, refund_uncovered }: PortfolioPeriod["repaid"]): number =>
	principal + interest + penalty + refund_uncovered;

type Moved = readonly [what: string, amount: number];
const linesOf = (period: PortfolioPeriod): readonly Moved[] =>
	(
		[
			["Paid out", period.disbursed],
			["Carried into a next cycle", period.rolled_over],
			["Fees", period.fees],
			["Of the fees, not earned yet", -period.fees_unearned],
			["Of the fees, given up unearned", -period.fees_given_up],
			["Interest earned", period.interest_earned],
			["Penalties charged", period.penalties_charged],
			["Repaid", -sumOf(period.repaid)],
			["Waived", -sumOf(period.waived)],
			["Written off", -sumOf(period.written_off)],
			["Recovered of what was written off", period.recovered],
			["Overpaid", period.overpaid],
			["Taken from what was overpaid", -period.overpayment_used],
			["Refunded", -period.refunded],
			["Refunded and to be covered", period.refunded_uncovered],
		] as const
	).filter(([, amount]) => amount !== 0);

const MOVED = (currency: string): readonly Column<Moved>[] => [
	{ head: "What", cell: ([what]) => what },
	{ head: currency, right: true, cell: ([, amount]) => money(amount, currency) },
];

const BEHIND: readonly Column<PortfolioAccount>[] = [
	{
		head: "Account",
		cell: ({ account_number, oldest_due_date }) => (
			<>
				<code>{account_number}</code>
				<small>{oldest_due_date ? `late since ${day(oldest_due_date)}` : "in time"}</small>
			</>
		),
	},
	{
		head: "Days late",
		right: true,
		cell: ({ days_past_due }) => (days_past_due > 0 ? <span class="bad">{count(days_past_due)}</span> : "–"),
	},
	{ head: "Overdue", right: true, wide: true, cell: ({ overdue, currency }) => (overdue === 0 ? "–" : money(overdue, currency)) },
	{
		head: "Principal",
		right: true,
		cell: ({ principal, currency }) => (
			<>
				{money(principal, currency)}
				<small>{currency}</small>
			</>
		),
	},
	{
		head: "Interest, penalty",
		right: true,
		wide: true,
		cell: ({ interest, arrears, penalty, currency }) => money(interest + arrears + penalty, currency),
	},
];

interface BehindProps extends Pick<PageProps, "query" | "person"> {
	readonly over: Over | undefined;
}

function Behind({ over, query, person }: BehindProps) {
	const read = useWatch("GET /v1/portfolio/accounts", { query: { size: 25, ...(over && { past_due_over: over }), ...pageOf(query) } });
	const people = usePeople(
		read.value?.data.map(({ user_id }) => user_id),
		person,
	);
	const columns = [
		{
			head: "Borrower",
			cell: ({ user_id, account_number }: PortfolioAccount) => <Named of={people?.get(user_id)} narrow={<code>{account_number}</code>} />,
		},
		...BEHIND.map((column) => (column.head === "Account" ? { ...column, wide: true } : column)),
	];
	return (
		<List
			of={people ? read : { ...read, value: undefined }}
			filters={over ? ["over"] : []}
			empty={["Nothing is owed", "Accounts with a loan will be here from the day after on."]}
		>
			{(rows) => (
				<Table
					label="Accounts behind the figures"
					rows={rows}
					columns={columns}
					keyOf={({ account_id }) => account_id}
					to={({ account_id }) => `/accounts/${account_id}`}
				/>
			)}
		</List>
	);
}
