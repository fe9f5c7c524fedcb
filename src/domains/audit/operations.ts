// The audit trail for organizations and operators: rows and seals of one stream, newest first.

import { and, eq, getTableColumns, gte, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { type AuditRow as AuditRowStored, auditRows } from "../../db/audit.table";
import { type Position, rowsOf, type Window } from "../../db/keyset";
import { first } from "../../db/reads";
import { PLATFORM, streamAt } from "../../http/audit/audit";
import { member, type OperatorCaller, type OrganizationCaller, oneOf, operator } from "../../http/callers/access";
import { homeOfCaller, operation, Reply } from "../../http/operation";
import { Links, listReply, openPage, openWindow, paging } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { MINUTE_MS } from "../../shared/time";
import { Instant } from "../../shared/timestamp";
import { displaysOf } from "../organizations/members/display.procedure";
import { calledBy } from "../organizations/members/display.store";
import { findVerified } from "./seals.store";
import { auditSeals } from "./table";
import { ActorDisplay, AuditRow, AuditSeal, toAuditRow, toAuditSeal, toVerifiedThrough, VerifiedThrough } from "./wire";

const auditRow = alias(auditRows, "audit_row");

const access = oneOf(member("org:audit:read"), operator);
type Reader = OrganizationCaller | OperatorCaller;

const stream = z
	.string()
	.regex(/^(platform|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[0-9a-f]{3}$/, "must be the stream of an audit row")
	.optional()
	.meta({ description: "A stream in another database, as named by an audit row. By default the stream in the organization's home" });

/** A home of the stream's database: the name of the stream ends with it. */
const homeOfStream = ({ query, caller }: { query: { stream?: string | undefined }; caller: Reader }) =>
	query.stream === undefined ? homeOfCaller(caller) : Number.parseInt(query.stream.slice(-3), 16);

/** The stream to read: that of the acting organization, or of the platform for operators who act for none. */
function streamOf({ query, caller }: { query: { stream?: string | undefined }; caller: Reader }, { databases, home }: Services): string {
	const own = "organizationId" in caller ? caller.organizationId : PLATFORM;
	if (query.stream === undefined) return streamAt(databases, own, home);
	if (caller.kind === "member" && !query.stream.startsWith(`${own}/`))
		throw new ApiError("NOT_FOUND", { description: "There is no such stream" });
	return query.stream;
}

/** The rows of one entity are few and lie anywhere, so they have an index. An index for each of the others would cost every change a row. */
const FILTERS = {
	actor_id: { column: auditRows.actorId, index: undefined },
	entity_id: { column: auditRows.entityId, index: sql`audit_rows_entity` },
	operation: { column: auditRows.operation, index: undefined },
};
type Filters = { [F in keyof typeof FILTERS]?: string | undefined };

/** The filter that was sent. Only one is allowed. */
function filterOf(filters: Filters): { index: SQL | undefined; where: SQL } | undefined {
	const [first, second] = (Object.keys(FILTERS) as (keyof Filters)[]).filter((name) => filters[name] !== undefined);
	if (second) throw badInput(`query.${second}`, `cannot be sent together with ${first}`, "MUTUALLY_EXCLUSIVE");
	if (!first) return undefined;
	const { column, index } = FILTERS[first];
	return { index, where: eq(column, filters[first] ?? "") };
}

/** How many rows a page looks through by a filter without an index. */
const LOOKED_THROUGH = 5_000;

const lastOf = (stream: string): SQL<number> => sql<number>`coalesce((
	select max(${auditRow.sequence}) from ${auditRows} ${auditRow} where ${auditRow.stream} = ${stream}), 0)`;

/**
 * The part of a stream that a page looks through, as a condition, and where that ends if there is more of the stream behind it: sequences
 * have no gaps, so it is known by their numbers alone.
 */
function stretch(stream: string, { after, before }: Window) {
	const { sequence } = auditRows;
	if (before) {
		const to = before[0] + LOOKED_THROUGH;
		return { where: lte(sequence, to), edges: (_: number, last: number): Position[] => (to < last ? [[to, stream]] : []) };
	}
	const from = (last: number) => (after ? after[0] : last + 1) - LOOKED_THROUGH;
	return {
		where: after ? gte(sequence, from(0)) : sql`${sequence} > ${lastOf(stream)} - ${LOOKED_THROUGH}`,
		edges: (first: number, last: number): Position[] => (from(last) > first ? [[from(last), stream]] : []),
	};
}

/** As SQL, because Drizzle takes a table's columns only from the table itself, which cannot name an index. */
const COLUMNS = Object.fromEntries(
	Object.entries(getTableColumns(auditRows)).map(([name, column]) => [name, sql`${column}`.mapWith(column)]),
) as { [C in keyof AuditRowStored]: SQL<AuditRowStored[C]> };

const text = z.string().min(1).max(512).optional();
const ONE_OF = "`actor_id`, `entity_id` and `operation` are not sent together";

/** How much earlier than its row a change may have begun: far longer than a request takes. */
const SKEW_MS = 5 * MINUTE_MS;

/**
 * The rows of a stream since an instant. Their sequence has no gaps, and their instants ascend with it but for the length of a request: so
 * the first of them is found by halving, by the primary key.
 */
const since = (stream: string, from: number): SQL =>
	sql`${auditRows.createdAt} >= ${from} and ${auditRows.sequence} >= ${firstSince(stream, from)}`;

const firstSince = (stream: string, from: number): SQL<number> => sql<number>`(
	with recursive halves(low, high) as (
		select 1, ${lastOf(stream)} + 1
		union all
		select
			case when ${isLater(stream, from)} then low else (low + high) / 2 + 1 end,
			case when ${isLater(stream, from)} then (low + high) / 2 else high end
		from halves where low < high)
	select low from halves where low = high)`;

const isLater = (stream: string, from: number): SQL =>
	sql`(select ${auditRow.createdAt} from ${auditRows} ${auditRow} where ${auditRow.stream} = ${stream} and ${auditRow.sequence} = (low + high) / 2) >= ${from - SKEW_MS}`;

export const listAudit = operation({
	id: "listAudit",
	method: "GET",
	path: "/v1/audit",
	summary: "The audit trail: changes by operators, members and API keys, newest first",
	description:
		"The trail of the acting organization. For operators who act for none: what operators did without acting for an organization. A page by actor or operation looks through 5,000 rows at most, so it may have fewer than were asked for, or none, and still a next one. `actor_display` has the present names of the actors; rows do not contain it, because rows never change.",
	access,
	home: homeOfStream,
	reads: "primary",
	request: {
		query: z.object({
			...paging,
			stream,
			actor_id: text.meta({ description: ONE_OF }),
			entity_id: text.meta({ description: ONE_OF }),
			operation: text.meta({ description: ONE_OF }),
			created_from: Instant.optional().meta({ description: "Inclusive" }),
		}),
	},
	response: z.object({ data: z.array(AuditRow), links: Links, verified_through: VerifiedThrough, actor_display: ActorDisplay }),
	errors: ["NOT_FOUND"],
	async handle({ query, caller }, services) {
		const { db } = services;
		const of = streamOf({ query, caller }, services);
		const owner = of.slice(0, of.indexOf("/"));
		const called = calledBy(sql`${owner}`, auditRows.actorId);
		const { actor_id, entity_id, operation, created_from } = query;
		const filter = filterOf({ actor_id, entity_id, operation });
		// Without the hint, the planner reads the whole stream in order.
		const source = filter?.index ? sql`${auditRows} indexed by ${filter.index}` : sql`${auditRows}`;
		const list = { list: "audit", owner: of, filters: { actor_id, entity_id, operation, created_from } };
		const part = filter && !filter.index ? stretch(of, (await openWindow(services, query, list)).window) : undefined;
		const { statement, page } = await openPage(services, query, {
			...list,
			select: (orm) =>
				orm
					.select({ ...COLUMNS, called: called.as("called") })
					.from(source)
					.$dynamic(),
			// The stream is the same in all rows, so the index alone gives their order.
			key: { at: auditRows.sequence, id: auditRows.stream, of: (row) => [row.sequence, row.stream], order: "newest" },
			where: and(eq(auditRows.stream, of), filter?.where, part?.where, created_from === undefined ? undefined : since(of, created_from)),
		});
		const begin = created_from === undefined ? sql<number>`1` : firstSince(of, created_from);
		const { found, verified, ends } = await db.read({
			found: statement,
			verified: first(findVerified(db.orm, of)),
			ends: part && first(db.orm.select({ begin: begin.as("begin"), last: lastOf(of).as("last") }).from(sql`(select 1)`)),
		});
		const shown = await page(found, ends && part?.edges(ends.begin, ends.last));
		const apart = owner !== PLATFORM && services.at(owner).db !== db;
		const actors = shown.rows.map(({ actorId: id, called }) => ({ organizationId: owner === PLATFORM ? null : owner, id, called, apart }));
		const actor_display = Object.fromEntries(await displaysOf(services, actors));
		const reply = listReply(services, shown, toAuditRow);
		return new Reply({ ...reply.body, verified_through: toVerifiedThrough(verified), actor_display }, { headers: reply.headers });
	},
});

export const listAuditSeals = operation({
	id: "listAuditSeals",
	method: "GET",
	path: "/v1/audit/seals",
	summary: "The seals of the audit trail, newest first",
	description: "Each seal signs the hashes of the rows since the seal before it, and the hash of that seal.",
	access,
	home: homeOfStream,
	reads: "primary",
	request: { query: z.object({ ...paging, stream }) },
	response: z.object({ data: z.array(AuditSeal), links: Links }),
	errors: ["NOT_FOUND"],
	async handle({ query, caller }, services) {
		const { db } = services;
		const of = streamOf({ query, caller }, services);
		const { statement, page } = await openPage(services, query, {
			list: "audit-seals",
			owner: of,
			filters: {},
			select: rowsOf(auditSeals),
			key: { at: auditSeals.throughSequence, id: auditSeals.stream, of: (row) => [row.throughSequence, row.stream], order: "newest" },
			where: eq(auditSeals.stream, of),
		});
		const found = await db.read(statement);
		return listReply(services, await page(found), toAuditSeal);
	},
});
