// Who looks after what: the names next to the rows of a list, the choice of a list, and what is done to those that are selected.

import type { ComponentChildren } from "preact";
import { call } from "../api.ts";
import type { BodyOf } from "../typed.ts";
import { useDoing } from "../ui/dialog.tsx";
import { Field } from "../ui/page.tsx";
import { sentenceOf } from "../ui/problem.tsx";
import type { Column } from "../ui/table.tsx";
import { useWatch } from "../watch.ts";
import { members, type Person, permitted } from "../who.ts";
import type { BulkAction } from "./bulk.tsx";
import { setFilter } from "./list.tsx";
import { mayLend } from "./may.ts";
import { ownerName, useMembers } from "./members.ts";
import { useCovering } from "./people.tsx";

const sees = permitted("org:lending:read");
type Kind = BodyOf<"GET /v1/collections/owners">["data"][number]["kind"];

/** Who looks after the rows of a list; `isShown` is false for operators, whose lists are of all lenders. */
export interface Owners {
	readonly isShown: boolean;
	readonly of: ReadonlyMap<string, string | null>;
	readonly colleagues: ReadonlyMap<string, string>;
	readonly person: Person;
}

/** The owners of these, in one request; undefined until they are read. */
export function useOwners(ids: readonly string[] | undefined, person: Person): Owners | undefined {
	const isShown = members(person) && sees(person);
	const { colleagues, isKnown } = useMembers(isShown && ids?.length !== 0 ? person : undefined);
	const wanted = [...(ids ?? [])].sort().slice(0, 100);
	const asks = isShown && wanted.length > 0;
	const read = useWatch("GET /v1/collections/owners", asks ? { query: { ids: wanted } } : undefined);
	const found = useCovering(wanted, read);
	if (ids === undefined || (asks && !found && !read.error) || !isKnown) return undefined;
	return { isShown, of: new Map(found?.data.map((one) => [one.subject_id, one.owner_id])), colleagues, person };
}

interface OwnerProps {
	readonly owners: Owners;
	readonly kind: Kind;
	readonly id: string;
	/** What is taken, for who does not see the row. */
	readonly called: string;
	/** Whether it is work that somebody may take; what has only just begun is not. */
	readonly waits?: boolean;
}

/** The owner's name; where there is none, the button that takes it. */
export function OwnerOf({ owners: { of, colleagues, person }, kind, id, called, waits = true }: OwnerProps) {
	const [busy, run, error] = useDoing();
	const name = ownerName(of.get(id) ?? null, colleagues, person);
	if (name || !waits || !mayLend(person)) return <>{name ?? "nobody"}</>;
	const take = () =>
		run(() => call("PUT /v1/collections/owners/{subjectId}", { path: { subjectId: id }, body: { kind, owner_id: person.id } }));
	return (
		<>
			<button type="button" disabled={busy} onClick={() => void take()} aria-label={`Take ${called}`}>
				Take
			</button>
			{error && <small class="bad">{sentenceOf(error)}</small>}
		</>
	);
}

/** Where there is no room for the column: below what names the row, if somebody looks after it. */
export function OwnerBelow({ owners, id }: { readonly owners: Owners | undefined; readonly id: string }) {
	const name = owners?.isShown && ownerName(owners.of.get(id) ?? null, owners.colleagues, owners.person);
	return name ? <small class="narrow">Looked after by {name}</small> : null;
}

/** The column of a list that names who looks after each row; none where it is not shown. */
export function ownerColumn<Row>(
	owners: Owners | undefined,
	kind: Kind,
	of: (row: Row) => { readonly id: string; readonly called: string; readonly waits?: boolean },
): Column<Row>[] {
	if (!owners?.isShown) return [];
	return [{ head: "Looked after by", wide: true, cell: (row): ComponentChildren => <OwnerOf owners={owners} kind={kind} {...of(row)} /> }];
}

/** More would not fit: the others are assigned where they are looked after. */
const MOST_NAMED = 20;

interface ChoiceProps {
	readonly owner: string;
	readonly person: Person;
	readonly colleagues: ReadonlyMap<string, string>;
}

/** Those of a colleague, of nobody, or all. Nothing for who may not see the members. */
export function OwnerChoice({ owner, person, colleagues }: ChoiceProps) {
	if (colleagues.size === 0) return null;
	const owners = [
		["", "Anybody"],
		["NONE", "Nobody"],
		...[...colleagues].map(([id, name]) => [id, id === person.id ? `${name} (you)` : name]),
	];
	return (
		<Field label="Looked after by">
			{(ids) => (
				<select {...ids} value={owner} onChange={({ currentTarget }) => setFilter({ owner: currentTarget.value || undefined })}>
					{owners.map(([value, name]) => (
						<option key={value} value={value}>
							{name}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

/** To take them, or to give them to a colleague. */
export function assigning<Row>(
	person: Person,
	colleagues: ReadonlyMap<string, string>,
	assign: (ownerId: string | null) => BulkAction<Row>["act"],
): BulkAction<Row>[] {
	const taken = { verb: "Take", done: "are looked after by you", about: "You look after them from then on.", act: assign(person.id) };
	return [
		...(person.kind === "member" ? [taken] : []),
		...[...colleagues]
			.filter(([id]) => id !== person.id)
			.slice(0, MOST_NAMED)
			.map(([id, name]) => ({
				...{ verb: `Assign to ${name}`, done: `are looked after by ${name}` },
				...{ about: `${name} looks after them from then on.`, act: assign(id) },
			})),
		{ verb: "Assign to nobody", done: "are looked after by nobody", about: "Nobody looks after them from then on.", act: assign(null) },
	];
}
