// A current account: its balance, and what has moved it.

import { useState } from "preact/hooks";
import { now } from "../../clock.ts";
import { money } from "../../format.ts";
import { stateInWords } from "../../states.ts";
import type { CurrentAccount, CurrentAccountTransaction } from "../../typed.ts";
import { late } from "../../ui/late.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Figures, Head, Section, WaitsForApproval } from "../../ui/page.tsx";
import { Badge } from "../../ui/state.tsx";
import { type Column, Pager, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { useDialogs } from "../form.tsx";
import { reachOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { nameOf } from "../people.tsx";
import { SaveList } from "../save.tsx";
import { AboutAccount, useBorrower } from "./about-account.tsx";
import { MOVEMENTS } from "./entries.ts";

const Freeze = late(async () => (await import("../account/steps.tsx")).Freeze);
const Issued = late(async () => (await import("./issued.tsx")).Issued);
const Transfers = late(async () => (await import("../account/steps.tsx")).Transfers);

const COLUMNS: readonly Column<CurrentAccountTransaction>[] = [
	{
		head: "Transaction",
		cell: ({ type, counterparty, note }) => (
			<>
				{MOVEMENTS[type]}
				<small>{[counterparty.name, note].filter(Boolean).join(" · ")}</small>
			</>
		),
	},
	{ head: "Amount", right: true, cell: ({ amount, currency }) => money(amount, currency) },
	{ head: "Balance", right: true, wide: true, cell: ({ running_balance, currency }) => money(running_balance, currency) },
	{ head: "When", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

interface Props {
	/** Whose: absent for one's own. */
	readonly userId: string | undefined;
	readonly reach: { readonly organization?: null };
}

function Movements({ userId, reach }: Props) {
	const [cursor, turn] = useState<{ readonly after?: string; readonly before?: string }>({});
	const query = { size: 25, ...(userId && { user_id: userId }), ...cursor };
	const read = useWatch("GET /v1/user/accounts/current/transactions", { query, ...reach });
	return (
		<Loaded of={read} skeleton={4}>
			{({ data, links }) =>
				data.length === 0 ? (
					<Empty title="Nothing has moved yet" children="Money that comes in or goes out will be here." />
				) : (
					<>
						<Table label="Transactions" rows={data} columns={COLUMNS} keyOf={({ id }) => id} />
						<Pager prev={links.prev} next={links.next} onPage={turn} />
						{read.source && <SaveList of={read.source} />}
					</>
				)
			}
		</Loaded>
	);
}

export function Current({ account, person }: { readonly account: CurrentAccount; readonly person: Person }) {
	const { currency, balance, status, user_id } = account;
	const borrower = useBorrower({ account, person });
	const dialogs = useDialogs();
	const [asked, setAsked] = useState(false);
	const [of, word, note] = stateInWords("CurrentAccount.status", status);
	const freeze = () =>
		dialogs.show(
			<Freeze
				account={account}
				alone={person.kind === "operator"}
				onClose={dialogs.close}
				onAsked={() => setAsked(true)}
				onDone={dialogs.say}
			/>,
		);
	const isOpen = status === "ACTIVE" || status === "FROZEN";
	return (
		<>
			<Head
				title={borrower ? `Current account of ${nameOf(borrower)}` : "Current account"}
				from={["/accounts", "Accounts"]}
				badge={<Badge of={of} word={word} />}
				about={<AboutAccount account={account} person={person} {...(note && { children: note })} />}
				actions={
					mayLend(person) &&
					isOpen && (
						<button type="button" class="danger" onClick={freeze}>
							{status === "FROZEN" ? "Release" : "Freeze"}
						</button>
					)
				}
			/>
			{asked && <WaitsForApproval />}
			{dialogs.shown}
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
			<Issued accountId={account.id} person={person} today={new Date(now()).toISOString().slice(0, 10)} />
			{person.kind !== "borrower" && <Transfers userId={user_id} reach={reachOf(person)} />}
		</>
	);
}
