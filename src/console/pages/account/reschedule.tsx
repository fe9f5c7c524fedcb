// Gives the installments to come other due dates: more of them, a holiday, or dates of one's own; what becomes of them is shown beforehand.

import { ask, call } from "../../api.ts";
import { day, money } from "../../format.ts";
import { useTrial } from "../../trial.ts";
import type { BodyOf, CreditAccount } from "../../typed.ts";
import { Problem } from "../../ui/problem.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { Person } from "../../who.ts";
import { FormDialog, REASON } from "../form.tsx";
import { reachOf } from "../list.tsx";
import { requestFor } from "./request.tsx";

const KINDS = [
	["HOLIDAY", "A holiday"],
	["EXTEND", "More installments"],
	["NEW_DATES", "Other dates"],
] as const;

interface Props {
	readonly account: CreditAccount;
	/** The due dates of the installments that are not yet due. */
	readonly coming: readonly string[];
	readonly person: Person;
	readonly onClose: () => void;
	readonly onAsked: () => void;
	readonly onDone: (sentence: string) => void;
}

export function Reschedule({ account, coming, person, onClose, onAsked, onDone }: Props) {
	const { id: accountId, account_number, currency } = account;
	const path = { accountId };
	const alone = person.kind === "operator";
	return (
		<FormDialog
			title={`Give account ${account_number} other due dates`}
			verb={alone ? "Reschedule" : "Ask for approval"}
			dangerous
			entries={{
				kind: { label: "What", of: KINDS },
				installments: { label: "Installments", is: "whole", most: 1200, from: "1", only: ({ kind }) => kind !== "NEW_DATES" },
				due_dates: {
					label: "Due dates",
					is: "lines",
					from: coming.join("\n"),
					hint: "One a line, such as 2026-12-31: of all installments that are not yet due",
					only: ({ kind }) => kind === "NEW_DATES",
				},
				reason: REASON,
			}}
			trial={({ kind, installments, due_dates }) =>
				kind && (installments ?? due_dates) !== undefined ? (
					<Preview path={path} change={{ kind, installments, due_dates }} currency={currency} reach={reachOf(person)} />
				) : null
			}
			onClose={onClose}
			onSend={async (body) => {
				if (!alone) {
					const { reason, ...change } = body;
					await requestFor(account, "RESCHEDULE", change, reason);
					return onAsked();
				}
				await call("POST /v1/platform/accounts/{accountId}/reschedules", { path, body, organization: null });
				onDone("The installments have their new dates.");
			}}
		>
			<p>
				What is due stays due. The principal that is not due yet is spread over the later installments; interest runs as long as it is owed.
				After a holiday, the installments that were put off are due after the last one.
				{!alone && " Another person must approve it. Nothing changes before."}
			</p>
		</FormDialog>
	);
}

interface PreviewProps {
	readonly path: { readonly accountId: string };
	readonly change: {
		readonly kind: (typeof KINDS)[number][0];
		readonly installments: number | undefined;
		readonly due_dates: string[] | undefined;
	};
	readonly currency: string;
	readonly reach: { readonly organization?: null };
}

type Shown = BodyOf<"GET /v1/accounts/{accountId}/reschedule">;
type Row = {
	readonly position: number;
	readonly before: Shown["before"][number] | undefined;
	readonly after: Shown["after"][number] | undefined;
};

function Preview({ path, change: { kind, installments, due_dates }, currency, reach }: PreviewProps) {
	const asked = JSON.stringify({ kind, installments, due_dates });
	const { answer: shown, error } = useTrial(asked, (signal) =>
		ask("GET /v1/accounts/{accountId}/reschedule", { path, query: JSON.parse(asked), ...reach, signal }),
	);
	if (error) return <Problem error={error} />;
	if (!shown) return null;
	const before = new Map(shown.before.map((row) => [row.position, row]));
	const after = new Map(shown.after.map((row) => [row.position, row]));
	const rows: Row[] = [...new Set([...before.keys(), ...after.keys()])]
		.sort((a, b) => a - b)
		.map((position) => ({ position, before: before.get(position), after: after.get(position) }));
	const columns: readonly Column<Row>[] = [
		{ head: "No.", cell: ({ position }) => position },
		{ head: "Due before", cell: ({ before: row }) => (row ? day(row.due_date) : "–") },
		{ head: `To pay, ${currency}`, right: true, wide: true, cell: ({ before: row }) => (row ? money(row.outstanding, currency) : "–") },
		{ head: "Due after", cell: ({ after: row }) => (row ? <strong>{day(row.due_date)}</strong> : "–") },
		{ head: "To pay then", right: true, cell: ({ after: row }) => (row ? <strong>{money(row.outstanding, currency)}</strong> : "–") },
	];
	return (
		<div class="preview">
			<Table label="Installments before and after" rows={rows} columns={columns} keyOf={({ position }) => String(position)} />
		</div>
	);
}
