// The event that an approval request raises when it is decided.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const approvalOutcome = eventType({
	type: "approval.outcome",
	category: "APPROVAL",
	description: "An approval request was approved or rejected",
	data: z.object({
		approval_request_id: z.uuid(),
		approval_type: z.string().meta({ examples: ["BLOCK_CHANGE"] }),
		entity_type: z.string().meta({ examples: ["USER"] }),
		entity_id: z.string(),
		decision: z.enum(["APPROVED", "REJECTED"]),
	}),
	example: {
		approval_request_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e10",
		approval_type: "BLOCK_CHANGE",
		entity_type: "USER",
		entity_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		decision: "APPROVED",
	},
});
