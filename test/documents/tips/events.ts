// The event that tips raise.

import * as z from "zod";
import { eventType } from "../../../src/shared/event-type";

export const tipGiven = eventType({
	type: "tip.given",
	category: "CURRENT_ACCOUNT",
	description: "A user gave a tip",
	data: z.object({ tip_id: z.uuid(), account_id: z.uuid(), amount: z.int() }),
	example: {
		tip_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e61",
		account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e41",
		amount: 500,
	},
});
