// API keys on the wire. The key itself is in the answer that makes it and nowhere else.

import * as z from "zod";
import { SCOPES, type Scope } from "../../../shared/permissions";
import { toTimestamp } from "../../../shared/time";
import type { apiKeys } from "../table";

export const ApiKey = z
	.object({
		id: z.uuid(),
		name: z.string(),
		masked_key: z.string().meta({ description: "`sk_...` and the key's last characters" }),
		scopes: z.array(z.enum(SCOPES)),
		created_at: z.iso.datetime(),
		expires_at: z.iso.datetime().nullable(),
		last_used_at: z.iso.datetime().nullable().meta({ description: "To the minute" }),
	})
	.meta({ id: "ApiKey" });

export const NewApiKey = ApiKey.extend({
	key: z.string().optional().meta({ description: "Sent as `X-API-Key`; shown in this answer alone, not in its replays" }),
}).meta({ id: "NewApiKey" });

const instant = (ms: number | null) => (ms === null ? null : toTimestamp(ms));

export const toApiKey = (row: typeof apiKeys.$inferSelect): z.input<typeof ApiKey> => ({
	id: row.id,
	name: row.name,
	masked_key: row.maskedKey,
	scopes: row.scopes as Scope[],
	created_at: toTimestamp(row.createdAt),
	expires_at: instant(row.expiresAt),
	last_used_at: instant(row.lastUsedAt),
});
