// The call of a caller who may make it, and what is read off it: its cost, the plans of its statements, its row in the audit trail, its
// events and where it wrote.

import { env } from "cloudflare:workers";
import { placesOf } from "../../../src/db/places";
import { isPublic } from "../../../src/http/callers/access";
import type { AnyOperation } from "../../../src/http/operation";
import { homeDigits } from "../../../src/shared/ids";
import { SCOPES } from "../../../src/shared/permissions";
import { alone, withBatches } from "../../support/databases";
import { CALLBACK_SECRET, naming, signed } from "../../support/doors";
import { Watch, type Watched } from "../../support/effects";
import { givenApiKey, operatorToken } from "../../support/factories";
import type { Probed } from "../../support/probe";
import { planFaults } from "../../support/statements";
import { TripsInTurn } from "../../support/trips";
import type { ValidRequest } from "../../support/valid-request";
import type { World } from "../../support/webhooks";
import { BUDGETS, type Cost, USUAL } from "../budgets";
import { EVENTS } from "../events";
import { SEVERAL_PLACES } from "../homes";
import { isExcused } from "../plans";
import { type Credentials, send } from "../senders";
import type { Parties } from "../valid-requests";
import type { Promises } from "./promises";
import { forgetCallers } from "./refused";

export type Kind = "OPERATOR" | "MEMBER" | "API_KEY" | "USER" | "PROVIDER" | "ANYBODY";

/** The callers that the operation admits; its valid request is the first one's. */
export function kindsOf({ access }: AnyOperation): readonly [Kind, ...Kind[]] {
	const [first = "ANYBODY", ...others]: Kind[] = [
		...(access.signature ? (["PROVIDER"] as const) : []),
		...(access.user ? (["USER"] as const) : []),
		...(access.organization ? (["MEMBER"] as const) : []),
		...(access.operator || access.organization ? (["OPERATOR"] as const) : []),
		...(access.apiKey ? (["API_KEY"] as const) : []),
	];
	return [first, ...others];
}

/** An operation with its valid request, whose things belong to these parties. */
export type Scene = { readonly op: AnyOperation; readonly parties: Parties; readonly request: ValidRequest };

export async function credentialsOf(kind: Kind, { op, parties, request }: Scene): Promise<Credentials> {
	const { headers = {} } = op.access.organization ? naming(op, parties.organization.id) : {};
	switch (kind) {
		case "OPERATOR":
			return { as: await operatorToken(), headers };
		case "MEMBER":
			return { as: parties.owner.token, headers };
		case "API_KEY":
			return { as: await givenApiKey(parties.organization.id, SCOPES) };
		case "USER":
			return { as: parties.user.token };
		case "PROVIDER":
			return { headers: await signed(JSON.stringify(request.body), CALLBACK_SECRET) };
		case "ANYBODY":
			return {};
	}
}

/** What was sent to the databases while the call was made, also by the work that continues after its answer. */
function recordingDatabases() {
	const statements = new Map<string, readonly unknown[]>();
	const written = new Set<string>();
	const trips = new TripsInTurn();
	const vars = placesOf(env).all.map(({ name, database }) => [
		name,
		withBatches(trips.database(database), async (batch, run) => {
			for (const { statement, params } of batch as unknown as { statement: string; params: readonly unknown[] }[])
				statements.set(statement, params);
			const results = await run();
			if (results.some(({ meta }) => meta.rows_written > 0)) written.add(name);
			return results;
		}),
	]);
	return { vars: { ...trips.objects, ...Object.fromEntries(vars) } as Partial<Env>, statements, written, trips };
}

export type Called = Watched<Probed> & ReturnType<typeof recordingDatabases> & { requestId: string };

/** Makes the call, and expects that it succeeds. */
export async function callAs(kind: Kind, scene: Scene, world: World, promises: Promises): Promise<Called> {
	const { op, request } = scene;
	const requestId = crypto.randomUUID();
	const { as, headers } = await credentialsOf(kind, scene);
	await forgetCallers();
	const watch = await Watch.begin(world);
	const recording = recordingDatabases();
	const watched = await watch.during((vars) =>
		send(op, request, { as, headers: { ...headers, "x-request-id": requestId }, isStaff: kind !== "USER" }, { ...vars, ...recording.vars }),
	);
	const { status, body } = watched.result;
	if (status >= 300) throw new Error(`its valid request by ${kind} was answered ${status} ${JSON.stringify(body)}`);
	promises.expect(`searches by indexes alone for ${kind}`, await unexcused(recording.statements), []);
	return { ...watched, ...recording, requestId };
}

