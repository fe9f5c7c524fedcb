// One user: what they may do, their accounts and applications, and what may be done about them.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { amountIn } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { told } from "../../states.ts";
import type { LoanApplication, PlatformUser } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { useDoing } from "../../ui/dialog.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Facts, Head, Section, WaitsForApproval } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Badge, State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { Accounts as AccountList } from "../lending/accounts.tsx";
import { Amount, reachOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { nameOf } from "../people.tsx";
import { useAccountsOf } from "./accounts-of.ts";
import { ActOnUser, type OnUser } from "./user-actions.tsx";

export function Page({ params: { id: userId = "" }, person }: PageProps) {
	const read = useWatch("GET /v1/platform/users/{userId}", { path: { userId }, ...reachOf(person) }, 2);
	const skeleton = (
		<>
			<Head title="User" from={["/users", "Users"]} about={"\u2007"} />
			<Rows of={4} />
		</>
	);
	return (
		<Loaded of={read} skeleton={skeleton}>
			{(user) => <User of={user} person={person} />}
		</Loaded>
	);
}

function User({ of: user, person }: { readonly of: PlatformUser; readonly person: Person }) {
	const [doing, act] = useState<OnUser>();
	const [asked, setAsked] = useState(false);
	const [busy, run, error] = useDoing();
	const reach = reachOf(person);
	const [of, word] = user.blocked ? (["suspended", "Blocked"] as const) : told("PlatformUser.status", user.status);
	const operates = person.kind === "operator";
	const decides = mayLend(person);
	const admit = () => run(() => call("POST /v1/platform/users/{userId}/admit", { path: { userId: user.id }, ...reach }));
	return (
		<>
			<Head
				title={nameOf(user)}
				from={["/users", "Users"]}
				badge={<Badge of={of} word={word} />}
				about={
					<>
						{user.mobile_number ?? "no number"} · {user.tag} · <Id of={user.id} what="the user's id" />
					</>
				}
				actions={
					decides && (
						<>
							{operates && (
								<>
									<button type="button" onClick={() => act("export")}>
										Export
									</button>
									<button type="button" onClick={() => act("sessions")}>
										End sessions
									</button>
									<button type="button" class="danger" onClick={() => act("erase")}>
										Erase
									</button>
								</>
							)}
							<button type="button" onClick={() => act("limit")}>
								Limit
							</button>
							<button type="button" class="danger" onClick={() => act("block")}>
								{user.blocked ? "Lift the block" : "Block"}
							</button>
							{user.status === "WAITING_LIST" && (
								<button type="button" class="primary" disabled={busy} onClick={() => void admit()}>
									Admit
								</button>
							)}
						</>
					)
				}
			/>
			{error && <Problem error={error} />}
			{asked && <WaitsForApproval />}
			<Facts of={factsOf(user, person)} />
			<Accounts userId={user.id} reach={reach} />
			<Applications userId={user.id} reach={reach} />
			{doing && <ActOnUser doing={doing} user={user} person={person} onClose={() => act(undefined)} onAsked={() => setAsked(true)} />}
		</>
	);
}

function factsOf(user: PlatformUser, { organizations }: Person): [string, preact.ComponentChildren][] {
	const { home_organization_id: home, credit_limit, identities, created_at, last_seen_at } = user;
	const limit = credit_limit?.effective;
	return [
		["Customer of", home ? (organizations.find(({ id }) => id === home)?.name ?? <Id of={home} />) : "nobody yet"],
		...(credit_limit
			? [
					[
						"Limit",
						limit == null
							? "none"
							: `${amountIn(credit_limit.currency, limit)}${credit_limit.override === null ? ", from loans repaid on time" : ", set by an operator"}`,
					] as [string, string],
				]
			: []),
		...(identities?.length ? [["Identities", identities.map(({ issuer }) => issuer).join(", ")] as [string, string]] : []),
		["Came", <Time key="came" at={created_at} />],
		["Last seen", last_seen_at ? <Time key="seen" at={last_seen_at} /> : "not yet"],
	];
}

interface Of {
	readonly userId: string;
	readonly reach: { readonly organization?: null };
}

function Accounts({ userId, reach }: Of) {
	const read = useAccountsOf(userId, reach);
	return (
		<Section title="Accounts">
			<AccountList of={read} skeleton={2} empty="A first loan opens one." />
		</Section>
	);
}

const APPLICATIONS: readonly Column<LoanApplication>[] = [
	{ head: "Application", cell: ({ id }) => <Id of={id} what="the application's id" /> },
	{
		head: "State",
		cell: ({ status, rejection_reasons, failure_reason }) => {
			const [of, word, note] = told("LoanApplication.status", status);
			return (
				<State of={of} word={word} note={failure_reason ?? (rejection_reasons.join(", ").replaceAll("_", " ").toLowerCase() || note)} />
			);
		},
	},
	{ head: "Amount", right: true, cell: ({ loan_amount, currency }) => <Amount value={loan_amount} currency={currency} /> },
	{ head: "Asked", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

function Applications({ userId, reach }: Of) {
	const read = useWatch("GET /v1/accounts/loan/applications", { query: { user_id: userId, size: 10 }, ...reach });
	return (
		<Section title="Applications" note="The latest ten.">
			<Loaded of={read} skeleton={2}>
				{({ data }) =>
					data.length === 0 ? (
						<p class="foot-note">None yet.</p>
					) : (
						<Table label="Applications" rows={data} columns={APPLICATIONS} keyOf={({ id }) => id} />
					)
				}
			</Loaded>
		</Section>
	);
}
