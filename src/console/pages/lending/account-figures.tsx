// What an account owes: today, next, and to end it on a day.

import { useState } from "preact/hooks";
import { day, money } from "../../format.ts";
import type { CreditAccount, Installment } from "../../typed.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Facts, Field, Figures, Section } from "../../ui/page.tsx";
import { useWatch } from "../../watch.ts";

export function CreditFigures(props: {
	readonly account: CreditAccount;
	readonly installments: readonly Installment[];
	readonly today: string;
}) {
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

type Reach = { readonly organization?: null };

/** Without a day that of the service's clock, from which this machine's may differ. */
export const payoffOf = (accountId: string, reach: Reach, on?: string) => ({ path: { accountId }, query: { on }, ...reach });

export function Payoff({ accountId, reach, today }: { readonly accountId: string; readonly reach: Reach; readonly today: string }) {
	const [chosen, choose] = useState<string>();
	// The day changes while the page is open, and nothing is paid off in the past.
	const on = chosen && chosen > today ? chosen : undefined;
	const read = useWatch("GET /v1/accounts/{accountId}/payoff", payoffOf(accountId, reach, on));
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
							value={on ?? today}
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
