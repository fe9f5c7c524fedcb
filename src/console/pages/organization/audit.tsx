// Who did what, in words: the rows of the trail in their order, and through where they are sealed.

import { useState } from "preact/hooks";
import { call, LeadsNowhere } from "../../api.ts";
import { exact, isId } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { AuditRow, BodyOf } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { useDoing } from "../../ui/dialog.tsx";
import { Json } from "../../ui/json.tsx";
import { Choice, Field, Head, Link } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { List, pageOf, reachOf, setFilter, startOf } from "../list.tsx";
import { nameOf } from "../people.tsx";
import { usersSaid } from "../said.ts";
import { SaveList } from "../save.tsx";
import { deedOf, nameOfDeed, OPERATIONS, operationOf } from "./deeds.ts";
import { useLendsIn } from "./lends-in.ts";
import { type Subjects, useSubjects } from "./subjects.ts";

const KINDS: Readonly<Record<AuditRow["actor_kind"], string>> = { OPERATOR: "operator", MEMBER: "member", API_KEY: "API key" };

type Trail = BodyOf<"GET /v1/audit">;

function About({ row, subjects }: { readonly row: AuditRow; readonly subjects: Subjects }) {
	const account = subjects.accountOf(row);
	const person = subjects.personOf(row);
	if (account) {
		return (
			<>
				<Link to={`/accounts/${account.id}`}>{account.account_number}</Link>
				{person && <small>{nameOf(person)}</small>}
			</>
		);
	}
	if (person) return <Link to={`/users/${person.id}`}>{nameOf(person)}</Link>;
	return row.entity_id ? <Id of={row.entity_id} /> : <>–</>;
}

/** `lendsIn`: the currency of limits, which are of no account. */
function sentenceOf(row: AuditRow, subjects: Subjects, lendsIn: string | undefined): string {
	const account = subjects.accountOf(row);
	const person = subjects.personOf(row);
	const approval = subjects.approvalOf(row);
	const isLimit = approval?.approval_type === "LIMIT_CHANGE";
	const deed = deedOf(row, { approval, currency: account?.currency ?? (isLimit ? lendsIn : undefined) });
	return [deed, account && ` on ${account.account_number}`, person && (account ? ` (${nameOf(person)})` : `: ${nameOf(person)}`)]
		.filter(Boolean)
		.join("");
}

