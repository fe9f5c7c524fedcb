// Operators' calls that wait for a second operator: one operator's call is stored as it was sent, and another's approval runs it, as
// the first one, in the commit of the decision.

import * as z from "zod";
import type { Write } from "../../db/database";
import type { OperatorCaller, OrganizationCaller } from "../../http/callers/access";
import type { SentParts } from "../../http/input";
import { type AnyOperation, Reply } from "../../http/operation";
import { type CommitOptions, Committed, type HandlerServices } from "../../runtime/services";
import { ApiError, ERRORS, InvalidInput, LostRace } from "../../shared/errors";
import { type ApprovalCaller, CREDENTIAL_OF, organizationOf, readAs } from "./callers";
import { conclude, hashOf } from "./decision.procedure";
import { approvalRequested } from "./events";
import { EXPIRES_AFTER_MS, isOpen } from "./lifecycle";
import { announce, expireApproval } from "./plan";
import { findWaiting } from "./store";
import { type ApprovalRow, approvals } from "./table";
import { Approval, toApproval } from "./wire";

/** A call as it was sent. `operator`: who sent it, as the operation knows them. */
const HeldCall = z.strictObject({
	operation: z.string(),
	operator: z.string(),
	path: z.json(),
	query: z.json(),
	body: z.json().optional(),
});

/** No version of its target is compared: the operation judges the target's present state when it runs. */
const NO_VERSION = "NONE";

/** The operation that stores a call of this one: its path, credentials and input, with a request for approval as its answer. */
export function holding(op: AnyOperation, sent: SentParts): AnyOperation {
	return {
		id: "requestApproval",
		method: op.method,
		path: op.path,
		summary: op.summary,
		// What is stored counts as no act of an operator alone.
		access: { ...op.access, operatorWrites: "HELD" },
		...(op.home !== undefined && { home: op.home }),
		request: op.request,
		response: Approval,
		status: 202,
		handle: ({ caller, path = {} }: Held, services: HandlerServices) => store(services, { op, sent, caller, path }),
	};
}

type Held = { caller: Operator; path?: { readonly [name: string]: unknown } };
type Operator = OperatorCaller | Extract<OrganizationCaller, { kind: "operator" }>;

async function store(services: HandlerServices, { op, sent, caller, path = {} }: Held & { op: AnyOperation; sent: SentParts }) {
	const { db, now } = services;
	const id = services.newId();
	const named = Object.values(path).at(-1);
	const entityId = typeof named === "string" ? named : id;
	const { person, rows } = await readAs(services, caller as ApprovalCaller, [findWaiting(db.orm, "OPERATION", entityId)]);
	const [[known]] = rows;
	if (known && isOpen(known, now)) throw new ApiError("APPROVAL_PENDING");
	const { body, ...addressed } = sent;
	const payload = { operation: op.id, operator: caller.operatorId, ...addressed, ...(body !== undefined && { body }) };
	const row: ApprovalRow = {
		id,
		organizationId: organizationOf(caller),
		approvalType: "OPERATION",
		entityType: "OPERATION",
		entityId,
		payload,
		payloadHash: await hashOf(payload),
		reason: null,
		targetVersion: NO_VERSION,
		decider: "OPERATOR",
		status: "PENDING",
		requestedBy: person,
		requestedThrough: CREDENTIAL_OF[caller.kind],
		decidedBy: null,
		decidedAt: null,
		decision: null,
		comment: null,
		failureReason: null,
		expiresAt: now + EXPIRES_AFTER_MS,
		createdAt: now,
	};
	const overdue = known && expireApproval(services, known);
	const owed = announce(services, approvalRequested, row);
	const answer = await services.commit(
		[...(overdue?.writes ?? []), db.orm.insert(approvals).values(row), ...owed.writes],
		new Reply(toApproval(row, now), { headers: { Location: `/v1/approvals/${id}` } }),
		{
			unique: [[[approvals.entityId, approvals.approvalType], "APPROVAL_PENDING"]],
			about: { operation: op.id, entity: entityId },
		},
	);
	await overdue?.owed.carry(services);
	await owed.carry(services);
	return answer;
}

/**
 * Runs the held call. The commit of its handler is that of the decision too, so that neither happens without the other. If the handler
 * refuses, the request ends as FAILED; if it loses a race or cannot tell, the request stays PENDING.
 */
export async function runHeld(services: HandlerServices, decided: ApprovalRow) {
	const failed = (failureReason: string) => conclude(services, { ...decided, status: "FAILED", failureReason });
	const call = HeldCall.safeParse(decided.payload);
	if (!call.success || decided.payloadHash !== (await hashOf(decided.payload))) return failed("PAYLOAD_CHANGED");
	const { operation, operator, ...sent } = call.data;
	const op = await services.heldOperation(operation);
	const input = op?.inputOf(sent as SentParts);
	if (!op || !input) return failed("INVALID_PARAMS");
	const approved: ApprovalRow = { ...decided, status: "APPROVED" };
	const about = { operation, requested_by: decided.requestedBy, entity: decided.entityId };
	const { organizationId } = decided;
	const caller = { kind: "operator", operatorId: operator, ...(organizationId !== null && { organizationId }) };
	const joined: HandlerServices = {
		...services,
		async commit<T>(writes: readonly Write[], output: T, options: CommitOptions = {}) {
			const execution = { writes, options: { ...options, about }, result: op.answerOf(output) };
			return (await conclude(services, approved, execution)) as unknown as Committed<T>;
		},
		moveTo(): HandlerServices {
			throw new Error(`${operation} was held in another home than it commits in`);
		},
	};
	let output: unknown;
	try {
		output = await op.run({ ...input, caller, ifMatch: undefined }, joined);
	} catch (error) {
		const reason = reasonOf(error);
		if (reason === undefined) throw error;
		return failed(reason);
	}
	if (output instanceof Committed) return output as Awaited<ReturnType<typeof conclude>>;
	return conclude(services, approved, { options: { about }, result: op.answerOf(output) });
}

/** The code with which a handler refuses; undefined where the same call may succeed later. */
function reasonOf(error: unknown): string | undefined {
	if (error instanceof InvalidInput) return "INVALID_PARAMS";
	if (!(error instanceof ApiError) || error instanceof LostRace) return undefined;
	return ERRORS[error.code].status >= 500 || error.code === "TOO_MANY_REQUESTS" ? undefined : error.code;
}
