// Reads and writes signing keys. A key is active until it is revoked or expires, whether or not the sweep has recorded its expiry.

import { and, type Column, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import { webhookSigningKeys } from "../table";
import { maskedSecret, mintSecret, SECRET_BYTES, secretTail } from "./policy";

const signingKey = alias(webhookSigningKeys, "signing_key");
const endpoint = alias(webhookEndpoints, "endpoint");

type NewKey = { row: typeof webhookSigningKeys.$inferInsert & { expiresAt: null }; secret: string };

/** Binds an encrypted secret to its row, so that it cannot be decrypted from another one. */
export const secretContext = (key: { organizationId: string; webhookId: string; keyId: string }): string =>
	`${key.organizationId}:${key.webhookId}:${key.keyId}`;

export async function mintSigningKey({ config, newId, now }: Services, organizationId: string, webhookId: string): Promise<NewKey> {
	const id = newId();
	const secret = mintSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
	const sealedSecret = await config.keyring.seal("webhook-secret", secretContext({ organizationId, webhookId, keyId: id }), secret);
	return { secret, row: { id, webhookId, sealedSecret, maskedSecret: maskedSecret(secretTail(secret)), createdAt: now, expiresAt: null } };
}

/** Whether a key signs at this instant. `key`: the table, or the alias under which a statement reads it. */
export const isActive = (now: number | SQL, key: Readonly<Record<"revokedAt" | "expiresAt", Column>> = webhookSigningKeys): SQL =>
	sql`${key.revokedAt} is null and (${key.expiresAt} is null or ${key.expiresAt} > ${now})`;

/** Of an endpoint of the organization; another organization's keys are not read. */
const belongTo = (organizationId: string, webhookId: string) =>
	eq(
		webhookSigningKeys.webhookId,
		sql`(select ${endpoint.id} from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookId} and ${endpoint.organizationId} = ${organizationId})`,
	);

/** Newest first, the order of their signatures in the header. */
export const activeKeysOf = (orm: Orm, organizationId: string, webhookId: string, now: number) =>
	orm
		.select()
		.from(webhookSigningKeys)
		.where(and(belongTo(organizationId, webhookId), isActive(now)))
		.orderBy(desc(webhookSigningKeys.createdAt), desc(webhookSigningKeys.id));

export const allKeysOf = (orm: Orm, organizationId: string, webhookId: string) =>
	orm
		.select()
		.from(webhookSigningKeys)
		.where(belongTo(organizationId, webhookId))
		.orderBy(desc(webhookSigningKeys.createdAt), desc(webhookSigningKeys.id));

/** Unordered; callers sort the few keys of each endpoint. */
export const activeKeysOfAll = (orm: Orm, organizationId: string, now: number) =>
	orm
		.select({
			id: qualified<string>(signingKey.id).as("key_id"),
			webhookId: qualified<string>(signingKey.webhookId).as("key_webhook_id"),
			maskedSecret: qualified<string>(signingKey.maskedSecret).as("key_masked_secret"),
			createdAt: qualified<number>(signingKey.createdAt).as("key_created_at"),
			expiresAt: qualified<number | null>(signingKey.expiresAt).as("key_expires_at"),
		})
		.from(sql`${webhookEndpoints} ${endpoint} cross join ${webhookSigningKeys} ${signingKey} on ${signingKey.webhookId} = ${endpoint.id}`)
		.where(sql`${endpoint.organizationId} = ${organizationId} and ${isActive(now, signingKey)}`);

/** Aborts the commit as stale unless the endpoint has at least `lasting` keys that do not expire, and at most `most` active ones. */
export const orWrongKeyCount = (webhookId: string, { lasting, most }: { lasting: number; most: number }, now: number): SQL =>
	orStaleUnless(sql`(
		select count(*) filter (where ${webhookSigningKeys.expiresAt} is null) >= ${lasting} and count(*) <= ${most}
		from ${webhookSigningKeys} where ${webhookSigningKeys.webhookId} = ${webhookId} and ${isActive(now)})`);

/** Revoked keys stay for the signature debugger; rotating again and again must not collect any number of them. */
const MAX_REVOKED_KEYS = 20;

/** Removes all but the latest revoked keys. */
export const forgetOldKeys = (webhookId: string): SQL => sql`
	delete from ${webhookSigningKeys} where ${webhookSigningKeys.id} in (
		select ${webhookSigningKeys.id} from ${webhookSigningKeys} where ${webhookSigningKeys.webhookId} = ${webhookId} and ${webhookSigningKeys.revokedAt} is not null
		order by ${webhookSigningKeys.createdAt} desc, ${webhookSigningKeys.id} desc limit -1 offset ${MAX_REVOKED_KEYS})`;

/** Ends the endpoint's active keys at that instant. One whose end was set before keeps it. */
export const expireKeys = (orm: Orm, webhookId: string, at: number) =>
	orm
		.update(webhookSigningKeys)
		.set({ expiresAt: at })
		.where(and(eq(webhookSigningKeys.webhookId, webhookId), isNull(webhookSigningKeys.revokedAt), isNull(webhookSigningKeys.expiresAt)));

/** The keys that have expired and are not recorded as revoked yet, with their endpoints. */
export const expiredKeys = (orm: Orm, now: number, limit: number) =>
	orm.all<{ id: string; expiresAt: number; webhookId: string; organizationId: string; webhookName: string }>(sql`
		select ${signingKey.id} as "id", ${signingKey.expiresAt} as "expiresAt", ${endpoint.id} as "webhookId", ${endpoint.organizationId} as "organizationId", ${endpoint.name} as "webhookName"
		from ${webhookSigningKeys} ${signingKey} join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = ${signingKey.webhookId}
		where ${signingKey.expiresAt} <= ${now} and ${signingKey.revokedAt} is null order by ${signingKey.expiresAt} limit ${limit}`);

/** Records the expiry of a key, once. */
export const recordExpiry = (orm: Orm, { id, expiresAt }: { id: string; expiresAt: number }) =>
	orm
		.update(webhookSigningKeys)
		.set({ revokedAt: expiresAt })
		.where(and(eq(webhookSigningKeys.id, id), isNull(webhookSigningKeys.revokedAt)));
