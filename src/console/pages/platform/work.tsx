// What waits for people: how much of each kind, and each piece of it, oldest first.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { count, words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { Attention, WorkItem } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { Confirm, useDoing } from "../../ui/dialog.tsx";
import { late } from "../../ui/late.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Field, Head, Link, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Mark } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { useDialogs } from "../form.tsx";
import { Amount, List, pageOf } from "../list.tsx";
import { Named, usePeople } from "../people.tsx";
import { KINDS, type Kind } from "./kinds.ts";

const ActOnPayout = late(async () => (await import("../account/payouts.tsx")).ActOnPayout);

export function Page({ query, person }: PageProps) {
	const read = useWatch("GET /v1/platform/attention", {}, 2);
	const kind = (Object.keys(KINDS) as Kind[]).find((one) => one === query.get("kind"));
	return (
		<>
			<Head
				title={kind ? KINDS[kind].name : "Work"}
				{...(kind && { from: ["/work", "Work"] as const })}
				about={
					kind
						? KINDS[kind].waitsFor
						: "Work that waits for people, over all organizations. Payouts and instructions count after ten minutes."
				}
			/>
			{kind ? (
				<Items kind={kind} query={query} names={new Map(person.organizations.map(({ id, name }) => [id, name]))} person={person} />
			) : (
				<Loaded of={read} skeleton={12}>
					{({ data }) => (
						<Table label="Kinds of work" rows={data} columns={COLUMNS} keyOf={(row) => row.kind} to={(row) => `/work?kind=${row.kind}`} />
					)}
				</Loaded>
			)}
		</>
	);
}

const COLUMNS: readonly Column<Attention>[] = [
	{
		head: "Kind",
		cell: ({ kind, count: waiting }) => (
			<span class="state">
				<Mark of={waiting === 0 ? "good" : KINDS[kind]?.urgent ? "failing" : "waiting"} />
				<span>
					{KINDS[kind]?.name ?? words(kind)}
					<small class="wide">{KINDS[kind]?.waitsFor}</small>
				</span>
			</span>
		),
	},
	{ head: "Waiting", right: true, cell: ({ count: waiting, more }) => (waiting === 0 ? "none" : `${count(waiting)}${more ? "+" : ""}`) },
	{ head: "Oldest", right: true, cell: ({ oldest }) => (oldest ? <Time at={oldest} /> : "–") },
];

/** A receipt is written as it is, a code in words. */
const noteOf = ({ reason, reference }: WorkItem): string =>
	[reason && reason !== reference && (/^[A-Z]+(_[A-Z]+)*$/.test(reason) ? words(reason) : reason), reference].filter(Boolean).join(" · ");

interface ItemsProps {
	readonly kind: Kind;
	readonly query: URLSearchParams;
	readonly names: ReadonlyMap<string, string>;
	readonly person: Person;
}

function Items({ kind, query, names, person }: ItemsProps) {
	const read = useWatch("GET /v1/platform/work", { query: { kind, size: 25, ...pageOf(query) } }, 2);
	const people = usePeople(
		read.value?.data.map(({ user_id }) => user_id),
		person,
	);
	const [busy, run, error] = useDoing();
	const [givingUp, giveUp] = useState<string>();
	const { place, again, givenUp, dismissed } = KINDS[kind];
	const { shown, show, close, say } = useDialogs();
	const retry = (id: string) => run(() => call("POST /v1/platform/work/{kind}/{id}/retry", { path: { kind, id } }));
	const columns: Column<WorkItem>[] = [
		{
			head: "What",
			cell: (item) => {
				const to = place?.(item);
				return (
					<>
						{to ? <Link to={to}>{words(item.state)}</Link> : words(item.state)}
						<small>{noteOf(item) || <Id of={item.id} />}</small>
					</>
				);
			},
		},
		{ head: "User", wide: true, cell: ({ user_id }) => <Named of={people?.get(user_id ?? "")} /> },
		{ head: "Whose", wide: true, cell: ({ organization_id: id }) => (id ? (names.get(id) ?? <Id of={id} />) : "the platform's") },
		{ head: "Amount", right: true, wide: true, cell: ({ amount }) => (amount ? <Amount {...amount} /> : "–") },
		{
			head: "Attempts",
			right: true,
			wide: true,
			cell: ({ attempts, next_attempt_at }) => (
				<>
					{attempts ?? "–"}
					{next_attempt_at && (
						<small>
							<Time at={next_attempt_at} counting />
						</small>
					)}
				</>
			),
		},
		{ head: "Since", right: true, cell: ({ since }) => <Time at={since} /> },
		...(dismissed
			? [
					{
						head: "",
						right: true,
						cell: ({ id, amount }: WorkItem) => (
							<button
								type="button"
								onClick={() => show(<ActOnPayout what="dismiss" id={id} amount={amount} onClose={close} onDone={say} />)}
								aria-label={`Dismiss ${id.slice(-8)}`}
							>
								Dismiss
							</button>
						),
					},
				]
			: []),
		...(again
			? [
					{
						head: "",
						right: true,
						cell: ({ id }: WorkItem) => (
							<>
								<button type="button" disabled={busy} onClick={() => void retry(id)} aria-label={`Do again ${id.slice(-8)}`}>
									Do again
								</button>
								{givenUp && (
									<button type="button" class="danger" onClick={() => giveUp(id)} aria-label={`Give up ${id.slice(-8)}`}>
										Give up
									</button>
								)}
							</>
						),
					},
				]
			: []),
	];
	return (
		<Section title="Oldest first">
			{error && <Problem error={error} />}
			{shown}
			{givingUp && <GiveUp id={givingUp} onClose={() => giveUp(undefined)} />}
			<List
				of={people ? read : { ...read, value: undefined }}
				empty={["Nothing waits", "Work of this kind will be here as soon as it needs somebody."]}
			>
				{(rows) => <Table label={KINDS[kind].name} rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
		</Section>
	);
}

function GiveUp({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
	const [reason, setReason] = useState("");
	return (
		<Confirm
			title={`Give up returning the money of ${id.slice(-8)}?`}
			verb="Give up"
			dangerous
			onClose={onClose}
			onConfirm={() => call("POST /v1/repayments/{id}/return/give-up", { path: { id }, body: { reason } })}
		>
			<p>We stop sending the request. The provider may still act on earlier ones; settle with the payer yourself.</p>
			<Field label="Reason" hint="Kept with the payment, and in the audit trail">
				{(ids) => (
					<input {...ids} required maxLength={255} value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
				)}
			</Field>
		</Confirm>
	);
}
