// Tries an operation in a world of its own: those who must be refused, ids of others, and the call that is permitted.

import { isPublic } from "../../../src/http/callers/access";
import { type AnyOperation, honoursIdempotencyKey } from "../../../src/http/operation";
import { ORGANIZATION_SUSPENDED } from "../../../src/shared/errors";
import { freshNumber } from "../../support/current-accounts";
import { Watch } from "../../support/effects";
import { beforeCommit } from "../../support/loans";
import { fakeWorld, type World } from "../../support/webhooks";
import { send } from "../senders";
import { givenParties, validRequest } from "../valid-requests";
import { expectIndexedLists } from "./filters";
import { expectNothingForeign, namesOwned } from "./foreign";
import { callAs, expectAudited, expectCheap, expectEvents, expectOnePlace, kindsOf, type Scene } from "./permitted";
import { Promises } from "./promises";
import { faultsOf, givenRefused, isSuspended, setStatus, stopsWhileSuspended } from "./refused";
import { faultsBeforeTurn } from "./turn";

const givenScene = async (op: AnyOperation, mobileNumber?: string): Promise<Scene> => {
	const parties = await givenParties(mobileNumber);
	return { op, parties, request: await validRequest(op, parties) };
};

/** Fails with every promise that the operation does not keep. */
export async function expectKept(op: AnyOperation): Promise<void> {
	const promises = new Promises(op);
	await promises.keptBy(() => (op.method === "GET" ? tryRead(op, promises) : tryChange(op, promises)));
}

/** Reads of personal data that leave a row in the audit trail, and nothing else. */
const AUDITED: readonly string[] = ["exportUser"];

async function tryRead(op: AnyOperation, promises: Promises): Promise<void> {
	const world = fakeWorld();
	const scene = await givenScene(op);
	// First, because what it reads includes the rows of those who are refused; and a read has no effect for them.
	const read = async () => {
		const called = await callAs(kindsOf(op)[0], scene, world, promises);
		if (!isPublic(op.access))
			promises.expect("has no effect, as it only reads", called.effects, AUDITED.includes(op.id) ? ["rows of audit_rows"] : []);
		return called;
	};
	expectCheap(scene, await read(), promises);
	if (!isPublic(op.access)) {
		await expectRefusals(scene, world, promises);
		await setStatus(scene.parties.organization.id, "SUSPENDED")();
		await read();
		await setStatus(scene.parties.organization.id, "ACTIVE")();
	}
	await expectIndexedLists(scene, promises);
}

async function tryChange(op: AnyOperation, promises: Promises): Promise<void> {
	const world = fakeWorld();
	const scene = await givenScene(op);
	if (!isPublic(op.access)) {
		await expectRefusals(scene, world, promises);
		// Everything that the suspension does not refuse continues.
		if (!stopsWhileSuspended(op)) await setStatus(scene.parties.organization.id, "SUSPENDED")();
	}
	const [first, ...others] = kindsOf(op);
	if (honoursIdempotencyKey(op)) {
		const faults = await faultsBeforeTurn(op, first, scene, await Watch.begin(world));
		promises.expect("reads while it asks for the turn of its key, and does nothing else before it has it", faults, []);
	}
	const called = await callAs(first, scene, world, promises);
	expectCheap(scene, called, promises);
	expectEvents(scene, called, promises);
	expectOnePlace(scene, called, promises);
	expectAudited(first, scene, called, promises);
	for (const kind of others) {
		const another = await givenScene(op, freshNumber());
		expectAudited(kind, another, await callAs(kind, another, world, promises), promises);
	}
}

/** A caller who must be refused is, and nothing happens. */
async function expectRefusals(scene: Scene, world: World, promises: Promises): Promise<void> {
	const { op, parties, request } = scene;
	const strangers = await givenParties(freshNumber());
	const refused = await givenRefused(op, request, { parties, strangers });
	const watch = await Watch.begin(world);
	for (const caller of refused) promises.expect(`refuses ${caller.who}, without effect`, await faultsOf(op, request, caller, watch), []);
	const last = refused.findLast(isSuspended);
	if (last) {
		const suspend = setStatus(parties.organization.id, "SUSPENDED");
		const { status, body } = await send(op, request, last.credentials, beforeCommit(suspend));
		await last.leaves?.();
		promises.expect(
			"is refused by a suspension between its read and its commit",
			{ status, description: body.description },
			{ status: 403, description: ORGANIZATION_SUSPENDED },
		);
	}
	if (namesOwned(op)) await expectNothingForeign(op, request, strangers, promises);
}
