// The sandbox: a first loan, the clock, the messages that nobody sends, and a receiver to break.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { setClock, useClock } from "../../clock.ts";
import { exact, minute, money, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { SandboxMessage } from "../../typed.ts";
import { CopyIcon } from "../../ui/copy.tsx";
import { useDoing } from "../../ui/dialog.tsx";
import { EventName } from "../../ui/event-name.tsx";
import { Empty, Loaded, Rows } from "../../ui/loaded.tsx";
import { Choice, Head, Link, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Mark, State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { type Loan, LoanFailed, STEPS, startLoan } from "./first-loan.ts";
import { type Received, type Receiver, useReceiver, type Watching } from "./receiver.ts";

export function Page({ person, offers }: PageProps) {
	const { receiver, set, again } = useReceiver();
	return (
		<>
			<Head title="Sandbox" about="Time, messages and money that are not real" />
			{receiver === undefined && <Rows of={8} />}
			{person.acting && receiver && <FirstLoan acting={person.acting} offers={offers} onPaidOut={again} />}
			{receiver !== undefined && <Clock />}
			{receiver && <Receiving of={receiver} set={set} />}
			{receiver !== undefined && <Messages />}
		</>
	);
}

function FirstLoan({
	acting,
	offers,
	onPaidOut,
}: {
	readonly acting: NonNullable<PageProps["person"]["acting"]>;
	readonly offers: PageProps["offers"];
	readonly onPaidOut: () => Promise<void>;
}) {
	const [done, setDone] = useState(-1);
	const [loan, set] = useState<Loan>();
	const [busy, run, error] = useDoing();
	const start = () =>
		run(async () => {
			set(undefined);
			setDone(0);
			set(await startLoan(acting, setDone));
			await onPaidOut();
		});
	return (
		<Section title="A first loan" note={`In ${acting.name}, with the receiver that runs next to the service`}>
			<div class="panel">
				{done < 0 ? (
					<p>From nothing to a loan that is paid out, and a signed webhook that a receiver has checked. It takes a few seconds.</p>
				) : (
					<ol class="done-list">
						{STEPS.map((step, index) => (
							<li key={step} class={index < done ? "done" : undefined}>
								<Mark of={index < done ? "good" : index === done && busy ? "retrying" : "idle"} />
								<span>
									{step}
									{index < done && <span class="hidden"> (done)</span>}
								</span>
							</li>
						))}
					</ol>
				)}
				{error && (error instanceof LoanFailed ? <p class="notice is-failing">{error.message}</p> : <Problem error={error} />)}
				{loan && <Outcome of={loan} offers={offers} />}
				<div class="buttons after-small">
					<button type="button" class={loan ? undefined : "primary"} disabled={busy} onClick={() => void start()}>
						{loan ? "Start another loan" : "Start a loan"}
					</button>
				</div>
			</div>
		</Section>
	);
}

function Outcome({
	of: { application, deliveryId, endpointId, signature },
	offers,
}: {
	readonly of: Loan;
	readonly offers: PageProps["offers"];
}) {
	const { loan_amount, currency, account_id } = application;
	const isValid = signature === "VALID";
	return (
		<div class={`notice ${isValid ? "is-good" : "is-failing"}`} role="status">
			<Mark of={isValid ? "good" : "failing"} />
			<div>
				<strong>
					{currency} {money(loan_amount, currency)} are paid out.
				</strong>{" "}
				{isValid ? "The receiver got the webhook, and its signature is valid." : `The receiver refused the webhook: ${signature}.`}
				<p class="links">
					{offers(`/accounts/${account_id}`) && <Link to={`/accounts/${account_id}`}>The account</Link>}
					<Link to={`/deliveries/${deliveryId}`}>The delivery</Link>
					<Link to={`/endpoints/${endpointId}`}>The endpoint</Link>
					<Link to="/events">Live events</Link>
				</p>
			</div>
		</div>
	);
}

const LEAPS = [
	["PT30M", "+ 30 minutes"],
	["P1D", "+ 1 day"],
	["P7D", "+ 7 days"],
	["P30D", "+ 30 days"],
] as const;

function Clock() {
	const at = useClock();
	const [busy, run, error] = useDoing();
	const leap = (advance: string) =>
		run(async () => setClock((await call("POST /v1/sandbox/clock", { body: { advance }, organization: null })).now));
	return (
		<Section
			title="Clock"
			note="Everything that falls due meanwhile is done: installments, penalties, retries. The clock cannot be set back."
		>
			<div class="panel clock">
				<time class="large" title={exact(at)}>
					{minute(at)}
				</time>
				<div class="buttons">
					{LEAPS.map(([advance, name]) => (
						<button type="button" key={advance} disabled={busy} onClick={() => void leap(advance)}>
							{name}
						</button>
					))}
				</div>
			</div>
			<p class="foot-note" role="status">
				{busy && "The clock moves, and what falls due is done …"}
			</p>
			{error && <Problem error={error} />}
		</Section>
	);
}

const BEHAVIOURS = [
	["well", "Answers"],
	["fails", "Fails with 503"],
	["slow", "Answers after 3 s"],
	["hangs", "Never answers"],
] as const;
type Behaviour = (typeof BEHAVIOURS)[number][0];
/** More than are ever sent. */
const ALWAYS = 1_000_000;

const behaviourOf = ({ failures, hang, delay_ms }: Receiver): Behaviour =>
	hang ? "hangs" : failures > 0 ? "fails" : delay_ms > 0 ? "slow" : "well";

const COLUMNS: readonly Column<Received>[] = [
	{ head: "Event", cell: ({ event_type }) => <EventName of={event_type} /> },
	{
		head: "Signature",
		cell: ({ signature }) =>
			signature === "VALID" ? (
				<State of="good" word="Valid" />
			) : (
				<State
					of={signature ? "failing" : "idle"}
					word={signature ? "Refused" : "Not checked"}
					note={signature?.toLowerCase().replaceAll("_", " ")}
				/>
			),
	},
	{ head: "Attempt", right: true, wide: true, cell: ({ attempt }) => attempt },
	{
		head: "Answered",
		right: true,
		cell: ({ status }) => <span class={status === null || status >= 300 ? "bad" : undefined}>{status ?? "nothing"}</span>,
	},
	{ head: "Arrived", right: true, wide: true, cell: ({ received_at }) => minute(Date.parse(received_at)) },
];

function Receiving({ of, set }: { readonly of: Receiver; readonly set: Watching["set"] }) {
	const [, run, error] = useDoing();
	const change = (to: Behaviour) =>
		run(() => set({ failures: to === "fails" ? ALWAYS : 0, status: 503, hang: to === "hangs", delay_ms: to === "slow" ? 3_000 : 0 }));
	return (
		<Section title="Receiver" note={of.url}>
			<div class="filters">
				<Choice label="How the receiver answers" value={behaviourOf(of)} of={BEHAVIOURS} onChange={(to) => void change(to)} />
			</div>
			{behaviourOf(of) !== "well" && (
				<p class="hint below">
					Move the clock by 30 minutes to see the retries. After ten failed deliveries in a row the endpoint is suspended.
				</p>
			)}
			{error && <Problem error={error} />}
			{of.received.length > 0 ? (
				<Table
					label="Received deliveries"
					rows={of.received}
					columns={COLUMNS}
					keyOf={({ delivery_id, attempt }) => `${delivery_id} ${attempt}`}
					to={({ delivery_id }) => `/deliveries/${delivery_id}`}
				/>
			) : (
				<Empty title="It has got nothing yet">Start a loan, or send a test from its endpoint’s page.</Empty>
			)}
		</Section>
	);
}

const MESSAGES: readonly Column<SandboxMessage>[] = [
	{
		head: "To",
		cell: ({ recipient, purpose }) => (
			<>
				{recipient}
				<small>{purpose}</small>
			</>
		),
	},
	{
		head: "Code",
		cell: ({ otp_code }) =>
			otp_code && (
				<>
					<code class="code">{otp_code}</code> <CopyIcon text={otp_code} what="the code" />
				</>
			),
	},
	{ head: "Text", wide: true, cell: ({ text }) => text ?? <span class="hint">erased</span> },
	{ head: "Sent", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

function Messages() {
	const messages = useWatch("GET /v1/sandbox/messages", { query: { size: 20 }, organization: null }, 6);
	return (
		<Section title="Messages" note="Text messages and mails that the sandbox sends to nobody, with their codes">
			<Loaded of={messages} skeleton={3}>
				{({ data }) =>
					data.length > 0 ? (
						<>
							<Table label="Messages" rows={data} columns={MESSAGES} keyOf={({ id }) => id} />
							<p class="foot-note">The latest {plural(data.length, "message")}</p>
						</>
					) : (
						<Empty title="No message yet">Sign in with a phone number: its code appears here.</Empty>
					)
				}
			</Loaded>
		</Section>
	);
}
