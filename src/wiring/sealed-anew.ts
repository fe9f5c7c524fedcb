// Seals again, under the first master key, what is kept for long and was sealed under the key that is being retired. What is kept for hours
// or days ends by itself.

import { and, asc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { bare } from "../db/columns";
import type { Reader, Write } from "../db/database";
import { contextOf } from "../domains/connections/model/plan";
import { paymentConnections } from "../domains/connections/model/table";
import { devices } from "../domains/messages/devices/table";
import { tokenContext } from "../domains/messages/devices/token.crypto";
import { inbox } from "../domains/messages/inbox.table";
import { headersContext } from "../domains/webhooks/endpoints/store";
import { secretContext } from "../domains/webhooks/signing/store";
import { webhookSigningKeys } from "../domains/webhooks/table";
import { webhookEndpoints } from "../events/table";
import type { JobServices, Services } from "../runtime/services";
import type { SealPurpose } from "../shared/keyring";
import { HOUR_MS } from "../shared/time";

const BATCH = 50;

type Found = { readonly key: string; readonly sealed: string; readonly context: string };
type Asked = { readonly keyId: string; readonly after: string; readonly limit: number };

/** The sealed texts of one table. */
type Part = {
	readonly purpose: SealPurpose;
	readonly table: SQLiteTable;
	readonly key: SQLiteColumn | SQL;
	readonly column: SQLiteColumn;
	/** Those sealed under a key, in the order of their rows' keys, after one of these. */
	find(db: Reader, asked: Asked): Promise<Found[]>;
};

/** Puts the text in the place of the earlier one, if that is still there. */
const put = ({ table, key, column }: Part, row: Found, fresh: string): Write =>
	sql`update ${table} set ${bare(column)} = ${fresh} where ${key} = ${row.key} and ${column} = ${row.sealed}`;

/** A sealed text begins with its key and a point; the character after a point is a slash. */
const isUnder = (column: SQLiteColumn, keyId: string): SQL | undefined => and(gte(column, `${keyId}.`), lt(column, `${keyId}/`));

const w = webhookEndpoints;
const k = webhookSigningKeys;
const c = paymentConnections;
const d = devices;
const connectionKey = sql<string>`(${c.organizationId} || ' ' || ${c.provider})`;

const parts: readonly Part[] = [
	{
		...{ purpose: "webhook-secret", table: k, key: k.id, column: k.sealedSecret },
		async find(db, { keyId, after, limit }) {
			const rows = await db.read(
				db.orm
					.select({ keyId: k.id, webhookId: k.webhookId, organizationId: w.organizationId, sealed: k.sealedSecret })
					.from(k)
					.innerJoin(w, eq(w.id, k.webhookId))
					.where(and(gt(k.id, after), isUnder(k.sealedSecret, keyId)))
					.orderBy(asc(k.id))
					.limit(limit),
			);
			return rows.map(({ sealed, ...of }) => ({ key: of.keyId, sealed, context: secretContext(of) }));
		},
	},
	{
		...{ purpose: "webhook-headers", table: w, key: w.id, column: w.sealedHeaders },
		async find(db, { keyId, after, limit }) {
			const rows = await db.read(
				db.orm
					.select({ webhookId: w.id, organizationId: w.organizationId, sealed: w.sealedHeaders })
					.from(w)
					.where(and(gt(w.id, after), isUnder(w.sealedHeaders, keyId)))
					.orderBy(asc(w.id))
					.limit(limit),
			);
			return rows.map(({ sealed, ...of }) => ({ key: of.webhookId, sealed: sealed ?? "", context: headersContext(of) }));
		},
	},
	{
		...{ purpose: "connection", table: c, key: connectionKey, column: c.sealed },
		async find(db, { keyId, after, limit }) {
			const rows = await db.read(
				db.orm
					.select({ organizationId: c.organizationId, provider: c.provider, version: c.version, sealed: c.sealed })
					.from(c)
					.where(and(sql`${connectionKey} > ${after}`, isUnder(c.sealed, keyId)))
					.orderBy(connectionKey)
					.limit(limit),
			);
			return rows.map(({ sealed, ...of }) => ({ key: `${of.organizationId} ${of.provider}`, sealed, context: contextOf(of) }));
		},
	},
	{
		...{ purpose: "message", table: inbox, key: inbox.id, column: inbox.sealed },
		async find(db, { keyId, after, limit }) {
			const rows = await db.read(
				db.orm
					.select({ id: inbox.id, sealed: inbox.sealed })
					.from(inbox)
					.where(and(gt(inbox.id, after), isUnder(inbox.sealed, keyId)))
					.orderBy(asc(inbox.id))
					.limit(limit),
			);
			return rows.map(({ id, sealed }) => ({ key: id, sealed, context: id }));
		},
	},
	{
		...{ purpose: "push-token", table: d, key: d.tokenHash, column: d.sealedToken },
		async find(db, { keyId, after, limit }) {
			const rows = await db.read(
				db.orm
					.select({ key: d.tokenHash, userId: d.userId, deviceHash: d.deviceHash, sealed: d.sealedToken })
					.from(d)
					.where(and(gt(d.tokenHash, after), isUnder(d.sealedToken, keyId)))
					.orderBy(asc(d.tokenHash))
					.limit(limit),
			);
			return rows.map(({ key, sealed, ...of }) => ({ key, sealed, context: tokenContext(of) }));
		},
	},
];

/** How far this isolate has come in a database, by the database's first home and the key; another isolate looks at everything again. */
const progress = new Map<string, { readonly part: number; readonly after: string; readonly since: number }>();

/** Seals one portion again in this database. Returns whether more is waiting. */
export async function sealAnew(services: JobServices, keyId: string): Promise<boolean> {
	const { db, config, log, realNow } = services;
	const place = `${services.home} ${keyId}`;
	const start = { part: 0, after: "", since: realNow };
	const come = progress.get(place) ?? start;
	const part = parts[come.part];
	if (!part) {
		// What an isolate of before has sealed meanwhile.
		if (realNow - come.since >= HOUR_MS) progress.set(place, start);
		return false;
	}
	const { purpose } = part;
	const found = await part.find(db, { keyId, after: come.after, limit: BATCH });
	const writes = await Promise.all(
		found.map(async (row) => {
			const plain = await config.keyring.open(purpose, row.context, row.sealed);
			if (plain !== undefined) return [put(part, row, await config.keyring.seal(purpose, row.context, plain))];
			log.error("a sealed text cannot be opened, and stays as it is", undefined, { purpose, key: keyId });
			return [];
		}),
	);
	await services.commit(writes.flat());
	const last = found.at(-1);
	const isFull = found.length === BATCH && last !== undefined;
	progress.set(place, { ...come, ...(isFull ? { after: last.key } : { part: come.part + 1, after: "" }) });
	return true;
}

/** Whether this database holds anything for long that only this key opens. */
export async function isSealedUnder({ db }: Services, keyId: string): Promise<boolean> {
	for (const part of parts) {
		if ((await part.find(db, { keyId, after: "", limit: 1 })).length > 0) return true;
	}
	// An account that waits to be connected is kept for a day.
	const waiting = await db.read(
		db.orm
			.select({ provider: c.provider })
			.from(c)
			.where(sql`${c.replacement} ->> 'sealed' like ${`${keyId}.%`}`)
			.limit(1),
	);
	return waiting.length > 0;
}
