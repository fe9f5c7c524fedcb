// Authenticates callers by API key. The key itself shows that this service made it; its record is looked up with the request's
// first read, and with it the present role of its maker, beyond which no key goes.

import type { Services } from "../../runtime/services";
import { equalBytes, sha256Hex, utf8 } from "../../shared/bytes";
import { BoundedCache } from "../../shared/cache";
import { forbidden } from "../../shared/errors";
import { roleHolds } from "../../shared/permissions";
import type { Access, Caller, KeyCaller } from "./access";
import { readApiKey } from "./api-key";
import type { Asking } from "./asking";
import { lacksScope, unauthorised, whatToSend } from "./missing-credentials";

/** Why API keys are refused, by hash. A revocation or an expiry is never undone, so there is no other look-up. */
const endedKeys = new BoundedCache<string>(5_000, Number.POSITIVE_INFINITY);

const MAKER_REMOVED = "The member who made the API key has left: another member must adopt it";
const MADE_ALONE = "An operator made the API key alone: a member must adopt it";
const BEYOND_MAKER = "The member who made the API key may no longer do this: a member who may must adopt it";
const IN_PERSON = "No API key may do this: a person must, with a token of their own";

/** How often the last use of a key is recorded. */
export const USE_RECORDED_EVERY_MS = 60_000;

/** A key that this service made. `hash`: of the whole key. */
export type KeySubject = { readonly kind: "key"; readonly organizationId: string; readonly keyId: string; readonly hash: string };

export async function verifyApiKey(access: Access, key: string, { config }: Services): Promise<KeySubject> {
	if (!access.apiKey && !access.person) throw unauthorised(`This operation takes no API key. ${whatToSend(access)}`);
	const claimed = await readApiKey(config.keyring, key);
	if (!claimed) throw unauthorised("X-API-Key is not a whole API key: send it as it was shown, from sk_ to its end");
	return { kind: "key", ...claimed, hash: await sha256Hex(key) };
}

export async function byApiKey({ access, services, lookups }: Asking, { hash, keyId, organizationId }: KeySubject): Promise<Caller> {
	const ended = endedKeys.get(hash, services.realNow);
	if (ended) throw unauthorised(ended.value);
	const end = (why: string): Error => {
		endedKeys.set(hash, why, services.realNow);
		return unauthorised(why);
	};
	const there = services.at(organizationId);
	const db = there.db.primary ? there.db : there.primary();
	const lookup = lookups.apiKey(db.orm, keyId);
	const caller: KeyCaller = { kind: "key", keyId, organizationId };
	db.deferCheck({
		statements: [lookup.statement],
		accept([rows]) {
			const record = lookup.of(rows);
			if (!record || !equalBytes(utf8(record.hash), utf8(hash))) throw end("The API key is unknown or revoked");
			if (record.expiresAt !== null && record.expiresAt <= services.now) throw end("The API key has expired: create another");
			// Not remembered as ended: the key works again once another member adopts it.
			if (record.maker === "REMOVED") throw unauthorised(MAKER_REMOVED);
			if (record.maker === "OPERATOR" && services.config.OPERATOR_PAIRS === "on") throw unauthorised(MADE_ALONE);
			const { maker } = record;
			caller.allowance = { dailyAmount: record.dailyAmount, maker: record.createdBy };
			const scopes = access.apiKey;
			if (!scopes) throw forbidden(IN_PERSON);
			const named = record.scopes.filter((scope) => scopes.includes(scope));
			if (named.length === 0) throw lacksScope(scopes);
			if (maker !== "OPERATOR" && !named.some((scope) => roleHolds(maker, scope))) {
				throw forbidden(BEYOND_MAKER);
			}
			// At most once a minute, and after the answer, so that the request does not wait for it.
			if (record.lastUsedAt === null || record.lastUsedAt <= services.now - USE_RECORDED_EVERY_MS) {
				there.afterwards((job) => lookups.keyUsed(job, keyId));
			}
		},
	});
	if (db !== there.db) await db.runDeferredCheck();
	return caller;
}