export const unexcused = async (sent: Parameters<typeof planFaults>[0]): Promise<string[]> =>
	(await planFaults(sent)).filter((fault) => !isExcused(fault)).map(({ step, statement }) => `${step} in ${statement}`);

/** What calls have cost, in the form of the table of budgets. */
export const measured: string[] = [];

function costOf({ result: { headers }, trips }: Called): Cost {
	// Rows are NaN in Node, where nobody counts them, and NaN is over no budget.
	const [, read, written, statements] = /read=(\w+) written=(\w+) statements=(\d+)/.exec(headers.get("server-timing") ?? "") ?? [];
	if (statements === undefined) throw new Error("the answer has no Server-Timing");
	return [trips.count, Number(statements), Number(read), Number(written)];
}

const UNITS = ["trips one after the other", "statements", "rows read", "rows written"] as const;

export function expectCheap({ op }: Scene, called: Called, promises: Promises): void {
	// A directory with homes takes further trips, for names and copies.
	if (!alone) return;
	const cost = costOf(called);
	measured.push(`\t${op.id}: { cost: [${cost.join(", ")}] },`);
	const { cost: budget } = BUDGETS[op.id] ?? (op.method === "GET" ? USUAL.read : USUAL.change);
	for (const [index, unit] of UNITS.entries()) {
		const [most = 0, found = 0] = [budget[index], cost[index]];
		if (found > most) promises.break(`takes no more ${unit} than its budget`, `at most ${most}`, String(found));
	}
}

/** Whom the row of the audit trail names, and the owner of the stream in which it is. */
function actorOf(kind: Kind, { op, parties: { organization, owner } }: Scene): { id: string | undefined; owner: string } | undefined {
	if (kind === "OPERATOR") return { id: "https://sandbox.issuer.local#root", owner: op.access.organization ? organization.id : "platform" };
	if (kind === "MEMBER") return { id: owner.id, owner: organization.id };
	return kind === "API_KEY" ? { id: undefined, owner: organization.id } : undefined;
}

/** In every database. */
const streamsOf = (owner: string) => placesOf(env).all.map(({ firstHome }) => `${owner}/${homeDigits(firstHome)}`);

const TRAIL = "audit_rows";

/** What operators change of an organization without acting for it: its row stands in the organization's trail too. */
const IN_BOTH: readonly string[] = ["addMember"];

/** A change by an operator, a member or an API key leaves one row, what others do none. */
export function expectAudited(kind: Kind, scene: Scene, { effects, added, requestId }: Called, promises: Promises): void {
	const actor = actorOf(kind, scene);
	// A row of the trail itself is not a change.
	const changed = effects.some((effect) => effect.startsWith("rows of ") && effect !== `rows of ${TRAIL}`);
	const isOf = (owner: string, stream: unknown) => streamsOf(owner).includes(String(stream));
	const placeOf = (stream: unknown) => {
		if (isOf(actor?.owner ?? "", stream)) return "one of its owner's";
		return isOf(scene.parties.organization.id, stream) ? "one of the organization's" : stream;
	};
	const rows = added(TRAIL)
		.map(({ operation, actor_kind, actor_id, request_id, stream }) => ({
			operation,
			actor_kind,
			actor_id: actor?.id === undefined ? typeof actor_id : actor_id,
			request_id,
			stream: placeOf(stream),
		}))
		.sort((one, other) => (String(one.stream) < String(other.stream) ? -1 : 1));
	const row = {
		operation: scene.op.id,
		actor_kind: kind,
		actor_id: actor?.id ?? "string",
		request_id: requestId,
		stream: "one of its owner's",
	};
	const expected = IN_BOTH.includes(scene.op.id) ? [row, { ...row, stream: "one of the organization's" }] : [row];
	promises.expect(`leaves ${actor ? "one row" : "no row"} of the audit trail for ${kind}`, rows, changed && actor ? expected : []);
}

/** What calls have raised, in the form of the table of events. */
export const raised: string[] = [];

export function expectEvents({ op }: Scene, { added }: Called, promises: Promises): void {
	const types = added("webhook_events")
		.map(({ event_type }) => String(event_type))
		.sort();
	if (types.length > 0) raised.push(`\t${op.id}: ${JSON.stringify(types)},`);
	promises.expect("raises its events", types, EVENTS[op.id] ?? []);
}

/** A commit is in one database; what writes in several is listed with what completes it. */
export function expectOnePlace({ op }: Scene, { written }: Called, promises: Promises): void {
	if (isPublic(op.access) || op.id in SEVERAL_PLACES || written.size <= 1) return;
	promises.break("writes in one database", "one, or what completes the others in SEVERAL_PLACES", [...written].sort().join(", "));
}
