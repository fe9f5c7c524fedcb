// A call with an idempotency key whose object answers no sooner than the call has begun to read.

import type { AnyOperation } from "../../../src/http/operation";
import { withBatches, wrapped } from "../../support/databases";
import type { Watch } from "../../support/effects";
import { send } from "../senders";
import { credentialsOf, type Kind, type Scene } from "./permitted";

/** Operations whose handlers commit without reading first: nothing of them can begin before their turn. */
const COMMIT_AT_ONCE = new Set(["createOrganization", "signOut"]);

/** How long the object waits for the read of a call that does not begin one. */
const PATIENCE_MS = 2_000;

/** What is wrong with a call whose object answers once it has begun to read, and then refuses it its turn: another answer, and effects. */
export async function faultsBeforeTurn(op: AnyOperation, kind: Kind, scene: Scene, watch: Watch): Promise<string[]> {
	const faults: string[] = [];
	const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
	let isAsked = false;
	const claim = async () => {
		isAsked = true;
		const tired = setTimeout(() => {
			faults.push("asked for its turn before it read");
			begin();
		}, PATIENCE_MS);
		if (!COMMIT_AT_ONCE.has(op.id)) await begun;
		clearTimeout(tired);
		return { kind: "in-progress", [Symbol.dispose]() {} };
	};
	const slow = { IDEMPOTENCY_KEYS: { getByName: () => ({ claim }) } } as unknown as Partial<Env>;
	const reading = wrapped((database) =>
		withBatches(database, (_, run) => {
			if (isAsked) begin();
			return run();
		}),
	);
	const { as, headers } = await credentialsOf(kind, scene);
	const credentials = { as, headers: { ...headers, "idempotency-key": "k" }, isStaff: kind !== "USER" };
	const { result, effects } = await watch.during((vars) => send(op, scene.request, credentials, { ...vars, ...reading, ...slow }));
	if (result.body.code !== "IDEMPOTENCY_IN_PROGRESS") faults.push(`the answer ${result.status} ${JSON.stringify(result.body)}`);
	return [...faults, ...effects];
}
