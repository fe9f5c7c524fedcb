// Tariffs of providers: what they charge for payouts and receipts, by amount, and how a new version is asked for.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { ProviderTariff } from "../../typed.ts";
import { Head, WaitsForApproval } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { List, pageOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { bandsOf } from "./bands.ts";

const CHANNELS = [
	["MPESA", "M-Pesa"],
	["MOMO", "MTN MoMo"],
	["BANK", "Bank and own disburser"],
] as const;
const DIRECTIONS = [
	["PAYOUT", "Payouts"],
	["RECEIPT", "Receipts"],
] as const;
const named = (of: readonly (readonly [string, string])[], value: string) => of.find(([each]) => each === value)?.[1] ?? value;

export function Page({ query, person }: PageProps) {
	const read = useWatch("GET /v1/ledger/provider-tariffs", { query: { size: 50, ...pageOf(query) } });
	const [asked, setAsked] = useState(false);
	const { shown, show, close } = useDialogs();
	const ask = () => show(<NewTariff currency={read.value?.data[0]?.currency ?? "KES"} onClose={close} onSent={() => setAsked(true)} />);
	return (
		<>
			<Head
				title="Tariffs"
				from={["/ledger", "Ledger"]}
				about="The fees of providers for each payout and receipt, by its amount. They are booked at once, until a statement names them."
				actions={
					mayLend(person) && (
						<button type="button" class="primary" onClick={ask}>
							New tariff
						</button>
					)
				}
			/>
			{asked && <WaitsForApproval />}
			{shown}
			<List of={read} empty={["No tariff yet", "Without one, charges are booked once a statement has them."]}>
				{(rows) => <Table label="Tariffs" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} />}
			</List>
		</>
	);
}

const bandText = ({ up_to, fee }: ProviderTariff["bands"][number], currency: string): string =>
	`${up_to === null ? "beyond" : `to ${money(up_to, currency)}`}: ${money(fee, currency)}`;

const COLUMNS: readonly Column<ProviderTariff>[] = [
	{
		head: "Tariff",
		cell: ({ channel, direction }) => (
			<>
				{named(CHANNELS, channel)}
				<small>{named(DIRECTIONS, direction)}</small>
			</>
		),
	},
	{ head: "From", cell: (row) => day(row.effective_from) },
	{ head: "Currency", cell: (row) => row.currency, wide: true },
	{ head: "Fees", cell: ({ bands, currency }) => bands.map((band) => bandText(band, currency)).join(", ") },
];

interface NewTariffProps {
	readonly currency: string;
	readonly onClose: () => void;
	readonly onSent: () => void;
}

function NewTariff({ currency, onClose, onSent }: NewTariffProps) {
	return (
		<FormDialog
			title="New tariff"
			verb="Ask for approval"
			entries={{
				channel: { label: "Provider", of: CHANNELS },
				direction: { label: "For", of: DIRECTIONS },
				currency: { label: "Currency", from: currency },
				effective_from: { label: "It counts from", is: "day", hint: "Later than the day of the approval, by a year at most" },
				fees: {
					label: "Fees",
					is: "long",
					hint: "A line for each band: the largest amount, then the fee, such as 1000 5. The last line has the fee alone. Keep a tariff only where the statement of a payment's own day has its charge: charges that are billed in total or on another day would be booked twice.",
				},
				reason: { label: "Reason", hint: "Kept in the audit trail; may be empty", optional: true },
			}}
			trial={({ fees = "", currency: of = "" }) => {
				const bands = bandsOf(linesIn(fees), of);
				if (fees === "") return null;
				return <p>{typeof bands === "string" ? `No band: ${bands}` : bands.map((band) => bandText(band, of)).join(", ")}</p>;
			}}
			onClose={onClose}
			onSend={async ({ fees, ...rest }) => {
				const bands = bandsOf(linesIn(fees), rest.currency);
				if (typeof bands === "string") throw new Error(`This is no band: ${bands}`);
				await call("POST /v1/ledger/provider-tariffs", { body: { ...rest, bands: [...bands] } });
				onSent();
			}}
		/>
	);
}

const linesIn = (text: string): string[] => text.split("\n").flatMap((line) => line.trim() || []);
