// Imports a statement from its file: the file is sent in portions as it is, and then compared.

import { call } from "../../api.ts";
import { now } from "../../clock.ts";
import { FormDialog } from "../form.tsx";

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
const EAST_AFRICA_MS = 3 * 3_600_000;

export function ImportStatement({ file, onClose, onSent }: Props) {
	const yesterday = new Date(now() + EAST_AFRICA_MS - 86_400_000).toISOString().slice(0, 10);
	let sent = "";
	return (
		<FormDialog
			title={`Import ${file.name}?`}
			verb="Import and compare"
			entries={{
				channel: { label: "Of", of: CHANNELS },
				number: { label: "Shortcode or account number", hint: "A bank's first statement is sent by the API, with its columns" },
				account: { label: "Which of its accounts", from: "UTILITY" },
				currency: { label: "Currency", from: "KES" },
				from: { label: "First day", is: "day", from: yesterday },
				to: { label: "Last day", is: "day", from: yesterday, hint: "It must be over" },
			}}
			onClose={onClose}
			onSend={async ({ channel, number, account, currency, from, to }) => {
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
