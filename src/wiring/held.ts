// The operations whose calls by operators wait for a second person, by their ids: what an approval runs.

import { heldFrom } from "../http/execution";
import { mayBeHeld } from "../http/operation";
import type { HeldOperation } from "../runtime/services";
import { operationsByTag } from "./loading";

/** The operation with this id, as an approved call of it is run. */
export async function heldOperation(id: string): Promise<HeldOperation | undefined> {
	const operations = [...(await operationsByTag()).values()].flatMap((group) => group.operations);
	const op = operations.find((each) => each.id === id && mayBeHeld(each));
	return op && heldFrom(op);
}
