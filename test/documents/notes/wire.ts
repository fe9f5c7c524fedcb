// Notes on the wire.

import * as z from "zod";
import { toTimestamp } from "../../../src/shared/time";
import type { notes } from "./table";

export const Note = z.object({ id: z.uuid(), body: z.string(), created_at: z.iso.datetime() }).meta({ id: "Note" });

export const NoteBody = z.strictObject({ body: z.string().trim().min(1).max(1000) }).meta({ examples: [{ body: "Call the buyer" }] });

export const toNote = (row: typeof notes.$inferSelect): z.input<typeof Note> => ({
	id: row.id,
	body: row.body,
	created_at: toTimestamp(row.createdAt),
});
