// Gives up a part of what an installment owes: what of it, how much, and what is owed before and after.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { amountIn, day, money } from "../../format.ts";
import { isPenalty } from "../../installment.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Field } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { type ActProps, ReasonField, requestFor } from "../account/request.tsx";
import { minorOf, typed } from "../amounts.ts";
import { firstOf, type Owing, owingOf, type Part, takenOf, totalOf } from "./owing.ts";

type What = Part | "other";

/** How much there is to waive from the first part to this one. */
const upTo = ({ penalty, interest, principal }: Owing, part: Part): number =>
	penalty + (part === "penalty" ? 0 : interest) + (part === "principal" ? principal : 0);

function choicesOf(owing: Owing, currency: string): readonly (readonly [What, string])[] {
	const { penalty, interest, principal } = owing;
	const choice = (part: Part, name: string) => [part, `${name}: ${amountIn(currency, upTo(owing, part))}`] as const;
	return [
		...(penalty > 0 ? [choice("penalty", "The penalty")] : []),
		...(interest > 0 ? [choice("interest", penalty > 0 ? "Penalty and interest" : "The interest")] : []),
		...(principal > 0 ? [choice("principal", penalty + interest > 0 ? "All, with the principal" : "The principal")] : []),
		["other", "Another amount"],
	];
}

/** The penalty and nothing else is proposed; where there is none, nothing is. */
const proposed = (owing: Owing | undefined): What => (owing && owing.penalty > 0 ? "penalty" : "other");

export function Waive({ account, installments, lines, alone, onClose, onAsked, onDone }: ActProps) {
	const { id: accountId, account_number: number, currency, balance } = account;
	const owing = owingOf(installments, lines);
	const first = firstOf(owing);
	const sumFor = (of: Owing | undefined, what: What) => (of && what !== "other" ? typed(upTo(of, what), currency) : "");
	const [id, choose] = useState(first?.row.id);
	const [what, setWhat] = useState<What>(proposed(first));
	const [sum, setSum] = useState(sumFor(first, proposed(first)));
	const [reason, setReason] = useState("");
	const chosen = owing.find(({ row }) => row.id === id);
	const value = minorOf(sum, currency);
	const most = chosen ? totalOf(chosen) : 0;
	const tooMuch = value !== undefined && value > most;
	const turn = (of: Owing | undefined, next: What) => {
		setWhat(next);
		setSum(sumFor(of, next));
	};
	const error =
		sum && value === undefined
			? `An amount such as ${typed(125_050, currency)}`
			: tooMuch
				? `The installment owes ${amountIn(currency, most)}`
				: undefined;
	return (
		<Confirm
			title={`Waive part of account ${number}?`}
			verb={alone ? "Waive" : "Ask for approval"}
			dangerous
			disabled={!chosen || value === undefined || tooMuch}
			onClose={onClose}
			onConfirm={async () => {
				if (!chosen || value === undefined) return;
				const body = { installment_id: chosen.row.id, amount: value };
				if (alone) {
					await call("POST /v1/platform/accounts/{accountId}/waivers", { path: { accountId }, body: { ...body, reason } });
					onDone(`${amountIn(currency, value)} waived. The account owes ${amountIn(currency, balance.total_outstanding - value)}.`);
				} else {
					await requestFor(account, "WAIVER", body, reason);
					onAsked();
				}
			}}
		>
			<Field label="Installment" hint="Its due date, and what is owed of it">
				{(ids) => (
					<select
						{...ids}
						value={id}
						onChange={({ currentTarget }) => {
							const found = owing.find(({ row }) => row.id === currentTarget.value);
							choose(found?.row.id);
							turn(found, proposed(found));
						}}
					>
						{owing.slice(0, 100).map(({ row, ...parts }) => (
							<option key={row.id} value={row.id}>
								{isPenalty(row) ? "Penalty" : row.position}, {day(row.due_date)}: {amountIn(currency, totalOf(parts))}
							</option>
						))}
					</select>
				)}
			</Field>
			{chosen && (
				<Field label="Amount to waive" hint="A waiver takes penalties first, then interest, then principal">
					{(ids) => (
						<select {...ids} value={what} onChange={({ currentTarget }) => turn(chosen, currentTarget.value as What)}>
							{choicesOf(chosen, currency).map(([one, name]) => (
								<option key={one} value={one}>
									{name}
								</option>
							))}
						</select>
					)}
				</Field>
			)}
			<Field label={`Amount, ${currency}`} error={error}>
				{(ids) => (
					<input
						{...ids}
						required
						inputMode="decimal"
						value={sum}
						onInput={({ currentTarget }) => {
							setWhat("other");
							setSum(currentTarget.value);
						}}
					/>
				)}
			</Field>
			{chosen && <BeforeAndAfter owing={chosen} amount={tooMuch ? 0 : (value ?? 0)} owed={balance.total_outstanding} currency={currency} />}
			<ReasonField value={reason} onChange={setReason} />
			{!alone && <p>Another person must approve it. Nothing changes before.</p>}
		</Confirm>
	);
}

interface BeforeProps {
	readonly owing: Owing;
	readonly amount: number;
	/** On the whole account, today. */
	readonly owed: number;
	readonly currency: string;
}

type Row = readonly [what: string, before: number, waived: number];

function BeforeAndAfter({ owing, amount, owed, currency }: BeforeProps) {
	const taken = takenOf(amount, owing);
	const rows: readonly Row[] = [
		["Penalty", owing.penalty, taken.penalty],
		["Interest", owing.interest, taken.interest],
		["Principal", owing.principal, taken.principal],
		["Whole account", owed, amount],
	];
	return (
		<Table
			label="Before and after"
			rows={rows}
			keyOf={([what]) => what}
			columns={[
				{ head: "Owed", cell: ([what]) => what },
				{ head: "Before", right: true, cell: ([, before]) => money(before, currency) },
				{ head: "After", right: true, cell: ([, before, waived]) => <strong>{money(before - waived, currency)}</strong> },
			]}
		/>
	);
}
