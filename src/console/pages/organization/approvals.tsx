// A request of one person that another decides: what it will do, in words, before it is decided.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { ShownApproval } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Json } from "../../ui/json.tsx";
import { Choice, Done, Facts, Field, Head } from "../../ui/page.tsx";
import { Badge } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { List, pageOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { OwnerOf, type Owners, useOwners } from "../owners.tsx";
import { useEach, usePeople } from "../people.tsx";
import { About, MovedTo, movedTo, type Named, wholeTitle } from "./about.tsx";
import { type BeforeAfter, beforeAndAfter } from "./before-after.ts";
import { sourceOf, useSubject } from "./currency.ts";
import type { Effect } from "./effect.ts";
import { effectOf, failureOf, isOfOperators } from "./effects.ts";

const TABS = [
	["PENDING", "Waiting"],
	["APPROVED", "Approved"],
	["REJECTED", "Rejected"],
	["EXPIRED", "Expired"],
	["FAILED", "Not carried out"],
	["all", "All"],
] as const;

const EMPTY: Readonly<Record<string, readonly [string, string]>> = {
	PENDING: ["Nothing waits for a decision", "Requests appear here for seven days, until another person decides."],
	all: ["Nothing was asked for yet", "Blocks, limits, waivers, reversals and write-offs are asked for on the pages of users and accounts."],
};

export function Page({ query, person }: PageProps) {
	const status = TABS.find(([value]) => value === query.get("status"))?.[0] ?? "PENDING";
	const organization = person.kind === "operator" ? { organization: null } : {};
	const filter = status === "all" ? {} : { status };
	const read = useWatch("GET /v1/approvals", { query: { size: 20, ...filter, ...pageOf(query) }, ...organization }, 6);
	const rows = read.value?.data;
	// What was decided says its currency, and only what waits has a before and an after.
	const accounts = useEach(
		"GET /v1/accounts",
		rows?.flatMap((one) => [movedTo(one), one.status === "PENDING" && sourceOf(one, person)?.[0] === "account" && one.subject.account_id]),
		person,
	);
	const people = usePeople(accounts && rows?.flatMap((one) => [one.subject.user_id, accounts.get(movedTo(one) ?? "")?.user_id]), person);
	// What is decided is nobody's work any more.
	const owners = useOwners(
		rows?.filter((one) => one.status === "PENDING").map(({ id }) => id),
		person,
	);
	const [done, setDone] = useState<preact.ComponentChildren>();
	return (
		<>
			<Head title="Approvals" about="Changes that one person requests and another decides. An approved change is made at once." />
			<div class="filters">
				<Choice label="State" value={status} of={TABS} onChange={(next) => setFilter({ status: next === "PENDING" ? undefined : next })} />
			</div>
			{done && <Done>{done}</Done>}
			<List
				of={people && owners ? read : { ...read, value: undefined }}
				skeleton={3}
				filters={status === "PENDING" || status === "all" ? [] : ["status"]}
				empty={EMPTY[status] ?? EMPTY.all ?? ["", ""]}
			>
				{(rows) => (
					<ul class="cards">
						{rows.map((row) => (
							<Approval key={row.id} of={row} person={person} known={{ accounts, people, owners }} onDone={setDone} />
						))}
					</ul>
				)}
			</List>
		</>
	);
}

const THROUGH: Readonly<Record<ShownApproval["requested_through"], string>> = {
	API_KEY: "by an API key",
	MEMBER: "member",
	OPERATOR: "operator",
};

interface ApprovalProps {
	readonly of: ShownApproval;
	readonly person: Person;
	readonly known: Named & { readonly owners: Owners | undefined };
	readonly onDone: (what: preact.ComponentChildren) => void;
}

function Approval({ of: approval, person, known: { accounts, people, owners }, onDone }: ApprovalProps) {
	const { status, reason, expires_at, created_at, requested_by, requested_through, actor_display, decided_at, decided_by } = approval;
	const [decision, decide] = useState<"APPROVED" | "REJECTED">();
	const { currency, account, reschedule, user: asRead } = useSubject(approval, person, { accounts, decides: decision !== undefined });
	const user = people?.get(approval.subject.user_id ?? "");
	const effect = effectOf(approval, currency);
	const called = wholeTitle(effect, approval, user);
	const about = <About of={approval} user={user} about={effect.about} />;
	const change = status === "PENDING" ? beforeAndAfter(approval, { account, reschedule, user: asRead ?? user }) : [];
	const moved = movedTo(approval);
	const [of, word] = stateInWords("ShownApproval.status", status);
	const own = person.id === requested_by || person.id.endsWith(` ${requested_by}`) || actor_display === person.id.split(" ").at(-1);
	const waits = status === "PENDING";
	return (
		<li class="card">
			<div class="card-head">
				<div>
					<h2>{effect.title}</h2>
					{reason && <p>{reason}</p>}
				</div>
				<Badge of={of} word={word} />
			</div>
			<Facts
				of={[
					["About", <span key="about">{about}</span>],
					[
						"Asked by",
						<span key="asked">
							{actor_display ?? requested_by} <span class="faint">({THROUGH[requested_through]}), </span>
							<span class="faint">
								<Time at={created_at} />
							</span>
						</span>,
					],
					...(moved ? ([["To", <MovedTo key="to" id={moved} accounts={accounts} people={people} />]] as const) : []),
					...change,
					waits
						? (["Expires", <Time key="expires" at={expires_at} />] as const)
						: ([
								"Decided by",
								decided_at ? (
									<span key="decided">
										{approval.decided_by_display ?? decided_by}{" "}
										<span class="faint">
											<Time at={decided_at} />
										</span>
									</span>
								) : (
									"nobody"
								),
							] as const),
					["Effect", effect.effect],
					...(waits && owners?.isShown
						? ([["Looked after by", <OwnerOf key="owner" owners={owners} kind="APPROVAL" id={approval.id} called={called} />]] as const)
						: []),
				]}
			/>
			{approval.failure_reason && <p class="foot-note bad">{failureOf(approval.failure_reason)}</p>}
			{approval.comment && <p class="foot-note">“{approval.comment}”</p>}
			<details>
				<summary>The request, in full</summary>
				<Json text={JSON.stringify(approval.payload)} label="The request" />
			</details>
			{waits &&
				(own ? (
					<p class="foot-note">You asked for this yourself: another person decides.</p>
				) : person.kind !== "operator" && isOfOperators(approval) ? (
					<p class="foot-note">An operator decides this.</p>
				) : !mayLend(person) ? (
					<p class="foot-note">Your role decides about invoices only.</p>
				) : (
					<div class="buttons">
						<button
							type="button"
							class="primary"
							disabled={currency === undefined}
							onClick={() => decide("APPROVED")}
							aria-label={`Approve: ${called}`}
						>
							Approve
						</button>
						<button type="button" onClick={() => decide("REJECTED")} aria-label={`Reject: ${called}`}>
							Reject
						</button>
					</div>
				))}
			{decision && (
				<Decide
					of={approval}
					effect={effect}
					about={about}
					change={change}
					decision={decision}
					onClose={() => decide(undefined)}
					onDone={onDone}
				/>
			)}
		</li>
	);
}

interface DecideProps {
	readonly of: ShownApproval;
	readonly effect: Effect;
	readonly about: preact.JSX.Element;
	readonly change: BeforeAfter;
	readonly decision: "APPROVED" | "REJECTED";
	readonly onClose: () => void;
	readonly onDone: (what: preact.ComponentChildren) => void;
}

function Decide({ of: approval, effect, about, change, decision, onClose, onDone }: DecideProps) {
	const [comment, setComment] = useState("");
	const approve = decision === "APPROVED";
	return (
		<Confirm
			title={`${approve ? "Approve" : "Reject"}: ${effect.title}?`}
			verb={approve ? "Approve" : "Reject"}
			dangerous={approve && effect.dangerous}
			onClose={onClose}
			onConfirm={async () => {
				const { status, failure_reason } = await call("POST /v1/approvals/{id}/decision", {
					path: { id: approval.id },
					body: { decision, ...(comment.trim() && { comment: comment.trim() }) },
				});
				const [, word] = stateInWords("ShownApproval.status", status);
				onDone(
					<>
						{word}: {effect.title}, {about}.{failure_reason && ` ${failureOf(failure_reason)}`}
					</>,
				);
			}}
		>
			<Facts
				of={[
					["About", about],
					...change,
					["Asked by", approval.actor_display ?? approval.requested_by],
					...(approval.reason ? ([["Why", approval.reason]] as const) : []),
				]}
			/>
			<p>
				{approve ? `${effect.effect} It is carried out at once.` : "Nothing changes. It cannot be decided again, only asked for again."}
			</p>
			<Field label="Comment" hint="For the person who asked; may be empty">
				{(ids) => <input {...ids} maxLength={1000} value={comment} onInput={({ currentTarget }) => setComment(currentTarget.value)} />}
			</Field>
		</Confirm>
	);
}
