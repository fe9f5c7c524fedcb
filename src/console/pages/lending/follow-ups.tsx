// What was noted on a loan or a borrower, promised and sent, and who looks after it.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { calendarDay, now } from "../../clock.ts";
import { amountIn, day } from "../../format.ts";
import type { FollowUp } from "../../typed.ts";
import { Answer, Confirm, Dialog, useDoing } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Field, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type Shape, State } from "../../ui/state.tsx";
import { type Column, Pager, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { type Person, permitted } from "../../who.ts";
import { minorOf } from "../amounts.ts";
import { mayLend } from "../may.ts";
import { ownerName, useColleagues } from "../members.ts";

export const PROMISED: Readonly<Record<NonNullable<FollowUp["status"]>, readonly [of: Shape, word: string]>> = {
	OPEN: ["waiting", "Promised"],
	KEPT: ["good", "Kept"],
	BROKEN: ["failing", "Broken"],
	WITHDRAWN: ["ended", "Withdrawn"],
};

const sees = permitted("org:lending:read");

type Cursor = { readonly after?: string; readonly before?: string };
type Subject = { readonly account_id: string } | { readonly user_id: string };

/** What is asked; undefined for who may not see them. */
export const followUpsOf = (of: Subject, person: Person, cursor: Cursor = {}) =>
	sees(person) ? { query: { ...of, size: 20, ...cursor } } : undefined;

interface FollowUpsProps {
	/** The loan, else the borrower. */
	readonly accountId?: string;
	readonly currency?: string;
	readonly userId?: string;
	/** Whether something is owed, of which a payment can be promised. */
	readonly owes?: boolean;
	readonly person: Person;
}

export function FollowUps({ accountId, userId, currency, owes = false, person }: FollowUpsProps) {
	const [cursor, turn] = useState<Cursor>({});
	const [doing, act] = useState<"promise" | "remind">();
	const [busy, run, error] = useDoing();
	const colleagues = useColleagues(person);
	const of: Subject = accountId ? { account_id: accountId } : { user_id: userId ?? "" };
	const read = useWatch("GET /v1/collections/follow-ups", followUpsOf(of, person, cursor), 1);
	if (!sees(person)) return null;
	const writes = mayLend(person);
	const withdraw = (id: string) => run(() => call("POST /v1/collections/follow-ups/{followUpId}/withdraw", { path: { followUpId: id } }));
	const columns: readonly Column<FollowUp>[] = [
		{ head: "What", cell: (row) => <What of={row} /> },
		{
			head: "By",
			wide: true,
			cell: ({ author_id }) => ownerName(author_id, colleagues, person) ?? "",
		},
		{ head: "When", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
		{
			head: "",
			right: true,
			cell: ({ id, status }) =>
				writes &&
				status === "OPEN" && (
					<button type="button" disabled={busy} onClick={() => void withdraw(id)}>
						Withdraw
					</button>
				),
		},
	];
	return (
		<Section
			title="Follow-up"
			note={accountId ? "Notes, promises to pay and reminders; newest first." : "Notes on the borrower and on their loans; newest first."}
			action={
				writes &&
				accountId &&
				owes && (
					<div class="buttons">
						<button type="button" onClick={() => act("remind")}>
							Remind
						</button>
						<button type="button" onClick={() => act("promise")}>
							Promise
						</button>
					</div>
				)
			}
		>
			{error && <Problem error={error} />}
			<Loaded of={read} skeleton={3}>
				{({ data, owner_id, links }) => (
					<>
						{accountId ? (
							<Owner subjectId={accountId} kind="ACCOUNT" ownerId={owner_id} person={person} colleagues={colleagues} />
						) : (
							<Owner subjectId={userId ?? ""} kind="USER" ownerId={owner_id} person={person} colleagues={colleagues} />
						)}
						{writes && <NewNote of={of} />}
						{data.length === 0 ? (
							<p class="foot-note">Nothing is noted yet.</p>
						) : (
							<Table label="Follow-up" rows={data} columns={columns} keyOf={({ id }) => id} />
						)}
						<Pager prev={links.prev} next={links.next} onPage={turn} />
					</>
				)}
			</Loaded>
			{doing === "promise" && accountId && (
				<PromiseDialog accountId={accountId} currency={currency ?? null} onClose={() => act(undefined)} />
			)}
			{doing === "remind" && accountId && (
				<Confirm
					title="Remind the borrower?"
					verb="Remind"
					onClose={() => act(undefined)}
					onConfirm={() => call("POST /v1/collections/follow-ups", { body: { type: "REMINDER", account_id: accountId } })}
				>
					<p>They get a message of what is owed today, in their language. It is sent at most once a day.</p>
				</Confirm>
			)}
		</Section>
	);
}

function What({ of: { type, body, amount, day: on, status } }: { readonly of: FollowUp }) {
	if (type === "NOTE") return <span class="noted">{body ?? "A note that was erased"}</span>;
	if (type === "REMINDER" || !amount || !status) return <>Reminded by a message</>;
	const [of, word] = PROMISED[status];
	return <State of={of} word={word} note={`${amountIn(amount.currency, amount.value)} by ${day(on ?? "")}`} />;
}

interface OwnerProps {
	readonly subjectId: string;
	readonly kind: "ACCOUNT" | "USER";
	readonly ownerId: string | null;
	readonly person: Person;
	readonly colleagues: ReadonlyMap<string, string>;
}

function Owner({ subjectId, kind, ownerId, person, colleagues }: OwnerProps) {
	const [busy, run, error] = useDoing();
	const assign = (owner_id: string | null) =>
		run(() => call("PUT /v1/collections/owners/{subjectId}", { path: { subjectId }, body: { kind, owner_id } }));
	if (!mayLend(person) || colleagues.size === 0)
		return <p class="foot-note">Looked after by {ownerName(ownerId, colleagues, person) ?? "nobody"}.</p>;
	return (
		<>
			{error && <Problem error={error} />}
			<div class="filters">
				<Field label="Looked after by">
					{(ids) => (
						<select
							{...ids}
							disabled={busy}
							value={ownerId ?? ""}
							onChange={({ currentTarget }) => void assign(currentTarget.value || null)}
						>
							<option value="">Nobody</option>
							{ownerId && !colleagues.has(ownerId) && <option value={ownerId}>Another member</option>}
							{[...colleagues].map(([id, name]) => (
								<option key={id} value={id}>
									{id === person.id ? `${name} (you)` : name}
								</option>
							))}
						</select>
					)}
				</Field>
			</div>
		</>
	);
}

function NewNote({ of }: { readonly of: Subject }) {
	const [text, set] = useState("");
	const [busy, run, error] = useDoing();
	return (
		<form
			class="note"
			onSubmit={(event) => {
				event.preventDefault();
				void run(() => call("POST /v1/collections/follow-ups", { body: { type: "NOTE", body: text.trim(), ...of } })).then(
					(done) => done && set(""),
				);
			}}
		>
			{error && <Problem error={error} />}
			<Field label="A note" hint="Your colleagues read it. So does the borrower, if they ask for what is held about them.">
				{(ids) => (
					<textarea {...ids} rows={2} required maxLength={2_000} value={text} onInput={({ currentTarget }) => set(currentTarget.value)} />
				)}
			</Field>
			<div class="buttons">
				<button type="submit" disabled={busy || text.trim() === ""}>
					Add the note
				</button>
			</div>
		</form>
	);
}

const DAY_MS = 86_400_000;

function PromiseDialog(props: { readonly accountId: string; readonly currency: string | null; readonly onClose: () => void }) {
	const { accountId, currency, onClose } = props;
	const [sum, setSum] = useState("");
	const [on, setOn] = useState(() => calendarDay(now() + 3 * DAY_MS));
	const [busy, run, error] = useDoing();
	const amount = minorOf(sum, currency);
	return (
		<Dialog title="A promise to pay" onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (amount == null) return;
					const body = { type: "PROMISE" as const, account_id: accountId, amount, day: on };
					void run(() => call("POST /v1/collections/follow-ups", { body })).then((done) => done && onClose());
				}}
			>
				<Field label={`Amount, ${currency ?? ""}`}>
					{(ids) => (
						<input
							{...ids}
							inputMode="decimal"
							autofocus
							required
							value={sum}
							onInput={({ currentTarget }) => setSum(currentTarget.value)}
						/>
					)}
				</Field>
				<Field
					label="Paid by the end of"
					hint="When that day has ended, the promise is kept or broken by what was paid. A later promise replaces it."
				>
					{(ids) => (
						<input
							{...ids}
							type="date"
							required
							min={calendarDay(now())}
							max={calendarDay(now() + 90 * DAY_MS)}
							value={on}
							onChange={({ currentTarget }) => setOn(currentTarget.value)}
						/>
					)}
				</Field>
				<Answer verb="Record the promise" disabled={busy || amount == null} error={error} onClose={onClose} />
			</form>
		</Dialog>
	);
}
