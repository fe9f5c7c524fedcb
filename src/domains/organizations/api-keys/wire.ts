// API keys on the wire. Only the response that creates a key contains the key itself.

import * as z from "zod";
import { SCOPES, type Scope } from "../../../shared/permissions";
import { toTimestamp } from "../../../shared/time";
import type { apiKeys } from "../table";

export const ApiKey = z
	.object({
		id: z.uuid(),
		name: z.string(),
		masked_key: z.string().meta({ description: "`sk_...` and the last four characters of the key" }),
		scopes: z.array(z.enum(SCOPES).meta({ title: "ApiKeyScope" })),
		daily_amount: z.int().meta({ description: "How much the key may move in a day (UTC), in minor units; beyond it 429" }),
		created_by: z.string().meta({ description: "Whose powers the key has: the user, or operator, who made or adopted it" }),
		created_at: z.iso.datetime(),
		expires_at: z.iso.datetime().nullable(),
		last_used_at: z.iso.datetime().nullable().meta({ description: "Accurate to the minute" }),
	})
	.meta({ id: "ApiKey" });

export const IssuedApiKey = ApiKey.extend({
	key: z.string().optional().meta({ description: "Send it as `X-API-Key`. Only this response contains it; its idempotent replays do not" }),
}).meta({ id: "IssuedApiKey" });

const instant = (ms: number | null) => (ms === null ? null : toTimestamp(ms));

export const toApiKey = (
	row: typeof apiKeys.$inferSelect,
	{ API_KEY_DAILY_AMOUNT }: { readonly API_KEY_DAILY_AMOUNT: number },
): z.input<typeof ApiKey> => ({
	id: row.id,
	name: row.name,
	masked_key: row.maskedKey,
	scopes: row.scopes as Scope[],
	daily_amount: row.dailyAmount ?? API_KEY_DAILY_AMOUNT,
	created_by: row.createdBy,
	created_at: toTimestamp(row.createdAt),
	expires_at: instant(row.expiresAt),
	last_used_at: instant(row.lastUsedAt),
});
