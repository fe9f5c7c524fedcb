// Who looks after what: the choice of a list, and what is done to those that are selected.

import { Field } from "../ui/page.tsx";
import type { Person } from "../who.ts";
import type { BulkAction } from "./bulk.tsx";
import { setFilter } from "./list.tsx";

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
