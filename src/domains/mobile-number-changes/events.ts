// The event of a mobile-number change. It never contains a number.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const mobileNumberChanged = eventType({
	type: "user.mobile_number_changed",
	category: "USER",
	description: "The mobile number of a user was changed",
	data: z.object({ user_id: z.uuid(), mobile_number_change_id: z.uuid(), completed_at: z.iso.datetime() }),
	example: {
		user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		mobile_number_change_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e71",
		completed_at: "2026-03-02T09:30:00.000Z",
	},
});
