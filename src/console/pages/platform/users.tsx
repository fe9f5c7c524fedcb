// Users: found by what they say over the telephone, and admitted from the waiting list.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { BodyOf, PlatformUser } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Choice, Field, Head } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch, type Watched } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { Bulk } from "../bulk.tsx";
import { List, pageOf, reachOf, setFilter } from "../list.tsx";
import { mayLend } from "../may.ts";
import { OwnerBelow, type Owners, ownerColumn, useOwners } from "../owners.tsx";
import { nameOf } from "../people.tsx";
import { LEAST_SAID, MOST_SAID, usersFound } from "../said.ts";

export function stateOf({ blocked, status }: PlatformUser) {
	const [of, word] = stateInWords("PlatformUser.status", status);
	return blocked ? <State of="suspended" word="Blocked" /> : <State of={of} word={word} />;
}

const FILTERS = [
	["all", "All"],
	["WAITING_LIST", "Waiting list"],
	["ACTIVE", "Active"],
] as const;
type Status = (typeof FILTERS)[number][0];

export function Page({ query, person }: PageProps) {
	const status = FILTERS.find(([value]) => value === query.get("status"))?.[0] ?? "all";
	// The address never has a member that names a person.
	const [q, find] = useState("");
	const reach = reachOf(person);
	const found = useWatch("GET /v1/search", q ? { query: { q }, ...reach } : undefined);
	const ids = found.value && usersFound(found.value);
	const listed = useWatch("GET /v1/platform/users", askedFor(query, status, q ? (ids ?? []) : undefined, reach), 4);
	const read = q ? among(listed, found, ids, status) : listed;
	const isWaitingList = status === "WAITING_LIST";
	// Those who are admitted are looked after on their own pages.
	const owners = useOwners(isWaitingList ? read.value?.data.map(({ id }) => id) : [], person);
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
					Found by <code>{q}</code>.{" "}
					<button type="button" class="plain" onClick={() => find("")}>
						Show all
					</button>
				</p>
			)}
			<List
				of={owners ? read : { ...read, value: undefined }}
				filters={status === "all" ? [] : ["status"]}
				empty={
					q
						? [
								"Nobody is found by this",
								"A mobile number is found as it is said, such as 0712 345 678; a name by its beginning; a @tag and an account's number as a whole.",
							]
						: ["Nobody has come yet", "New users appear here after their first sign-in."]
				}
			>
				{(rows) => <UserTable label="Users" rows={rows} person={person} {...(isWaitingList && { owners })} />}
			</List>
		</>
	);
}

/** `ids`: of those who are found; undefined where nobody is looked for. */
function askedFor(query: URLSearchParams, status: Status, ids: readonly string[] | undefined, reach: ReturnType<typeof reachOf>) {
	if (ids) return ids.length > 0 ? { query: { ids: [...ids] }, ...reach } : undefined;
	const filter = status === "all" ? {} : { status };
	return { query: { size: status === "WAITING_LIST" ? 100 : 25, ...filter, ...pageOf(query) }, ...reach };
}

type Listed = Watched<BodyOf<"GET /v1/platform/users">>;

/** Of the users those whom the search has found. */
function among(listed: Listed, found: Watched<unknown>, ids: readonly string[] | undefined, status: Status): Listed {
	if (!ids) return { again: found.again, error: found.error };
	const links = { next: null, prev: null };
	if (ids.length === 0) return { again: found.again, value: { data: [], links } };
	const data = listed.value?.data.filter((user) => status === "all" || user.status === status);
	return { ...listed, value: data && { data, links } };
}

interface UserTableProps {
	readonly label: string;
	readonly rows: readonly PlatformUser[];
	readonly person: Person;
	readonly owners?: Owners | undefined;
}

/** Those who wait each with a button that admits them. */
export function UserTable({ label, rows, person, owners }: UserTableProps) {
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
					<OwnerBelow owners={owners} id={user.id} />
				</>
			),
		},
		{ head: "Mobile number", wide: true, cell: ({ mobile_number }) => mobile_number ?? "–" },
		// On the waiting list everybody has the same.
		{ head: "State", cell: stateOf, ...(rows.every(({ status }) => status === "WAITING_LIST") && { wide: true }) },
		...(person.kind === "operator"
			? [
					{
						head: "Customer of",
						wide: true,
						cell: ({ home_organization_id: home }: PlatformUser) => (home ? (homes.get(home) ?? "another") : "nobody yet"),
					},
				]
			: []),
		...ownerColumn<PlatformUser>(owners, "USER", (user) => ({ id: user.id, called: nameOf(user) })),
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
			<Field label="Name, mobile number, @tag or account number">
				{(ids) => (
					<div class="joined">
						<input
							{...ids}
							autocomplete="off"
							minLength={LEAST_SAID}
							maxLength={MOST_SAID}
							value={text}
							onInput={({ currentTarget }) => set(currentTarget.value)}
						/>
						<button type="submit">Find</button>
					</div>
				)}
			</Field>
		</form>
	);
}
