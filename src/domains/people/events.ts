// The event of an erasure.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const userErased = eventType({
	type: "user.erased",
	category: "USER",
	description: "Everything by which a user could be recognised was removed: remove what you hold of them too, unless you must keep it",
	data: z.object({ user_id: z.uuid(), erased_at: z.iso.datetime() }),
	example: { user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11", erased_at: "2026-03-02T09:30:00.000Z" },
});
