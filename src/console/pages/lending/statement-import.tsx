// Imports a statement from its file: the file is sent in portions as it is, and then compared.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../api.ts";
import { calendarDay, now } from "../../clock.ts";
import { FormDialog } from "../form.tsx";
import { type CsvHead, headOf } from "./csv-head.ts";

interface Props {
	readonly file: File;
	readonly onClose: () => void;
	readonly onSent: (statementId: string) => void;
}

const CHANNELS = [
	["MPESA", "M-Pesa"],
	["MOMO", "MTN MoMo"],
	["BANK", "Bank"],
] as const;
const DAY_MS = 86_400_000;

const ORDERS = [
	["DMY", "Day, month, year"],
	["MDY", "Month, day, year"],
	["YMD", "Year, month, day"],
] as const;
const DECIMALS = [
	["POINT", "1250.00"],
	["COMMA", "1250,00"],
] as const;

/** So much of a file has its head. */
const HEAD_BYTES = 20_000;

export function ImportStatement(props: Props) {
	const [head, setHead] = useState<CsvHead>();
	useEffect(
		() =>
			void props.file
				.slice(0, HEAD_BYTES)
				.text()
				.then((text) => setHead(headOf(text))),
		[props.file],
	);
	return head ? <Import {...props} head={head} /> : null;
}

/** Of a bank's file, which of its columns is which. */
function columnsOf({ names, guessed }: CsvHead) {
	const only = ({ channel, mapped }: Readonly<Record<string, string>>) => channel === "BANK" && mapped === "chosen";
	const named = names.map((name) => [name, name] as const);
	const column = (label: string, from: string | undefined) => ({ label, of: named, from: from ?? "", optional: true, only }) as const;
	return {
		mapped: {
			label: "Columns",
			of: [
				["chosen", "Chosen here"],
				["last", "As in its last statement"],
			],
			only: ({ channel }: Readonly<Record<string, string>>) => channel === "BANK",
		},
		time: { label: "Date or time", of: named, from: guessed.time ?? names[0] ?? "", only },
		paid_in: column("Money in", guessed.paid_in),
		withdrawn: column("Money out", guessed.withdrawn),
		moved: { ...column("Amount", guessed.amount), hint: "In and out in one column" },
		receipt: column("Receipt or reference", guessed.receipt),
		details: column("Details", guessed.details),
		balance: column("Balance", guessed.balance),
		date_order: { label: "Dates are written", of: ORDERS, only },
		decimal: { label: "Amounts are written", of: DECIMALS, only },
	} as const;
}

function Import({ file, head, onClose, onSent }: Props & { readonly head: CsvHead }) {
	const yesterday = calendarDay(now() - DAY_MS);
	let sent = "";
	return (
		<FormDialog
			title={`Import ${file.name}?`}
			verb="Import and compare"
			entries={{
				channel: { label: "Of", of: CHANNELS },
				number: { label: "Shortcode or account number" },
				account: { label: "Which of its accounts", from: "UTILITY", hint: "Such as UTILITY or WORKING; of a bank MAIN" },
				currency: { label: "Currency", from: "KES" },
				from: { label: "First day", is: "day", from: yesterday },
				to: { label: "Last day", is: "day", from: yesterday, hint: "It must be over" },
				...columnsOf(head),
			}}
			onClose={onClose}
			onSend={async ({ channel, number, account, currency, from, to, mapped, date_order, decimal, moved, ...columns }) => {
				const bytes = await file.arrayBuffer();
				const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
				const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
				const { id } = await call("POST /v1/reconciliation/statements", {
					body: {
						channel,
						number,
						account,
						currency: currency.toUpperCase(),
						from,
						to,
						name: file.name,
						sha256,
						...(mapped === "chosen" && {
							mapping: { columns: { ...columns, ...(moved && { amount: moved }) }, separator: head.separator, date_order, decimal },
						}),
					},
				});
				const path = { statementId: id };
				let row = 0;
				for (const csv of portionsOf(new TextDecoder().decode(bytes))) {
					const { next_row } = await call("POST /v1/reconciliation/statements/{statementId}/lines", { path, body: { row, csv } });
					row = next_row;
				}
				await call("POST /v1/reconciliation/statements/{statementId}/compare", { path });
				sent = id;
			}}
			onSent={() => onSent(sent)}
		>
			<p>The names and numbers of payers are not kept. The same file again changes nothing.</p>
		</FormDialog>
	);
}

const MOST_LINES = 400;
const MOST_LETTERS = 150_000;

/** The text in portions that end with a line outside of quotes. */
function portionsOf(text: string): string[] {
	const portions: string[] = [];
	let portion: string[] = [];
	let letters = 0;
	let isQuoted = false;
	for (const line of text.split(/\r?\n/)) {
		portion.push(line);
		letters += line.length + 1;
		if ((line.split('"').length - 1) % 2 === 1) isQuoted = !isQuoted;
		if (!isQuoted && (portion.length >= MOST_LINES || letters > MOST_LETTERS)) {
			portions.push(portion.join("\n"));
			portion = [];
			letters = 0;
		}
	}
	if (portion.some((line) => line.trim() !== "")) portions.push(portion.join("\n"));
	return portions;
}
