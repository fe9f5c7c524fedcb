// Runs an operator's call that was held, as that operator, in the commit of another operator's approval.

import * as z from "zod";
import type { Write } from "../../db/database";
import { type CommitOptions, Committed, type HandlerServices } from "../../runtime/services";
import { ApiError, ERRORS, InvalidInput, LostRace } from "../../shared/errors";
import type { Who } from "../organizations/person.procedure";
import { stillTrusted } from "../tokens/issuers/cache";
import { conclude, payloadHashOf } from "./decision.procedure";
import type { ApprovalRow } from "./table";

/** A call as it was sent. `operator`: who sent it, as the operation knows them. */
const HeldCall = z.strictObject({
	operation: z.string(),
	operator: z.string(),
	path: z.json(),
	query: z.json(),
	body: z.json().optional(),
});

/**
 * Runs the held call. The commit of its handler is that of the decision too, so that neither happens without the other. If the handler
 * refuses, the request ends as FAILED; if it loses a race or cannot know, the request stays PENDING.
 */
export async function runHeld(services: HandlerServices, decided: ApprovalRow, decider: Who) {
	const failed = (failureReason: string) => conclude(services, { ...decided, status: "FAILED", failureReason });
	const call = HeldCall.safeParse(decided.payload);
	if (!call.success || decided.payloadHash !== (await payloadHashOf(decided.payload))) return failed("PAYLOAD_CHANGED");
	const { operation, operator, ...sent } = call.data;
	if (decider.knownAs.includes(operator)) throw new ApiError("SELF_APPROVAL");
	// Nothing runs in the name of a person who is no operator any more.
	if (!(await stillTrusted(services, operator.slice(0, operator.indexOf("#")), "operator"))) return failed("OPERATOR_GONE");
	const op = await services.heldOperation(operation);
	const input = op?.inputOf(sent);
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
