// Reads and writes endpoints and their signing keys. A commit that suspends an endpoint also holds its pending deliveries
// (`next_attempt_at` null). One that resumes it releases a single delivery as a probe; the rest follow when it succeeds.

import { and, count, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Orm, Statement } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import { maskedSecret, mintSecret, SECRET_BYTES, secretTail } from "../signing/policy";
import { webhookSigningKeys } from "../table";

export const MAX_ENDPOINTS = 100;

type NewKey = { row: typeof webhookSigningKeys.$inferInsert; secret: string };

/** Binds an encrypted secret to its row, so that it cannot be decrypted from another one. */
export const secretContext = (key: { organizationId: string; webhookId: string; keyId: string }): string =>
	`${key.organizationId}:${key.webhookId}:${key.keyId}`;

export async function mintSigningKey({ config, newId, now }: Services, organizationId: string, webhookId: string): Promise<NewKey> {
	const id = newId();
	const secret = mintSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
	const sealedSecret = await config.keyring.seal("webhook-secret", secretContext({ organizationId, webhookId, keyId: id }), secret);
	return { secret, row: { id, webhookId, sealedSecret, maskedSecret: maskedSecret(secretTail(secret)), createdAt: now } };
}

export const findEndpoint = (orm: Orm, organizationId: string, webhookId: string) =>
	orm
		.select()
		.from(webhookEndpoints)
		.where(and(eq(webhookEndpoints.id, webhookId), eq(webhookEndpoints.organizationId, organizationId)));

/** Newest first, the order of their signatures in the header. */
export const activeKeysOf = (orm: Orm, webhookId: string) =>
	orm
		.select()
		.from(webhookSigningKeys)
		.where(and(eq(webhookSigningKeys.webhookId, webhookId), isNull(webhookSigningKeys.revokedAt)))
		.orderBy(desc(webhookSigningKeys.createdAt), desc(webhookSigningKeys.id));

export const allKeysOf = (orm: Orm, webhookId: string) =>
	orm
		.select()
		.from(webhookSigningKeys)
		.where(eq(webhookSigningKeys.webhookId, webhookId))
		.orderBy(desc(webhookSigningKeys.createdAt), desc(webhookSigningKeys.id));

export const endpointsOf = (orm: Orm, organizationId: string) =>
	orm
		.select()
		.from(webhookEndpoints)
		.where(eq(webhookEndpoints.organizationId, organizationId))
		.orderBy(desc(webhookEndpoints.createdAt), desc(webhookEndpoints.id));

export const countEndpoints = (orm: Orm, organizationId: string) =>
	orm.select({ count: count() }).from(webhookEndpoints).where(eq(webhookEndpoints.organizationId, organizationId));

/** Unordered; callers sort the few keys of each endpoint. */
export const activeKeysOfAll = (orm: Orm, organizationId: string) =>
	orm
		.select({
			id: sql<string>`k.id`.as("key_id"),
			webhookId: sql<string>`k.webhook_id`.as("key_webhook_id"),
			maskedSecret: sql<string>`k.masked_secret`.as("key_masked_secret"),
			createdAt: sql<number>`k.created_at`.as("key_created_at"),
		})
		.from(sql`${webhookEndpoints} w cross join ${webhookSigningKeys} k on k.webhook_id = w.id`)
		.where(sql`w.organization_id = ${organizationId} and k.revoked_at is null`);

/** Aborts the commit as stale when a concurrent request has reached the limit. */
export const orTooManyEndpoints = (organizationId: string): SQL =>
	orStaleUnless(sql`(select count(*) from ${webhookEndpoints} where organization_id = ${organizationId}) <= ${MAX_ENDPOINTS}`);

/** Aborts the commit as stale unless the endpoint has between `least` and `most` active keys. */
export const orWrongKeyCount = (webhookId: string, least: number, most: number): SQL =>
	orStaleUnless(sql`
		(select count(*) from ${webhookSigningKeys} where webhook_id = ${webhookId} and revoked_at is null) between ${least} and ${most}`);

/** Revoked keys stay for the signature debugger; rotating again and again must not collect any number of them. */
const MAX_REVOKED_KEYS = 20;

/** Removes all but the latest revoked keys. */
export const forgetOldKeys = (webhookId: string): SQL => sql`
	delete from ${webhookSigningKeys} where id in (
		select id from ${webhookSigningKeys} where webhook_id = ${webhookId} and revoked_at is not null
		order by created_at desc, id desc limit -1 offset ${MAX_REVOKED_KEYS})`;

/** Holds the pending deliveries. One in flight is held when its attempt ends. */
export const holdPending = (orm: Orm, webhookId: string): Statement =>
	orm
		.update(webhookDeliveries)
		.set({ nextAttemptAt: null })
		.where(
			and(
				eq(webhookDeliveries.webhookId, webhookId),
				sql`status = 'PENDING' and claimed_until is null`,
				isNotNull(webhookDeliveries.nextAttemptAt),
			),
		);

/** Releases the oldest held delivery. */
export const releaseProbe = (orm: Orm, webhookId: string, now: number, condition = sql`true`) =>
	orm.all<{ id: string; lane: "FIRST" | "RETRY" }>(sql`
		update ${webhookDeliveries} set next_attempt_at = ${now}
		where id = (
			select id from ${webhookDeliveries}
			where webhook_id = ${webhookId} and status = 'PENDING' and claimed_until is null and next_attempt_at is null
			order by created_at limit 1)
		and ${condition}
		returning id, lane`);
