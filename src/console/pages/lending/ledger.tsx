// The ledger: the trial balance of a closed day, and the lines of the journal behind each account.

import { day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { LedgerLine, TrialBalanceRow } from "../../typed.ts";
import { Field, Head, Link, Section } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch, type Watched } from "../../watch.ts";
import { Amount, List, pageOf, setFilter } from "../list.tsx";
import { JournalFiles } from "./ledger-files.tsx";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const dayIn = (query: URLSearchParams, name: string): string | undefined => {
	const value = query.get(name) ?? "";
	return DAY.test(value) ? value : undefined;
};

export function Page({ query, person }: PageProps) {
	const account = query.get("account") ?? undefined;
	const on = dayIn(query, "on");
	const balances = useWatch("GET /v1/ledger/trial-balance", { query: { size: 100, ...(on && { on }) } });
	const closed = balances.value?.data[0]?.on;
	return (
		<>
			<Head
				title="Ledger"
				about={`The double entry behind the loans, wallets, payouts and receipts of ${person.acting?.name ?? "the organization"}`}
				actions={
					<>
						<Link to="/ledger/provisions">Provisions</Link>
						<Link to="/ledger/treasury">Treasury</Link>
						<Link to="/ledger/tariffs">Tariffs</Link>
						<Link to="/ledger/closings">Closed months</Link>
						<Link to="/ledger/mapping">Own numbers</Link>
					</>
				}
			/>
			<Balances of={balances} query={query} />
			{/* Below, once what is above it has its height. */}
			{closed && !on && <JournalFiles key={closed} last={closed} />}
			{(balances.value || balances.error) && <Lines query={query} account={account} />}
		</>
	);
}

function DayField({ label, name, query }: { readonly label: string; readonly name: string; readonly query: URLSearchParams }) {
	return (
		<Field label={label}>
			{(field) => (
				<input
					{...field}
					type="date"
					value={dayIn(query, name) ?? ""}
					onChange={({ currentTarget }) => setFilter({ [name]: currentTarget.value || undefined })}
				/>
			)}
		</Field>
	);
}

type BalancesProps = {
	readonly of: Watched<{ data: TrialBalanceRow[]; links: { next: string | null; prev: string | null } }>;
	readonly query: URLSearchParams;
};

function Balances({ of: read, query }: BalancesProps) {
	const on = dayIn(query, "on");
	const shown = read.value?.data[0]?.on;
	return (
		<Section title="Trial balance" note={shown ? `At the end of ${day(shown)}. The balances of a closed day never change.` : undefined}>
			<div class="filters">
				<DayField label="Closed day" name="on" query={query} />
			</div>
			<List
				of={read}
				filters={on ? ["on"] : []}
				empty={["No day is closed yet", "A day is closed ten minutes after midnight, once the portfolios have closed it."]}
			>
				{(rows) =>
					[...new Set(rows.map(({ currency }) => currency))].map((currency) => {
						const own = rows.filter((row) => row.currency === currency);
						const sum = (side: "debit" | "credit") =>
							money(
								own.reduce((total, row) => total + row[side], 0),
								currency,
							);
						return (
							<Table
								key={currency}
								label={`Trial balance in ${currency}`}
								rows={own}
								columns={balancesIn(currency)}
								keyOf={(row) => row.account}
								to={(row) => `/ledger?account=${row.account}`}
								foot={[`Sum in ${currency}`, "", sum("debit"), sum("credit")]}
							/>
						);
					})
				}
			</List>
		</Section>
	);
}

const side = (amount: number, currency: string) => (amount === 0 ? "" : <Amount value={amount} currency={currency} />);

const balancesIn = (currency: string): readonly Column<TrialBalanceRow>[] => [
	{ head: "Account", cell: (row) => `${row.account} ${row.name}` },
	{ head: "Class", cell: (row) => row.class.toLowerCase(), wide: true },
	{ head: `Debit, ${currency}`, cell: ({ debit }) => debit !== 0 && money(debit, currency), right: true },
	{ head: `Credit, ${currency}`, cell: ({ credit }) => credit !== 0 && money(credit, currency), right: true },
];

function Lines({ query, account }: { readonly query: URLSearchParams; readonly account: string | undefined }) {
	const [from, to] = [dayIn(query, "from"), dayIn(query, "to")];
	const chart = useWatch("GET /v1/ledger/accounts", { query: { size: 100 } });
	const chosen = { ...(account && { account }), ...(from && { from }), ...(to && { to }) };
	const read = useWatch("GET /v1/ledger/entries", { query: { size: 50, ...chosen, ...pageOf(query) } });
	return (
		<Section title="Journal" note="Each entry's debits are its credits.">
			<div class="filters">
				<Field label="Account">
					{(field) => (
						<select
							{...field}
							value={account ?? ""}
							onChange={({ currentTarget }) => setFilter({ account: currentTarget.value || undefined })}
						>
							<option value="">All accounts</option>
							{chart.value?.data.map(({ number, name }) => (
								<option key={number} value={number}>
									{number} {name}
								</option>
							))}
						</select>
					)}
				</Field>
				<DayField label="From" name="from" query={query} />
				<DayField label="To" name="to" query={query} />
			</div>
			<List
				of={read}
				filters={Object.keys(chosen)}
				empty={["Nothing is posted yet", "The first loan, payment or wallet makes the first entry."]}
			>
				{(rows) => <Table label="Lines of the journal" rows={rows} columns={LINES} keyOf={({ entry_id, line }) => `${entry_id} ${line}`} />}
			</List>
		</Section>
	);
}

const SOURCES: Readonly<Record<string, string>> = {
	LOAN: "Loan",
	DAY: "Interest and penalties of the day",
	RECEIPT: "Payment",
	PAYOUT: "Payout",
	WALLET: "Wallet",
	INVOICE: "Invoice",
	TREASURY: "Treasury record",
	CHARGE: "Charges of a provider",
	OPENING: "Opening balance",
	PROVISION: "Provisions at the end of a month",
};

const LINES: readonly Column<LedgerLine>[] = [
	{
		head: "Account",
		cell: (row) => (
			<>
				{row.account} {row.account_name}
				<small class="narrow">{day(row.day)}</small>
			</>
		),
	},
	{ head: "Day", cell: (row) => day(row.day), wide: true },
	{
		head: "From",
		cell: (row) => (row.corrects_id ? `${SOURCES[row.source] ?? row.source}, corrected` : (SOURCES[row.source] ?? row.source)),
		wide: true,
	},
	{ head: "Debit", cell: (row) => side(row.debit, row.currency), right: true },
	{ head: "Credit", cell: (row) => side(row.credit, row.currency), right: true },
];
