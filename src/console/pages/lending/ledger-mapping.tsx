// The numbers of the lender's own ledger: what each account of the chart is there, the versions, and the request for another one.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { now } from "../../clock.ts";
import { day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { LedgerAccount, LedgerMapping } from "../../typed.ts";
import { Head, Section, WaitsForApproval } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { List, pageOf } from "../list.tsx";
import { mayLend } from "../may.ts";

type Mapped = LedgerMapping["accounts"][number];

/** A line for each account, as the form has them: `1210 610 Loans to customers`. */
export const linesOf = (accounts: readonly Mapped[]): string =>
	accounts.map(({ account, number, name }) => [account, number, name ?? ""].join(" ").trim()).join("\n");

/** What the lines say; the service says what is wrong with them. */
export const accountsIn = (text: string): Mapped[] =>
	text.split("\n").flatMap((line) => {
		const [account = "", number = "", ...name] = line.trim().split(/\s+/);
		return account ? [{ account, number, name: name.join(" ") || null }] : [];
	});

export function Page({ query, person }: PageProps) {
	const read = useWatch("GET /v1/ledger/mappings", { query: { size: 20, ...pageOf(query) } });
	const chart = useWatch("GET /v1/ledger/accounts", { query: { size: 100 } }).value?.data;
	const products = useWatch("GET /v1/platform/loan-products", { query: { size: 100 } }).value?.data;
	const names = (products ?? []).map(({ id, name }) => [id, name] as const);
	const nameOf = (id: string | null) => (id === null ? "All products" : (new Map(names).get(id) ?? "A product"));
	const [asked, setAsked] = useState(false);
	const { shown, show, close } = useDialogs();
	const newestOf = (id: string | null) => read.value?.data.find((version) => version.loan_product_id === id);
	const ask = (accounts: readonly LedgerAccount[], ofProduct: boolean) =>
		show(<NewNumbers {...{ accounts, names, newestOf, ofProduct }} onClose={close} onSent={() => setAsked(true)} />);
	return (
		<>
			<Head
				title="Own ledger's numbers"
				from={["/ledger", "Ledger"]}
				about="The number of each account of the chart in the organization's own ledger. The files for its import have these numbers."
				actions={
					mayLend(person) &&
					chart && (
						<>
							{names.length > 0 && (
								<button type="button" onClick={() => ask(chart, true)}>
									Numbers of a product
								</button>
							)}
							<button type="button" class="primary" onClick={() => ask(chart, false)}>
								New numbers
							</button>
						</>
					)
				}
			/>
			{asked && <WaitsForApproval />}
			{shown}
			<List of={read} empty={["No numbers of your own", "Until there are some, the files have the numbers of the chart of accounts."]}>
				{(rows) => rows.map((version) => <Version key={version.id} of={version} name={nameOf(version.loan_product_id)} chart={chart} />)}
			</List>
		</>
	);
}

interface VersionProps {
	readonly of: LedgerMapping;
	readonly name: string;
	readonly chart: readonly LedgerAccount[] | undefined;
}

function Version({ of: { effective_from, accounts }, name, chart }: VersionProps) {
	const called = new Map(chart?.map((account) => [account.number, account.name]));
	const columns: readonly Column<Mapped>[] = [
		{ head: "Account", cell: ({ account }) => `${account} ${called.get(account) ?? ""}` },
		{ head: "Number", cell: ({ number }) => number },
		{ head: "Called", cell: (row) => row.name ?? "", wide: true },
	];
	return (
		<Section title={`${name}, from ${day(effective_from)} on`} note="A version counts until the next one, and never changes.">
			{accounts.length > 0 ? (
				<Table
					label={`Numbers of ${name} from ${day(effective_from)} on`}
					rows={accounts}
					columns={columns}
					keyOf={({ account }) => account}
				/>
			) : (
				<p>The numbers of all products.</p>
			)}
		</Section>
	);
}

interface NewNumbersProps {
	readonly accounts: readonly LedgerAccount[];
	readonly names: readonly (readonly [id: string, name: string])[];
	readonly newestOf: (productId: string | null) => LedgerMapping | undefined;
	readonly ofProduct: boolean;
	readonly onClose: () => void;
	readonly onSent: () => void;
}

function NewNumbers({ accounts, names, newestOf, ofProduct, onClose, onSent }: NewNumbersProps) {
	const ours = accounts
		.filter((account) => !ofProduct || account.by_product)
		.map(({ number: account, name }) => ({ account, number: account, name }));
	const known = new Map(newestOf(null)?.accounts.map((mapped) => [mapped.account, mapped]));
	const from = linesOf(ours.map((own) => known.get(own.account) ?? own));
	return (
		<FormDialog
			title={ofProduct ? "New numbers of a product" : "New numbers of all products"}
			verb="Ask for approval"
			entries={{
				loan_product_id: { label: "Product", of: names, only: () => ofProduct },
				effective_from: {
					label: "They count from",
					is: "day",
					from: new Date(now()).toISOString().slice(0, 10),
					hint: "A day that is not closed yet",
				},
				lines: {
					label: "Accounts",
					is: "long",
					from,
					hint: ofProduct
						? "Account, own number and name, a line for each. An account that you leave out has the number of all products."
						: "Account, own number and name, a line for each account of the chart.",
				},
				reason: { label: "Reason", hint: "Kept in the audit trail; may be empty", optional: true },
			}}
			onClose={onClose}
			onSend={async ({ lines, ...rest }) => {
				await call("POST /v1/ledger/mappings", { body: { ...rest, accounts: accountsIn(lines) } });
				onSent();
			}}
		/>
	);
}
