// Holds an operator's call until a second operator decides: it is stored as it was sent, as a request for approval. `held.procedure`
// runs it.

import { first } from "../../db/reads";
import type { OperatorCaller, OrganizationCaller } from "../../http/callers/access";
import type { SentParts } from "../../http/input";
import type { AnyOperation } from "../../http/operation";
import type { HandlerServices } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { CREDENTIAL_OF, organizationOf, readAs } from "./callers";
import { payloadHashOf } from "./decision.procedure";
import { isOpen, undecided } from "./lifecycle";
import { findWaiting } from "./store";
import { storeRequest } from "./storing.procedure";
import type { ApprovalRow } from "./table";
import { Approval, pathOfApproval, toApproval } from "./wire";

/** No version of its target is compared: the operation judges the target's present state when it runs. */
const NO_VERSION = "NONE";

/** The operation that stores a call of this one: its path, credentials and input, with a request for approval as its answer. */
export function holding(op: AnyOperation, sent: SentParts): AnyOperation {
	return {
		id: "requestApproval",
		method: op.method,
		path: op.path,
		summary: op.summary,
		// A stored change counts as no act of an operator alone.
		access: { ...op.access, operatorWrites: "HELD" },
		...(op.home !== undefined && { home: op.home }),
		request: op.request,
		response: Approval,
		status: 202,
		location: pathOfApproval,
		async handle(input: Held, services: HandlerServices) {
			await op.judge?.(input as never, services);
			return store(services, { ...input, op, sent });
		},
	};
}

type Held = { caller: Operator; path?: { readonly [name: string]: unknown } };
type Operator = OperatorCaller | Extract<OrganizationCaller, { kind: "operator" }>;

async function store(services: HandlerServices, { op, sent, caller, path = {} }: Held & { op: AnyOperation; sent: SentParts }) {
	const { db, now } = services;
	const id = services.newId();
	const named = Object.values(path).at(-1);
	const entityId = typeof named === "string" ? named : id;
	const { who, rows } = await readAs(services, caller, { known: first(findWaiting(db.orm, "OPERATION", entityId)) });
	const { known } = rows;
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
		payloadHash: await payloadHashOf(payload),
		reason: null,
		targetVersion: NO_VERSION,
		decider: "OPERATOR",
		requestedBy: who.person,
		requestedThrough: CREDENTIAL_OF[caller.kind],
		requestedAs: who.knownAs,
		...undecided(now),
	};
	return storeRequest(services, { row, overdue: known }, toApproval(row, now), { about: { operation: op.id, entity: entityId } });
}
