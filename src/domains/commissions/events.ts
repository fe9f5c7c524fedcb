// The events that agents' commissions raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const agentPenaltyRecorded = eventType({
	type: "agent.penalty_recorded",
	category: "AGENT",
	description: "A penalty for an agent was recorded",
	data: z.object({ agent_user_id: z.uuid(), event_id: z.uuid(), amount: z.int(), currency: z.string() }),
	example: {
		agent_user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		event_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e51",
		amount: 5_000,
		currency: "KES",
	},
});
