// Users: found by tag, number or account, and admitted from the waiting list.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { PlatformUser } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Choice, Field, Head } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { Bulk } from "../bulk.tsx";
import { List, pageOf, reachOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { nameOf } from "../people.tsx";

export function stateOf({ blocked, status }: PlatformUser) {
	const [of, word] = stateInWords("PlatformUser.status", status);
	return blocked ? <State of="suspended" word="Blocked" /> : <State of={of} word={word} />;
}

const FILTERS = [
	["all", "All"],
	["WAITING_LIST", "Waiting list"],
	["ACTIVE", "Active"],
] as const;

export function Page({ query, person }: PageProps) {
	const status = FILTERS.find(([value]) => value === query.get("status"))?.[0] ?? "all";
	// The address never has a member that names a person.
	const [q, find] = useState("");
	const reach = reachOf(person);
	const filter = { ...(status !== "all" && { status }), ...(q && { q }) };
	const read = useWatch(
		"GET /v1/platform/users",
		{ query: { size: status === "WAITING_LIST" ? 100 : 25, ...filter, ...(q ? {} : pageOf(query)) }, ...reach },
		4,
	);
	return (
		<>
			<Head
				title="Users"
				about={
					person.kind === "operator"
						? "Everybody who has signed in, newest first"
						: `The customers of ${person.acting?.name ?? "the organization"}, newest first`
				}
			/>
			<div class="filters">
				<Search onFind={find} />
				<Choice label="State" value={status} of={FILTERS} onChange={(next) => setFilter({ status: next === "all" ? undefined : next })} />
			</div>
			{q && (
				<p class="found">
					Those named <code>{q}</code>.{" "}
					<button type="button" class="plain" onClick={() => find("")}>
						Show all
					</button>
				</p>
			)}
			<List
				of={read}
				filters={status === "all" ? [] : ["status"]}
				empty={
					q
						? [
								"Nobody is found by this",
								"A tag begins with @, a number with + and its country; an account's number has 13 digits. Each as a whole.",
							]
						: ["Nobody has come yet", "New users appear here after their first sign-in."]
				}
			>
				{(rows) => <UserTable label="Users" rows={rows} person={person} />}
			</List>
		</>
	);
}

interface UserTableProps {
	readonly label: string;
	readonly rows: readonly PlatformUser[];
	readonly person: Person;
}

/** Those who wait each with a button that admits them. */
export function UserTable({ label, rows, person }: UserTableProps) {
	const [busy, run, error] = useDoing();
	const mayAdmit = mayLend(person);
	const admitted = ({ id: userId }: PlatformUser) =>
		call("POST /v1/platform/users/{userId}/admit", { path: { userId }, ...reachOf(person) });
	const admit = (user: PlatformUser) => run(() => admitted(user));
	const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
	const waitingName = (user: PlatformUser) => (user.status === "WAITING_LIST" && mayAdmit ? nameOf(user) : undefined);
	const homes = new Map(person.organizations.map(({ id, name }) => [id, name]));
	const columns: Column<PlatformUser>[] = [
		{
			head: "User",
			cell: (user) => (
				<>
					{nameOf(user)}
					{user.display_name && <small>{user.tag}</small>}
					{user.mobile_number && <small class="narrow">{user.mobile_number}</small>}
				</>
			),
		},
		{ head: "Mobile number", wide: true, cell: ({ mobile_number }) => mobile_number ?? "–" },
		{ head: "State", cell: stateOf },
		...(person.kind === "operator"
			? [
					{
						head: "Customer of",
						wide: true,
						cell: ({ home_organization_id: home }: PlatformUser) => (home ? (homes.get(home) ?? "another") : "nobody yet"),
					},
				]
			: []),
		{ head: "Joined", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
		...(mayAdmit
			? [
					{
						head: "",
						right: true,
						cell: (user: PlatformUser) =>
							user.status === "WAITING_LIST" && (
								<button type="button" disabled={busy} onClick={() => void admit(user)} aria-label={`Admit ${user.tag}`}>
									Admit
								</button>
							),
					},
				]
			: []),
	];
	return (
		<>
			{error && <Problem error={error} />}
			<Table
				label={label}
				rows={rows}
				columns={columns}
				keyOf={({ id }) => id}
				to={({ id }) => `/users/${id}`}
				select={rows.some(waitingName) ? { chosen, onChange: choose, nameOf: waitingName } : undefined}
			/>
			<Bulk
				rows={rows}
				keyOf={({ id }) => id}
				nameOf={waitingName}
				chosen={chosen}
				onChange={choose}
				actions={[{ verb: "Admit", done: "admitted", about: "They may ask for loans from then on.", act: admitted }]}
			/>
		</>
	);
}

function Search({ onFind }: { readonly onFind: (q: string) => void }) {
	const [text, set] = useState("");
	return (
		<form
			class="field"
			onSubmit={(event) => {
				event.preventDefault();
				onFind(text.trim());
			}}
		>
			<Field label="@tag, mobile number or account number">
				{(ids) => (
					<div class="joined">
						<input {...ids} autocomplete="off" value={text} onInput={({ currentTarget }) => set(currentTarget.value)} />
						<button type="submit">Find</button>
					</div>
				)}
			</Field>
		</form>
	);
}
