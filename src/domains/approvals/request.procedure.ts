// Stores a request for approval. The request must be possible now.

import type { Write } from "../../db/database";
import { first } from "../../db/reads";
import type { Committed, HandlerServices } from "../../runtime/services";
import { ApiError, type WordlessCode } from "../../shared/errors";
import type { Json } from "../../shared/json";
import { type ApprovalCaller, CREDENTIAL_OF, organizationOf, readAs, refuseUnlessFor } from "./callers";
import { payloadHashOf } from "./decision.procedure";
import { EXECUTORS, type ExecutedType } from "./executors/registry.procedure";
import { isOpen, undecided } from "./lifecycle";
import { findWaiting } from "./store";
import { storeRequest } from "./storing.procedure";
import type { ApprovalRow } from "./table";
import { toApproval } from "./wire";

type Asked = {
	readonly type: ExecutedType;
	readonly entityId: string;
	/** As the executor's schema has it. */
	readonly payload: unknown;
	readonly reason: string | null;
	/** Errors for reasons of an executor; others are INVALID_STATE. */
	readonly refusals?: { readonly [reason: string]: WordlessCode };
	readonly writes?: readonly Write[];
};

/** Commits the request. */
export async function request(
	services: HandlerServices,
	caller: ApprovalCaller,
	{ type, entityId, payload, reason, refusals = {}, writes = [] }: Asked,
): Promise<Committed<ReturnType<typeof toApproval>>> {
	const { db, now } = services;
	const executor = EXECUTORS[type];
	const { who, role, rows } = await readAs(services, caller, {
		known: first(findWaiting(db.orm, type, entityId)),
		found: executor.find(db.orm, entityId, payload, now),
	});
	refuseUnlessFor(type, caller, role);
	const { known, found } = rows;
	const target = executor.target(services, found, entityId, payload);
	const own = organizationOf(caller);
	if (!target || (own !== null && target.organizationId !== own)) {
		throw new ApiError("NOT_FOUND", { description: `There is no such ${executor.entity.toLowerCase()}` });
	}
	if (known && isOpen(known, now)) throw new ApiError("APPROVAL_PENDING");
	const id = services.newId();
	const plan = await target.plan({ approvalId: id, asker: who.person, person: who.person, reason });
	if (!plan.accepted) {
		const code = refusals[plan.reason];
		const { description = `This cannot be executed: ${plan.reason}` } = plan;
		if (code === "NOT_FOUND") throw new ApiError(code, { description });
		throw code ? new ApiError(code) : new ApiError("INVALID_STATE", { description });
	}
	const row: ApprovalRow = {
		id,
		organizationId: own ?? target.organizationId,
		approvalType: type,
		entityType: executor.entity,
		entityId,
		payload: payload as Json,
		payloadHash: await payloadHashOf(payload as Json),
		reason,
		targetVersion: target.version,
		decider: target.decider,
		requestedBy: who.person,
		requestedThrough: CREDENTIAL_OF[caller.kind],
		requestedAs: who.knownAs,
		...undecided(now),
	};
	return storeRequest(services, { row, overdue: known, writes }, toApproval(row, now));
}
