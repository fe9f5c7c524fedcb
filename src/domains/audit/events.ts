// The event that sends an organization the last hash of its audit trail. A copy that is kept elsewhere shows whether the end of the
// trail was cut off.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const auditSealed = eventType({
	type: "audit.sealed",
	category: "ORGANIZATION",
	description: "The audit trail was sealed; at most once a day",
	data: z.object({
		stream: z.string(),
		through_sequence: z.int(),
		hash: z.string().meta({ description: "The hash of the last seal: keep it where the service cannot change it" }),
	}),
	example: {
		stream: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e12/000",
		through_sequence: 418,
		hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	},
});
