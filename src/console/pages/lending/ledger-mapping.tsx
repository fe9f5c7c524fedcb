// The numbers of the lender's own ledger: what each account of the chart is there, the versions, and the request for another one.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { now } from "../../clock.ts";
import { day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { BodyOf, LedgerAccount, LedgerMapping } from "../../typed.ts";
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

type Newest = BodyOf<"GET /v1/ledger/mappings">;

/** The version that was made last of a product, or of all products. */
const lastOf = ({ data }: Newest, id: string | null) => data.find((version) => version.loan_product_id === id);

/** With the numbers of the last version; none where it may be older than those that were read, so that nobody undoes it unawares. */
function linesForAll(accounts: readonly LedgerAccount[], versions: Newest): string {
	const last = lastOf(versions, null);
	if (!last && versions.links.next !== null) return "";
	const known = new Map(last?.accounts.map((mapped) => [mapped.account, mapped]));
	return linesOf(accounts.map(({ number: account, name }) => known.get(account) ?? { account, number: account, name }));
}

export function Page({ query, person }: PageProps) {
	const read = useWatch("GET /v1/ledger/mappings", { query: { size: 20, ...pageOf(query) } });
	const newest = useWatch("GET /v1/ledger/mappings", { query: { size: 100 } }).value;
	const chart = useWatch("GET /v1/ledger/accounts", { query: { size: 100 } }).value?.data;
	const products = useWatch("GET /v1/platform/loan-products", { query: { size: 100 } }).value?.data;
	const names = (products ?? []).map(({ id, name }) => [id, name] as const);
	const nameOf = (id: string | null) => (id === null ? "All products" : (new Map(names).get(id) ?? "A product"));
	const [asked, setAsked] = useState(false);
	const { shown, show, close } = useDialogs();
	const sent = { onClose: close, onSent: () => setAsked(true) };
	const askForAll = (accounts: readonly LedgerAccount[], versions: Newest) =>
		show(
			<NewNumbers
				{...sent}
				title="New numbers of all products"
				productId={null}
				lines={linesForAll(accounts, versions)}
				hint="Account, own number and name, a line for each account of the chart."
			/>,
		);
	const askFor = (accounts: readonly LedgerAccount[], versions: Newest) => (id: string) =>
		show(
			<NewNumbers
				{...sent}
				title={`New numbers of ${nameOf(id)}`}
				productId={id}
				lines={linesOf(lastOf(versions, id)?.accounts ?? [])}
				hint={`Account, own number and name, a line for each. An account that you leave out has the number of all products. Possible: ${accounts.flatMap(({ number, by_product }) => (by_product ? number : [])).join(", ")}`}
			/>,
		);
	const choose = (accounts: readonly LedgerAccount[], versions: Newest) =>
		show(<ChooseProduct names={names} onClose={close} onChosen={askFor(accounts, versions)} />);
	const ready = chart && newest && ([chart, newest] as const);
	return (
		<>
			<Head
				title="Own ledger's numbers"
				from={["/ledger", "Ledger"]}
				about="The number of each account of the chart in the organization's own ledger. The files for its import have these numbers."
				// From the first moment on, so that nothing below moves when what they need has been read.
				actions={
					mayLend(person) && (
						<>
							<button type="button" disabled={!ready || names.length === 0} onClick={() => ready && choose(...ready)}>
								Numbers of a product
							</button>
							<button type="button" class="primary" disabled={!ready} onClick={() => ready && askForAll(...ready)}>
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

interface ChooseProductProps {
	readonly names: readonly (readonly [id: string, name: string])[];
	readonly onClose: () => void;
	/** Another dialog takes the place of this one. */
	readonly onChosen: (id: string) => void;
}

function ChooseProduct({ names, onClose, onChosen }: ChooseProductProps) {
	return (
		<FormDialog
			title="Numbers of a product"
			verb="Continue"
			entries={{ id: { label: "Product", of: names } }}
			onClose={onClose}
			onSend={async ({ id }) => onChosen(id)}
			onSent={() => undefined}
		/>
	);
}

interface NewNumbersProps {
	readonly title: string;
	readonly productId: string | null;
	/** What the form begins with. */
	readonly lines: string;
	readonly hint: string;
	readonly onClose: () => void;
	readonly onSent: () => void;
}

function NewNumbers({ title, productId, lines: from, hint, onClose, onSent }: NewNumbersProps) {
	return (
		<FormDialog
			title={title}
			verb="Ask for approval"
			entries={{
				effective_from: {
					label: "They count from",
					is: "day",
					from: new Date(now()).toISOString().slice(0, 10),
					hint: "A day that is not closed yet, at most 366 days ahead",
				},
				lines: { label: "Accounts", is: "long", from, hint },
				reason: { label: "Reason", hint: "Kept in the audit trail; may be empty", optional: true },
			}}
			onClose={onClose}
			onSend={async ({ lines, ...rest }) => {
				await call("POST /v1/ledger/mappings", { body: { ...rest, loan_product_id: productId, accounts: accountsIn(lines) } });
				onSent();
			}}
		/>
	);
}
