// Builds the statements on connections to providers of payments.

import { and, asc, type Column, eq, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import type { ConnectionFacts } from "../../../runtime/ports";
import { isPaused } from "./lifecycle";
import { type ConnectionRow, type FormerConnection, formerConnections, paymentConnections } from "./table";

type Named = Pick<ConnectionRow, "organizationId" | "provider">;

const paymentConnection = alias(paymentConnections, "payment_connection");

const isIt = ({ organizationId, provider }: Pick<Named, "provider"> & { readonly organizationId: string | SQL }) =>
	and(eq(paymentConnections.organizationId, sql`${organizationId}`), eq(paymentConnections.provider, provider));

export const findConnection = (orm: Orm, named: Parameters<typeof isIt>[0]) => orm.select().from(paymentConnections).where(isIt(named));

/** What decides who pays, of all connections of the organization that the subquery names. */
export const findConnectionsOf = (orm: Orm, organizationId: SQL | string) =>
	orm
		.select({
			connectionOf: sql<string>`${paymentConnections.organizationId}`.as("connection_of"),
			provider: paymentConnections.provider,
			payouts: paymentConnections.payouts,
			status: sql<ConnectionRow["status"]>`${paymentConnections.status}`.as("connection_status"),
			pausedUntil: paymentConnections.pausedUntil,
			facts: paymentConnections.facts,
		})
		.from(paymentConnections)
		.where(eq(paymentConnections.organizationId, sql`${organizationId}`));

export type FoundConnection = Awaited<ReturnType<typeof findConnectionsOf>>[number];

export const factsOf = (found: readonly FoundConnection[], now: number): ConnectionFacts[] =>
	found.map(({ connectionOf, provider, payouts, status, pausedUntil, facts }) => ({
		organizationId: connectionOf,
		provider,
		pays: payouts,
		paused: isPaused({ status, pausedUntil }, now),
		facts,
	}));

type Waiting = Pick<ConnectionRow, "replacement" | "replacedAt">;

/** Stores the connection as the version after the version that was read. A waiting replacement is left alone. */
export const changeConnection = (orm: Orm, { replacement: _, replacedAt: __, ...row }: ConnectionRow): Effect =>
	guarded(
		orm
			.insert(paymentConnections)
			.values(row)
			.onConflictDoUpdate({
				target: [paymentConnections.organizationId, paymentConnections.provider],
				set: row,
				setWhere: sql`${paymentConnections.version} = ${row.version - 1}`,
			}),
	);

/** A waiting replacement takes the connection's place, if both are as they were seen. */
export const replaceConnection = (orm: Orm, seen: ConnectionRow, row: ConnectionRow): Effect =>
	guarded(
		orm
			.update(paymentConnections)
			.set({ ...row, replacement: null, replacedAt: null })
			.where(isAsSeen(seen)),
	);

/** Another account waits to take the connection's place; null: none does any more. */
export const setReplacement = (orm: Orm, seen: ConnectionRow, waiting: Waiting): Effect =>
	guarded(orm.update(paymentConnections).set(waiting).where(isAsSeen(seen)));

const isAsSeen = ({ version, replacedAt, replacement, ...named }: ConnectionRow) =>
	and(
		isIt(named),
		eq(paymentConnections.version, version),
		replacedAt === null ? isNull(paymentConnections.replacedAt) : eq(paymentConnections.replacedAt, replacedAt),
		replacement === null
			? isNull(paymentConnections.replacement)
			: sql`json_extract(${paymentConnections.replacement}, '$.sealed') = ${replacement.sealed}`,
	);

/** Those whose replacement is due, the first of them. */
export const findDueReplacements = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(paymentConnections)
		.where(and(isNotNull(paymentConnections.replacedAt), lte(paymentConnections.replacedAt, now)))
		.orderBy(asc(paymentConnections.replacedAt))
		.limit(limit);

export const findFormer = (orm: Orm, { organizationId, provider }: Named) =>
	orm
		.select()
		.from(formerConnections)
		.where(and(eq(formerConnections.organizationId, organizationId), eq(formerConnections.provider, provider)));

/** Remembers the account that is disconnected. */
export const keepFormer = (orm: Orm, row: FormerConnection): Statement =>
	orm
		.insert(formerConnections)
		.values(row)
		.onConflictDoUpdate({ target: [formerConnections.organizationId, formerConnections.provider], set: row });

export const resumeConnection = (orm: Orm, { version, ...named }: Named & { version: number }, now: number): Effect =>
	guarded(
		orm
			.update(paymentConnections)
			.set({ status: "ACTIVE", pausedReason: null, pausedUntil: null, updatedAt: now })
			.where(and(isIt(named), eq(paymentConnections.version, version))),
	);

export const deleteConnection = (orm: Orm, { version, ...named }: Named & { version: number }): Effect =>
	guarded(orm.delete(paymentConnections).where(and(isIt(named), eq(paymentConnections.version, version))));

type Pause = { readonly reason: string; readonly until: number | null };

/** It pays, or rests for another reason while this one is over only when somebody has mended it. */
const isNewsTo = (connection: Record<"status" | "pausedReason" | "pausedUntil", Column>, { reason, until }: Pause, now: number): SQL =>
	sql`(${connection.status} = 'ACTIVE' or ${connection.pausedUntil} <= ${now}
		or ${until} is null and ${connection.pausedReason} <> ${reason})`;

/** As a condition: the pause changes the connection. */
export const isNews = ({ organizationId, provider }: Named, pause: Pause, now: number): SQL =>
	sql`exists (select 1 from ${paymentConnections} ${paymentConnection} where ${paymentConnection.organizationId} = ${organizationId} and ${paymentConnection.provider} = ${provider}
		and ${isNewsTo(paymentConnection, pause, now)})`;

/** Pauses the connection where that is news. */
export const pauseConnection = (orm: Orm, named: Named, pause: Pause, now: number): Statement =>
	orm
		.update(paymentConnections)
		.set({ status: "PAUSED", pausedReason: pause.reason, pausedUntil: pause.until, updatedAt: now })
		.where(and(isIt(named), isNewsTo(paymentConnections, pause, now)));

/** As a condition of a commit: the connection is there. */
export const isConnected = ({ organizationId, provider }: Named): SQL =>
	sql`exists (select 1 from ${paymentConnections} ${paymentConnection} where ${paymentConnection.organizationId} = ${organizationId} and ${paymentConnection.provider} = ${provider})`;

/** The same, and it is of that account. */
export const isConnectedTo = ({ organizationId, provider, shortCode }: Named & Pick<ConnectionRow, "shortCode">): SQL =>
	sql`exists (select 1 from ${paymentConnections} ${paymentConnection}
		where ${paymentConnection.organizationId} = ${organizationId} and ${paymentConnection.provider} = ${provider} and ${paymentConnection.shortCode} = ${shortCode})`;

export const renewAddress = (orm: Orm, { version, ...named }: Named & { version: number }, addressVersion: number, now: number): Effect =>
	guarded(
		orm
			.update(paymentConnections)
			.set({ addressVersion, updatedAt: now })
			.where(and(isIt(named), eq(paymentConnections.version, version))),
	);
