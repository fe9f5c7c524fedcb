// Erasures and exports on the wire.

import * as z from "zod";
import { JsonValue } from "../../shared/json-value";
import { toTimestamp } from "../../shared/time";
import type { ErasureRow } from "./table";

export const Erasure = z
	.object({
		user_id: z.uuid(),
		status: z.enum(["RUNNING", "DONE"]).meta({ description: "DONE: nothing is left by which the user could be recognised" }),
		requested_at: z.iso.datetime(),
		erased_at: z.iso.datetime().nullable(),
	})
	.meta({ id: "Erasure" });

export const toErasure = ({ userId, requestedAt, erasedAt }: ErasureRow): z.input<typeof Erasure> => ({
	user_id: userId,
	status: erasedAt === null ? "RUNNING" : "DONE",
	requested_at: toTimestamp(requestedAt),
	erased_at: erasedAt === null ? null : toTimestamp(erasedAt),
});

export const HeldRecord = z
	.object({
		kind: z.string().meta({ description: "The kind of record: users, payees, transfers and so on" }),
		content: z.record(z.string(), JsonValue),
	})
	.meta({ id: "HeldRecord", description: "Something that is held about a person, as it is stored" });