const columnsFor = ({ actor_display }: Trail, subjects: Subjects, lendsIn: string | undefined): readonly Column<AuditRow>[] => [
	{
		head: "What",
		cell: (row) => (
			<details class="change">
				<summary>{sentenceOf(row, subjects, lendsIn)}</summary>
				<Json text={JSON.stringify({ ...row.target, ...row.changes })} label={`What ${row.operation} changed`} />
				<small>
					<code>{row.operation}</code> · request <Id of={row.request_id} what="the request's id" />
				</small>
			</details>
		),
	},
	{ head: "No.", wide: true, cell: ({ sequence }) => sequence },
	{
		head: "Who",
		cell: ({ actor_id, actor_kind }) => (
			<>
				{actor_display[actor_id] ?? <code title={actor_id}>{actor_id.slice(-8)}</code>}
				<small>{KINDS[actor_kind]}</small>
			</>
		),
	},
	{ head: "About", wide: true, cell: (row) => <About row={row} subjects={subjects} /> },
	{ head: "When", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Page({ query, person }: PageProps) {
	const from = query.get("from") ?? undefined;
	const operation = query.get("operation") ?? undefined;
	const actor = query.get("who") ?? undefined;
	const about = query.get("about") ?? undefined;
	const own = person.kind === "operator" && query.get("of") === "operators";
	const reach = own ? { organization: null } : {};
	const filter = {
		...(from && { created_from: startOf(from) }),
		...(operation && { operation }),
		...(actor && { actor_id: actor }),
		...(about && { entity_id: about }),
	};
	const read = useWatch("GET /v1/audit", { query: { size: 25, ...filter, ...pageOf(query) }, ...reach }, 4);
	const subjects = useSubjects(read.value?.data, person);
	const lendsIn = useLendsIn(own ? undefined : person) ?? undefined;
	const sealed = read.value?.verified_through;
	return (
		<>
			<Head
				title="Audit trail"
				about={`Each change, who made it, and when; newest first. ${own ? "What operators did without acting for an organization." : `Of ${person.acting?.name ?? "the organization"}.`}`}
			/>
			<div class="filters">
				{person.kind === "operator" && person.acting && (
					<Choice
						label="Whose"
						value={own ? "operators" : "organization"}
						of={[
							["organization", person.acting.name],
							["operators", "Operators"],
						]}
						onChange={(of) => setFilter({ of: of === "operators" ? of : undefined })}
					/>
				)}
				<Find operation={operation} about={about} person={person} />
				<Who actor={actor} people={read.value?.actor_display ?? {}} person={person} own={own} />
				<Field label="From">
					{(ids) => (
						<input {...ids} type="date" value={from ?? ""} onChange={({ currentTarget }) => setFilter({ from: currentTarget.value })} />
					)}
				</Field>
			</div>
			<List
				of={read}
				filters={Object.entries({ from, operation, who: actor, about }).flatMap(([name, value]) => (value ? [name] : []))}
				empty={["Nothing was changed yet", "Changes by members, keys and operators will appear here, permanently."]}
			>
				{(rows) => (
					<Table
						label="Audit trail"
						rows={rows}
						columns={read.value ? columnsFor(read.value, subjects, lendsIn) : []}
						keyOf={({ id }) => id}
					/>
				)}
			</List>
			{read.value && (
				<p class="foot-note">
					{sealed
						? `Sealed through number ${sealed.sequence}, ${exact(Date.parse(sealed.sealed_at))}: nothing up to there can be changed unnoticed.`
						: "Not sealed yet. Rows are sealed within the hour."}
				</p>
			)}
			{sealed && <SaveList of={{ line: "GET /v1/audit/seals", request: { query: { size: 100 }, ...reach } }} what="the seals" />}
		</>
	);
}

interface FindProps {
	readonly operation: string | undefined;
	readonly about: string | undefined;
	readonly person: Person;
}

/** What was done, in words, and about whom or which account. */
function Find({ operation, about, person }: FindProps) {
	const [deed, setDeed] = useState(operation ? nameOfDeed(operation) : "");
	const [subject, setSubject] = useState(about ?? "");
	const [busy, run, error] = useDoing();
	const find = async () => {
		const meant = deed.trim() ? operationOf(deed) : undefined;
		if (deed.trim() && !meant) throw new LeadsNowhere(`Nothing that is recorded is called "${deed.trim()}".`);
		setFilter({ operation: meant, about: subject.trim() ? await idOf(subject.trim(), person) : undefined });
	};
	return (
		<form
			class="filters"
			onSubmit={(event) => {
				event.preventDefault();
				void run(find);
			}}
		>
			<Field label="What">
				{(ids) => (
					<input
						{...ids}
						type="search"
						list="deeds"
						placeholder="waive"
						value={deed}
						onInput={({ currentTarget }) => setDeed(currentTarget.value)}
					/>
				)}
			</Field>
			<datalist id="deeds">
				{OPERATIONS.map((id) => (
					<option key={id} value={nameOfDeed(id)} />
				))}
			</datalist>
			<Field label="About">
				{(ids) => (
					<input
						{...ids}
						type="search"
						placeholder="Number or name"
						value={subject}
						onInput={({ currentTarget }) => setSubject(currentTarget.value)}
					/>
				)}
			</Field>
			<button type="submit" disabled={busy}>
				Find
			</button>
			{error && <Problem error={error} />}
		</form>
	);
}

/** The id that a row of the trail names: of an account by its number, or of a user. */
async function idOf(text: string, person: Person): Promise<string> {
	if (isId(text)) return text;
	const number = text.replaceAll(/\s/g, "");
	if (/^\d{13}$/.test(number)) {
		const [account] = (await call("GET /v1/accounts", { query: { account_number: number }, ...reachOf(person) })).data;
		if (account) return account.id;
	}
	const [user, another] = await usersSaid(text, reachOf(person));
	if (!user) throw new LeadsNowhere(`Neither an account nor a user is found by "${text}".`);
	if (another) throw new LeadsNowhere(`More than one user is found by "${text}": enter the whole number or @tag.`);
	return user;
}

interface WhoProps {
	readonly actor: string | undefined;
	/** Who stands on the page. */
	readonly people: Readonly<Record<string, string | null>>;
	readonly person: Person;
	readonly own: boolean;
}

function Who({ actor, people, person, own }: WhoProps) {
	const organizationId = person.acting?.id;
	const members = useWatch(
		"GET /v1/organizations/{organizationId}/members",
		organizationId && !own ? { path: { organizationId }, query: { size: 100 } } : undefined,
	);
	const named = new Map(Object.entries(people).map(([id, name]) => [id, name ?? id.slice(-8)]));
	for (const { user_id, display_name, email, tag } of members.value?.data ?? [])
		named.set(user_id, display_name ?? email ?? tag ?? user_id.slice(-8));
	if (actor && !named.has(actor)) named.set(actor, actor.slice(-8));
	return (
		<Field label="Who">
			{(ids) => (
				<select {...ids} value={actor ?? ""} onChange={({ currentTarget }) => setFilter({ who: currentTarget.value })}>
					<option value="">Anybody</option>
					{[...named].map(([id, name]) => (
						<option key={id} value={id}>
							{name}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}
