// Makes the store of OpenFGA say what the service's databases say.

import { PERMISSIONS, relationOf } from "../../src/shared/permissions.ts";
import type { heldIn } from "./held.ts";
import { change, Failed, type Tuple, tuplesOf } from "./server.ts";

type Held = ReturnType<typeof heldIn>;
type Differences = { readonly missing: readonly Tuple[]; readonly surplus: readonly Tuple[]; readonly besides: readonly Tuple[] };

const textOf = ({ user, relation, object }: Tuple) => `${user} ${relation} ${object}`;
const ofPermissions = new Set(PERMISSIONS.map(relationOf));

/** The service's tuples that the store lacks, and those that it has too many. A permission that a member has in addition to the role stays. */
export async function differences(held: Held, present: AsyncIterable<Tuple>): Promise<Differences> {
	const missing = new Map(held.tuples.map((tuple) => [textOf(tuple), tuple]));
	const [surplus, besides]: [Tuple[], Tuple[]] = [[], []];
	for await (const tuple of present) {
		if (!/^(organization|merchant):/.test(tuple.object) || missing.delete(textOf(tuple))) continue;
		const isBesides = ofPermissions.has(tuple.relation) && held.isMember(tuple.user, tuple.object);
		(isBesides ? besides : surplus).push(tuple);
	}
	return { missing: [...missing.values()], surplus, besides };
}

/** Another pass finds changes made meanwhile; the last pass finds nothing to do. */
const MOST_PASSES = 10;

/** Prints the differences, and with `write` removes them. Returns whether there were any that it left. */
export async function sync(
	{ store, model, write }: { store: string; model: string; write: boolean },
	read: () => Held,
	say: (line: string) => void,
): Promise<boolean> {
	for (let pass = 1; pass <= MOST_PASSES; pass++) {
		const { missing, surplus, besides } = await differences(read(), tuplesOf(store));
		for (const tuple of missing) say(`+ ${textOf(tuple)}`);
		for (const tuple of surplus) say(`- ${textOf(tuple)}`);
		if (pass === 1) for (const tuple of besides) say(`= ${textOf(tuple)}   in addition to the role, and stays`);
		if (missing.length + surplus.length === 0) {
			say("The store says what the service says.");
			return false;
		}
		if (!write) {
			say(`${missing.length} to write, ${surplus.length} to remove. Nothing was changed: sync --write does it.`);
			return true;
		}
		await change(store, model, missing, surplus);
		say(`${missing.length} written, ${surplus.length} removed.`);
	}
	throw new Failed("The store is changed by somebody else all the time: run it again.");
}
