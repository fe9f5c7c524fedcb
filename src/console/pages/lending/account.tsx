// One account: what is owed and why, its schedule, and what has happened on it.

import { useState } from "preact/hooks";
import { Schedule } from "../../charts/schedule.tsx";
import { now } from "../../clock.ts";
import { day, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import { told } from "../../states.ts";
import type { CreditAccount, CurrentAccount, Installment } from "../../typed.ts";
import { CopyIcon } from "../../ui/copy.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Choice, Done, Facts, Field, Figures, FiguresSkeleton, Head, Link, Section, WaitsForApproval } from "../../ui/page.tsx";
import { Badge } from "../../ui/state.tsx";
import { isRead, useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { reachOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { calledOf, nameOf, usePeople } from "../people.tsx";
import { Act, type Doing } from "./account-actions.tsx";
import { Movements } from "./current-account.tsx";
import { useInstallments } from "./installments.ts";
import { rateOf } from "./rate.ts";
import { ScheduleTable } from "./schedule-table.tsx";
import { Statement, Transactions } from "./statement.tsx";
import { Why } from "./why.tsx";

export function Page({ params: { id: accountId = "" }, query, person }: PageProps) {
	const account = useWatch("GET /v1/accounts/{accountId}", { path: { accountId }, ...reachOf(person) }, 2);
	const skeleton = (
		<>
			<Head title="Account" from={["/accounts", "Accounts"]} about={"\u2007"} />
			<FiguresSkeleton />
		</>
	);
	return (
		<Loaded of={account} skeleton={skeleton}>
			{(found) =>
				found.type === "CREDIT" ? (
					<Credit account={found} person={person} tab={query.get("tab") ?? "schedule"} />
				) : (
					<Current account={found} person={person} />
				)
			}
		</Loaded>
	);
}

interface About {
	readonly account: CreditAccount | CurrentAccount;
	readonly person: Person;
}

const useBorrower = ({ account, person }: About) =>
	usePeople(person.kind === "borrower" ? [] : [account.user_id], person)?.get(account.user_id);

function AboutAccount({ account, person, children }: About & { readonly children?: string }) {
	const borrower = useBorrower({ account, person });
	return (
		<>
			Account <code>{account.account_number}</code> <CopyIcon text={account.account_number} what="the account's number" />
			{children && ` · ${children}`}
			{person.kind !== "borrower" && (
				<>
					{" · "}
					<Link to={`/users/${account.user_id}`}>{borrower ? calledOf(borrower) : "Borrower"}</Link>
				</>
			)}
		</>
	);
}

const TABS = [
	["schedule", "Schedule"],
	["transactions", "Transactions"],
	["statement", "Statement"],
] as const;

function Credit({ account, person, tab }: { readonly account: CreditAccount; readonly person: Person; readonly tab: string }) {
	const { id: accountId, currency } = account;
	const reach = reachOf(person);
	const why = useWatch("GET /v1/accounts/{accountId}/explain", { path: { accountId }, ...reach }, 2);
	const schedule = useInstallments(accountId, reach);
	const [doing, act] = useState<Doing>();
	const [asked, setAsked] = useState(false);
	const [done, setDone] = useState<string>();
	const installments = schedule.value ?? [];
	const borrower = useBorrower({ account, person });
	const [of, word, note] = told("CreditAccount.status", account.status);
	const today = why.value?.as_of ?? new Date(now()).toISOString().slice(0, 10);
	const mayAct = mayLend(person);
	return (
		<>
			<Head
				title={borrower ? `Loan of ${nameOf(borrower)}` : "Loan"}
				from={["/accounts", "Accounts"]}
				badge={<Badge of={of} word={word} />}
				about={
					<AboutAccount account={account} person={person} children={[rateOf(account.interest_rate), note].filter(Boolean).join(" · ")} />
				}
				actions={mayAct && <Actions account={account} onAct={act} />}
			/>
			{asked && <WaitsForApproval />}
			{done && <Done>{done}</Done>}
			{!(isRead(why) && isRead(schedule)) && (
				<>
					<FiguresSkeleton />
					<Rows of={4} />
				</>
			)}
			{isRead(why) && isRead(schedule) && (
				<>
					<Loaded of={schedule}>{(rows) => <CreditFigures account={account} installments={rows} today={today} />}</Loaded>
					<Section title="Why this amount is owed" note="Each line can be checked with a pencil. The lines add up to the amount owed.">
						<Loaded of={why}>{(explanation) => <Why of={explanation} installments={installments} />}</Loaded>
					</Section>
					<div class="tabs">
						<Choice
							label="Below"
							value={tab as (typeof TABS)[number][0]}
							of={TABS}
							onChange={(next) => setQuery({ tab: next === "schedule" ? undefined : next })}
						/>
					</div>
					{tab === "transactions" ? (
						<Section title="Transactions" note="Payments, waivers, agreements and reversals; newest first.">
							<Transactions
								accountId={accountId}
								reach={reach}
								onReverse={mayAct ? (transaction) => act({ is: "reverse", transaction }) : undefined}
							/>
						</Section>
					) : tab === "statement" ? (
						<Section title="Statement" note="Every change of the balance, from the beginning of the loan.">
							<Statement accountId={accountId} reach={reach} installments={installments} />
						</Section>
					) : (
						<Section
							title="Schedule"
							note="The amounts if each installment is paid on its day. They include interest that is not owed yet today."
						>
							<Loaded of={schedule} skeleton={<Rows of={8} />}>
								{(rows) => (
									<>
										{rows.length > 0 && <Schedule installments={rows} currency={currency} on={today} />}
										<ScheduleTable installments={rows} currency={currency} />
									</>
								)}
							</Loaded>
						</Section>
					)}
				</>
			)}
			{isRead(schedule) && why.value && account.balance.total_outstanding > 0 && (
				<Payoff accountId={accountId} reach={reach} today={why.value.as_of} />
			)}
			{doing && isRead(why) && isRead(schedule) && (
				<Act
					doing={doing}
					account={account}
					installments={installments}
					lines={why.value?.lines ?? []}
					person={person}
					onClose={() => act(undefined)}
					onAsked={() => setAsked(true)}
					onDone={setDone}
				/>
			)}
		</>
	);
}

function Actions({ account, onAct }: { readonly account: CreditAccount; readonly onAct: (doing: Doing) => void }) {
	const owes = account.balance.total_outstanding > 0;
	return (
		<>
			{account.available_balance > 0 && (
				<button type="button" onClick={() => onAct({ is: "refund" })}>
					Refund
				</button>
			)}
			{owes && (
				<>
					<button type="button" onClick={() => onAct({ is: "settle" })}>
						Settle
					</button>
					<button type="button" onClick={() => onAct({ is: "waive" })}>
						Waive
					</button>
					{account.status !== "WRITTEN_OFF" && (
						<button type="button" class="danger" onClick={() => onAct({ is: "write-off" })}>
							Write off
						</button>
					)}
				</>
			)}
		</>
	);
}

function CreditFigures(props: { readonly account: CreditAccount; readonly installments: readonly Installment[]; readonly today: string }) {
	const { account, installments, today } = props;
	const { currency, balance, available_balance: over } = account;
	const late = installments.filter(({ status }) => status === "OVERDUE");
	const overdue = late.reduce((sum, { outstanding }) => sum + outstanding, 0);
	const since = late.map(({ due_date }) => due_date).sort()[0];
	const next = installments
		.filter(({ status, outstanding }) => (status === "UPCOMING" || status === "DUE") && outstanding > 0)
		.sort((a, b) => (a.due_date < b.due_date ? -1 : 1))[0];
	return (
		<Figures
			of={[
				{
					name: `Owed today, ${currency}`,
					value: money(balance.total_outstanding, currency),
					note: over > 0 ? `${money(over, currency)} overpaid` : `as of ${day(today)}`,
				},
				{
					name: "Overdue",
					value: overdue > 0 ? money(overdue, currency) : "Nothing",
					bad: overdue > 0,
					note: since ? `since ${day(since)}` : "all is paid in time",
				},
				{
					name: "Next installment",
					value: next ? money(next.outstanding, currency) : "None",
					note: next ? `due ${day(next.due_date)}` : "nothing is to come",
				},
				{ name: "Paid so far", value: money(balance.total_paid, currency), note: `of ${money(balance.total_charged, currency)} charged` },
			]}
		/>
	);
}

function Payoff({
	accountId,
	reach,
	today,
}: {
	readonly accountId: string;
	readonly reach: { readonly organization?: null };
	readonly today: string;
}) {
	const [chosen, choose] = useState(today);
	// The day goes on while the page is open, and nothing is paid off in the past.
	const on = chosen < today ? today : chosen;
	const read = useWatch("GET /v1/accounts/{accountId}/payoff", { path: { accountId }, query: { on }, ...reach });
	return (
		<Section title="Paying it off" note="The amount that ends the loan on a day, if nothing is paid or drawn before.">
			<div class="payoff">
				<Field label="On">
					{(ids) => (
						<input
							{...ids}
							type="date"
							required
							min={today}
							value={on}
							onChange={({ currentTarget }) => currentTarget.value && choose(currentTarget.value)}
						/>
					)}
				</Field>
				<Loaded of={read} skeleton={<Facts of={[["To pay", "\u2007"]]} />}>
					{({ payoff_amount, currency }) => (
						<Facts of={[["To pay", <strong key="sum">{`${money(payoff_amount, currency)} ${currency}`}</strong>]]} />
					)}
				</Loaded>
			</div>
		</Section>
	);
}

function Current({ account, person }: { readonly account: CurrentAccount; readonly person: Person }) {
	const { currency, balance, status, user_id } = account;
	const borrower = useBorrower({ account, person });
	const [of, word, note] = told("CurrentAccount.status", status);
	return (
		<>
			<Head
				title={borrower ? `Current account of ${nameOf(borrower)}` : "Current account"}
				from={["/accounts", "Accounts"]}
				badge={<Badge of={of} word={word} />}
				about={<AboutAccount account={account} person={person} {...(note && { children: note })} />}
			/>
			<Figures
				of={[
					{ name: `Balance, ${currency}`, value: money(balance.total_balance, currency) },
					{ name: "Held", value: money(balance.hold_amount, currency), note: "for transfers on their way" },
					{ name: "To spend", value: money(balance.available_balance, currency) },
				]}
			/>
			<Section title="Transactions" note="Newest first.">
				<Movements userId={person.kind === "borrower" ? undefined : user_id} reach={reachOf(person)} />
			</Section>
		</>
	);
}
