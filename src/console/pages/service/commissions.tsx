// What agents earn: the report of one of them, and the models by which it is computed.

import { useState } from "preact/hooks";
import { call, LeadsNowhere } from "../../api.ts";
import { now } from "../../clock.ts";
import { amountIn, day, isId, money, words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { CommissionModel, CommissionModelInput, CommissionReport } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { Facts, Field, Figures, Head, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { minorOf } from "../amounts.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { rateText } from "../lending/rate.ts";
import { List, pageOf, reachOf, startOf } from "../list.tsx";
import { usersSaid } from "../said.ts";

const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function Page({ query, person }: PageProps) {
	return (
		<>
			<Head title="Commissions" about="Agents earn them for sign-ups, transactions and collected repayments." />
			<Reports person={person} />
			{person.kind === "operator" && <Models query={query} />}
		</>
	);
}

/** The user whom an id, a tag or a number names. */
async function userIdOf(text: string, person: Person): Promise<string> {
	if (isId(text)) return text;
	const [found, another] = await usersSaid(text, reachOf(person));
	if (!found) throw new LeadsNowhere(`Nobody is found by ${text}.`);
	if (another) throw new LeadsNowhere(`More than one user is found by ${text}: enter the whole number or @tag.`);
	return found;
}

function Reports({ person }: { readonly person: Person }) {
	const [text, setText] = useState("");
	const [from, setFrom] = useState(dayOf(now() - 30 * DAY_MS));
	const [to, setTo] = useState(dayOf(now()));
	const [report, show] = useState<CommissionReport>();
	const [busy, run, error] = useDoing();
	const { shown, show: open, close, say } = useDialogs();
	const read = async () => {
		const userId = await userIdOf(text.trim(), person);
		const query = { from: startOf(from), to: new Date(Date.parse(startOf(to)) + DAY_MS).toISOString() };
		show(await call("GET /v1/agents/{userId}/commissions", { path: { userId }, query, ...reachOf(person) }));
	};
	const supervise = (userId: string) =>
		open(
			<FormDialog
				title="Give the agent another supervisor"
				verb="Ask for approval"
				entries={{
					supervisor: { label: "Supervisor", optional: true, hint: "Id, @tag or number of a user. Empty: nobody" },
					effective_from: { label: "From", is: "day", from: dayOf(now()) },
				}}
				onClose={close}
				onSend={async ({ supervisor, effective_from }) => {
					const supervisor_user_id = supervisor ? await userIdOf(supervisor, person) : null;
					const body = { supervisor_user_id, effective_from: startOf(effective_from) };
					await call("PUT /v1/agents/{userId}/supervisor", { path: { userId }, body, organization: null });
					say("The supervisor's share goes to the new one from that day on.");
				}}
			/>,
		);
	return (
		<Section title="An agent's report" note="Times are in UTC.">
			<form
				class="filters"
				onSubmit={(event) => {
					event.preventDefault();
					void run(read);
				}}
			>
				<Field label="Agent">
					{(ids) => (
						<input
							{...ids}
							required
							placeholder="Id, @tag or number"
							value={text}
							onInput={({ currentTarget }) => setText(currentTarget.value)}
						/>
					)}
				</Field>
				<Field label="From">
					{(ids) => <input {...ids} type="date" required value={from} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />}
				</Field>
				<Field label="To">
					{(ids) => <input {...ids} type="date" required value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />}
				</Field>
				<button type="submit" class="primary" disabled={busy}>
					Show
				</button>
			</form>
			{error && <Problem error={error} />}
			{shown}
			{report && <Report of={report} onSupervise={person.kind === "operator" ? supervise : undefined} />}
		</Section>
	);
}

type Item = CommissionReport["line_items"][number];

/** Exact to the ten-thousandth of a minor unit; people read whole ones. */
const rounded = (minor: number, currency: string): string => money(Math.round(minor), currency);

interface ReportProps {
	readonly of: CommissionReport;
	readonly onSupervise: ((userId: string) => void) | undefined;
}

function Report({ of, onSupervise }: ReportProps) {
	const { currency, line_items, model_id, agent_user_id } = of;
	const columns: readonly Column<Item>[] = [
		{
			head: "Event",
			cell: ({ event_type, is_supervisor_commission, description }) => (
				<>
					{words(event_type)}
					<small>{[is_supervisor_commission && "as supervisor", description].filter(Boolean).join(" · ")}</small>
				</>
			),
		},
		{ head: "Reference", wide: true, cell: ({ reference_id }) => <code class="breaks">{reference_id}</code> },
		{ head: "When", wide: true, right: true, cell: ({ event_occurred_at }) => <Time at={event_occurred_at} /> },
		{ head: `Earned, ${currency}`, right: true, cell: ({ amount }) => rounded(amount, currency) },
	];
	return (
		<>
			<Figures
				of={[
					{ name: `Earned, ${currency}`, value: rounded(of.total_commission, currency), note: `by the model ${model_id}` },
					{ name: "Commissions", value: rounded(of.transaction_commissions, currency) },
					{ name: "Penalties", value: rounded(of.penalties, currency), bad: of.penalties > 0 },
					{ name: "Given back", value: rounded(of.penalty_reversals, currency) },
				]}
			/>
			{line_items.length === 0 ? (
				<Empty title="Nothing was earned in this time" children="Events of agents are recorded by the lender's own programs." />
			) : (
				<Table
					label="Lines of the report"
					rows={line_items}
					columns={columns}
					keyOf={(item) => `${item.event_id}${item.is_supervisor_commission}`}
				/>
			)}
			{onSupervise && (
				<div class="buttons beneath">
					<button type="button" onClick={() => onSupervise(agent_user_id)}>
						Change the supervisor
					</button>
				</div>
			)}
		</>
	);
}

const EVENTS = { TRANSACTION: "Transactions", SIGN_UP: "Sign-ups", REPAYMENT_COLLECTED: "Collected repayments" } as const;
type EventType = keyof typeof EVENTS;
type Tier = CommissionModel["rules"][number]["tiers"][number];

function tierText({ from, flat, basis_points, cap }: Tier, currency: string): string {
	const parts = [basis_points > 0 && rateText(BigInt(basis_points), 10_000n), flat > 0 && amountIn(currency, flat)].filter(Boolean);
	return `from ${money(from, currency)}: ${parts.join(" + ") || "nothing"}${cap === null ? "" : `, at most ${money(cap, currency)}`}`;
}

const HINT = "One a line: from an amount on, a rate, a sum, the most. such as 0: 1.5% + 20 max 500";
const LINE = /^([\d.]+):\s*(?:([\d.]+)\s*%)?\s*\+?\s*([\d.]+)?\s*(?:max\s*([\d.]+))?$/;

/** The tiers that the lines say, each up to where the next one begins. */
function tiersOf(lines: readonly string[], currency: string): CommissionModelInput["rules"][number]["tiers"] {
	const minor = (text: string | undefined): number => (text === undefined ? 0 : (minorOf(text, currency) ?? 0));
	const tiers = lines.map((line) => {
		const found = LINE.exec(line);
		if (!found) throw new LeadsNowhere(`"${line}" is no tier, such as 0: 1.5% + 20 max 500.`);
		const [, from, rate, flat, cap] = found;
		return {
			from: minor(from),
			basis_points: rate === undefined ? 0 : Math.round(Number(rate) * 100),
			flat: minor(flat),
			cap: cap === undefined ? null : minor(cap),
		};
	});
	return tiers.map((tier, index) => ({ ...tier, to: tiers[index + 1]?.from ?? null }));
}

function Models({ query }: { readonly query: URLSearchParams }) {
	const read = useWatch("GET /v1/platform/commission-models", { query: { size: 25, ...pageOf(query) } });
	const { shown, show, close, say } = useDialogs();
	const rule = (label: string) => ({ label, is: "lines", optional: true, hint: HINT }) as const;
	const make = () =>
		show(
			<FormDialog
				title="Make a version of a commission model"
				verb="Ask for approval"
				entries={{
					model_id: { label: "Model", from: "default", hint: "The same name makes a later version" },
					currency: { label: "Currency", from: "KES" },
					effective_from: { label: "From", is: "day", from: dayOf(now() + DAY_MS) },
					share: { label: "Supervisor's share", is: "percent", from: "0", hint: "Of the agent's commission" },
					TRANSACTION: rule(EVENTS.TRANSACTION),
					SIGN_UP: rule(EVENTS.SIGN_UP),
					REPAYMENT_COLLECTED: rule(EVENTS.REPAYMENT_COLLECTED),
				}}
				onClose={close}
				onSend={async ({ model_id, currency: typed, effective_from, share, ...lines }) => {
					const currency = typed.toUpperCase();
					const rules = (Object.keys(EVENTS) as EventType[]).flatMap((event_type) => {
						const of = lines[event_type];
						return of?.length ? [{ event_type, tiers: tiersOf(of, currency), supervisor_share_basis_points: share }] : [];
					});
					const body = { model_id, currency, rules, effective_from: startOf(effective_from) };
					await call("POST /v1/platform/commission-models", { body });
					say(`Events from ${day(effective_from)} on are paid by it.`);
				}}
			/>,
		);
	return (
		<Section
			title="Models"
			note="Newest first. A version holds from its day on."
			action={
				<button type="button" onClick={make}>
					Make a version
				</button>
			}
		>
			{shown}
			<List of={read} empty={["No model yet", "Without one nobody earns anything."]}>
				{(rows) =>
					rows.map(({ id, model_id, currency, rules, effective_from }) => (
						<details class="product" key={id}>
							<summary>
								<h3>{model_id}</h3>
								<span>
									{currency}, from {day(effective_from)}
								</span>
							</summary>
							<Facts
								of={rules.map(({ event_type, tiers, supervisor_share_basis_points: share }) => [
									EVENTS[event_type] ?? words(event_type),
									[
										...tiers.map((tier) => tierText(tier, currency)),
										...(share > 0 ? [`${rateText(BigInt(share), 10_000n)} of it more for the supervisor`] : []),
									].join("; "),
								])}
							/>
						</details>
					))
				}
			</List>
		</Section>
	);
}
