// One user: what they may do, their accounts and applications, and what may be done about them.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { amountIn, minute } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { LoanApplication, PlatformUser } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { useDoing } from "../../ui/dialog.tsx";
import { late } from "../../ui/late.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Facts, Head, Section, WaitsForApproval } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Badge, State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { type Dialogs, useDialogs } from "../form.tsx";
import { Accounts as AccountList } from "../lending/accounts.tsx";
import { FollowUps } from "../lending/follow-ups.tsx";
import { Amount, reachOf } from "../list.tsx";
import { mayLend } from "../may.ts";
import { nameOf } from "../people.tsx";
import type { UserStep } from "../service/user-steps.tsx";
import { useAccountsOf } from "./accounts-of.ts";
import { ActOnUser, type OnUser } from "./user-actions.tsx";

const OnUserStep = late(async () => (await import("../service/user-steps.tsx")).OnUserStep);
const CancelApplication = late(async () => (await import("../service/user-steps.tsx")).CancelApplication);
const ActOnPayout = late(async () => (await import("../account/payouts.tsx")).ActOnPayout);
const StateIdentity = late(async () => (await import("../lending/credit-bureau-identity.tsx")).StateIdentity);
const Recoveries = late(async () => (await import("../service/user-steps.tsx")).Recoveries);

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
	const [of, word] = user.blocked ? (["suspended", "Blocked"] as const) : stateInWords("PlatformUser.status", user.status);
	const operates = person.kind === "operator";
	const decides = mayLend(person);
	const dialogs = useDialogs();
	const step = (next: UserStep) =>
		dialogs.show(<OnUserStep step={next} user={user} person={person} onClose={dialogs.close} onDone={dialogs.say} />);
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
									<button type="button" onClick={() => step("recover")}>
										Lost number
									</button>
									<button type="button" onClick={() => step("link")}>
										Link identity
									</button>
									{user.home_organization_id === null && (
										<button type="button" onClick={() => step("home")}>
											Home organization
										</button>
									)}
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
							{person.kind === "member" && user.home_organization_id === person.acting?.id && (
								<button type="button" onClick={() => dialogs.show(<StateIdentity userId={user.id} onClose={dialogs.close} />)}>
									Document
								</button>
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
			{dialogs.shown}
			{operates && <Recoveries userId={user.id} />}
			<Facts of={factsOf(user, person)} />
			<Accounts userId={user.id} reach={reach} />
			<Applications userId={user.id} reach={reach} operates={operates} dialogs={dialogs} />
			<FollowUps userId={user.id} person={person} />
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
		["Joined", <Time key="joined" at={created_at} />],
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
	{
		head: "Asked",
		cell: ({ id, created_at }) => (
			<>
				{minute(Date.parse(created_at))}
				<small>
					<Id of={id} what="the application's id" />
				</small>
			</>
		),
	},
	{
		head: "State",
		cell: ({ status, rejection_reasons, failure_reason }) => {
			const [of, word, note] = stateInWords("LoanApplication.status", status);
			return (
				<State of={of} word={word} note={failure_reason ?? (rejection_reasons.join(", ").replaceAll("_", " ").toLowerCase() || note)} />
			);
		},
	},
	{ head: "Amount", right: true, cell: ({ loan_amount, currency }) => <Amount value={loan_amount} currency={currency} /> },
];

const OPEN: ReadonlySet<string> = new Set(["PENDING", "APPROVED"]);

function Applications({ userId, reach, operates, dialogs }: Of & { readonly operates: boolean; readonly dialogs: Dialogs }) {
	const { show, close, say } = dialogs;
	const after = { onClose: close, onDone: say };
	const columns: readonly Column<LoanApplication>[] = [
		...APPLICATIONS,
		{
			head: "",
			right: true,
			cell: ({ id, status, loan_amount: value, currency }) =>
				OPEN.has(status) ? (
					<button type="button" onClick={() => show(<CancelApplication id={id} {...after} />)} aria-label={`Withdraw ${id.slice(-8)}`}>
						Withdraw
					</button>
				) : (
					status === "DISBURSED" && (
						<button
							type="button"
							class="danger"
							onClick={() => show(<ActOnPayout what="return" id={id} amount={{ value, currency }} {...after} />)}
							aria-label={`The money of ${id.slice(-8)} came back`}
						>
							Came back
						</button>
					)
				),
		},
	];
	const read = useWatch("GET /v1/accounts/loan/applications", { query: { user_id: userId, size: 10 }, ...reach });
	return (
		<Section title="Applications" note="The latest ten.">
			<Loaded of={read} skeleton={2}>
				{({ data }) =>
					data.length === 0 ? (
						<p class="foot-note">None yet.</p>
					) : (
						<Table label="Applications" rows={data} columns={operates ? columns : APPLICATIONS} keyOf={({ id }) => id} />
					)
				}
			</Loaded>
		</Section>
	);
}
