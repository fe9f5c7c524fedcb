// The events of a request for approval: that it was made, and how it ended.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

const members = {
	approval_request_id: z.uuid(),
	approval_type: z.string().meta({ examples: ["BLOCK_CHANGE"] }),
	entity_type: z.string().meta({ examples: ["USER"] }),
	entity_id: z.string(),
};
const request = {
	approval_request_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e10",
	approval_type: "BLOCK_CHANGE",
	entity_type: "USER",
	entity_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
};

export const approvalRequested = eventType({
	type: "approval.requested",
	category: "APPROVAL",
	description: "An approval was requested",
	data: z.object(members),
	example: request,
});

export const approvalOutcome = eventType({
	type: "approval.outcome",
	category: "APPROVAL",
	description: "An approval request was approved or rejected",
	data: z.object({ ...members, decision: z.enum(["APPROVED", "REJECTED"]) }),
	example: { ...request, decision: "APPROVED" },
});

export const approvalExpired = eventType({
	type: "approval.expired",
	category: "APPROVAL",
	description: "An approval request expired before it was decided",
	data: z.object(members),
	example: request,
});

export const approvalFailed = eventType({
	type: "approval.failed",
	category: "APPROVAL",
	description: "An approval request was approved, but could no longer be executed",
	data: z.object({ ...members, failure_reason: z.string().meta({ examples: ["TARGET_CHANGED"] }) }),
	example: { ...request, failure_reason: "TARGET_CHANGED" },
});
