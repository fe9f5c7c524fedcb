// The events that notes raise.

import * as z from "zod";
import { eventType } from "../../../src/shared/event-type";

export const noteWritten = eventType({
	type: "note.written",
	category: "ORGANIZATION",
	description: "A member wrote a note",
	data: z.object({ note_id: z.uuid() }),
	example: { note_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11" },
});
