// One account: what is owed and why, its schedule, and what has happened on it.

import { useState } from "preact/hooks";
import { Schedule } from "../../charts/schedule.tsx";
import { calendarDay } from "../../clock.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import { stateInWords } from "../../states.ts";
import type { CreditAccount } from "../../typed.ts";
import { late } from "../../ui/late.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Choice, Done, FiguresSkeleton, Head, Section, WaitsForApproval } from "../../ui/page.tsx";
import { Badge } from "../../ui/state.tsx";
import { isRead, useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import type { Step } from "../account/steps.tsx";
import { useDialogs } from "../form.tsx";
import { reachOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { nameOf } from "../people.tsx";
import { SaveList } from "../save.tsx";
import { AboutAccount, useBorrower } from "./about-account.tsx";
import { Act, type Doing } from "./account-actions.tsx";
import { CreditFigures, Payoff, payoffOf } from "./account-figures.tsx";
import { Current } from "./current-account.tsx";
import { FollowUps, followUpsOf } from "./follow-ups.tsx";
import { useInstallments } from "./installments.ts";
import { rateOf } from "./rate.ts";
import { ScheduleTable } from "./schedule-table.tsx";
import { Statement, statementOf, Transactions, transactionsOf } from "./statement.tsx";
import { Why } from "./why.tsx";

const OnAccount = late(async () => (await import("../account/steps.tsx")).OnAccount);
const Correction = late(async () => (await import("../account/steps.tsx")).Correction);
const PaidBy = late(async () => (await import("../account/steps.tsx")).PaidBy);
const Issued = late(async () => (await import("./issued.tsx")).Issued);
const Prompts = late(async () => (await import("../account/steps.tsx")).Prompts);

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

const TABS = [
	["schedule", "Schedule"],
	["transactions", "Transactions"],
	["statement", "Statement"],
	["follow-ups", "Follow-up"],
] as const;

function Credit({ account, person, tab }: { readonly account: CreditAccount; readonly person: Person; readonly tab: string }) {
	const { id: accountId, currency } = account;
	const reach = reachOf(person);
	const why = useWatch("GET /v1/accounts/{accountId}/explain", { path: { accountId }, ...reach }, 2);
	const schedule = useInstallments(accountId, reach);
	useEarly(account, person, tab);
	const [doing, act] = useState<Doing>();
	const [asked, setAsked] = useState(false);
	const [done, setDone] = useState<preact.ComponentChildren>();
	const dialogs = useDialogs();
	const installments = schedule.value ?? [];
	const borrower = useBorrower({ account, person });
	const [of, word, note] = stateInWords("CreditAccount.status", account.status);
	const today = why.value?.as_of ?? calendarDay();
	const coming = installments.flatMap(({ due_date }) => (due_date > today ? [due_date] : []));
	const mayAct = mayLend(person);
	const after = { onClose: dialogs.close, onDone: setDone };
	const step = (next: Step) =>
		dialogs.show(<OnAccount step={next} account={account} coming={coming} person={person} onAsked={() => setAsked(true)} {...after} />);
	const owes = account.balance.total_outstanding > 0;
	return (
		<>
			<Head
				title={borrower ? `Loan of ${nameOf(borrower)}` : "Loan"}
				from={["/accounts", "Accounts"]}
				badge={<Badge of={of} word={word} />}
				about={
					<AboutAccount account={account} person={person} children={[rateOf(account.interest_rate), note].filter(Boolean).join(" · ")} />
				}
				actions={mayAct && <Actions account={account} onAct={act} onStep={step} />}
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
							of={TABS.filter(([value]) => value !== "follow-ups" || person.kind !== "borrower")}
							onChange={(next) => setQuery({ tab: next === "schedule" ? undefined : next })}
						/>
					</div>
					{tab === "follow-ups" ? (
						<FollowUps accountId={accountId} currency={currency} owes={owes} person={person} />
					) : tab === "transactions" ? (
						<Section title="Transactions" note="Payments, waivers, agreements and reversals; newest first.">
							<Transactions
								accountId={accountId}
								reach={reach}
								onReverse={mayAct ? (transaction) => act({ is: "reverse", transaction }) : undefined}
								onCorrect={(what, transaction) =>
									dialogs.show(
										<Correction what={what} transaction={transaction} person={person} onAsked={() => setAsked(true)} {...after} />,
									)
								}
							/>
							<Prompts account={account} reach={reach} />
						</Section>
					) : tab === "statement" ? (
						<>
							<Section title="Statement" note="Every change of the balance, from the beginning of the loan.">
								<Statement accountId={accountId} reach={reach} installments={installments} />
							</Section>
							<Issued accountId={accountId} person={person} today={today} />
						</>
					) : (
						<Section
							title="Schedule"
							note="The amounts if each installment is paid on its day. They include interest that is not owed yet today."
						>
							<Loaded of={schedule} skeleton={<Rows of={8} />}>
								{(rows) => (
									<>
										{rows.length > 0 && <Schedule installments={rows} currency={currency} on={today} />}
										<ScheduleTable
											installments={rows}
											currency={currency}
											onPaid={(installment) =>
												dialogs.show(<PaidBy accountId={accountId} installment={installment} reach={reach} onClose={dialogs.close} />)
											}
										/>
										<SaveList
											of={{
												line: "GET /v1/accounts/{accountId}/installments",
												request: { path: { accountId }, query: { size: 100 }, ...reach },
												currency,
											}}
										/>
									</>
								)}
							</Loaded>
						</Section>
					)}
				</>
			)}
			{isRead(schedule) && why.value && owes && <Payoff accountId={accountId} reach={reach} today={why.value.as_of} />}
			{dialogs.shown}
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

/** What is shown below, and by whom it is followed up, is asked for side by side with what it stands below. */
function useEarly({ id: accountId, balance }: CreditAccount, person: Person, tab: string): void {
	const reach = reachOf(person);
	const when = <Request,>(shown: boolean, request: Request) => (shown ? request : undefined);
	const owes = balance.total_outstanding > 0;
	useWatch("GET /v1/accounts/{accountId}/payoff", when(owes, payoffOf(accountId, reach)));
	useWatch("GET /v1/accounts/{accountId}/statement", when(tab === "statement", statementOf(accountId, reach)));
	useWatch("GET /v1/accounts/{accountId}/installments/transactions", when(tab === "transactions", transactionsOf(accountId, reach)));
	useWatch("GET /v1/collections/follow-ups", when(tab === "follow-ups", followUpsOf({ account_id: accountId }, person)));
}

interface ActionsProps {
	readonly account: CreditAccount;
	readonly onAct: (doing: Doing) => void;
	readonly onStep: (step: Step) => void;
}

function Actions({ account, onAct, onStep }: ActionsProps) {
	const owes = account.balance.total_outstanding > 0;
	return (
		<>
			{owes && account.status !== "WRITTEN_OFF" && (
				<button type="button" onClick={() => onStep("reschedule")}>
					Reschedule
				</button>
			)}
			{!owes && account.status !== "CLOSED" && (
				<button type="button" class="danger" onClick={() => onStep("close")}>
					Close
				</button>
			)}
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
					<button type="button" onClick={() => onStep("prompt")}>
						Ask to pay
					</button>
				</>
			)}
			{account.status !== "CLOSED" && (
				<button type="button" class="primary" onClick={() => onStep("pay")}>
					Record a payment
				</button>
			)}
		</>
	);
}
