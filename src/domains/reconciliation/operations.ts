// Statements of providers and banks: an organization sends the file that it has downloaded, in portions, and has it compared with what is
// recorded here.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../db/keyset";
import { first } from "../../db/reads";
import { alone, apiKey, type KeyCaller, member, type OrganizationCaller, oneOf } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError, badInput, invalidState } from "../../shared/errors";
import { daysBetween, localDate } from "../../shared/time";
import { recordsOf } from "./csv.policy";
import { headerAt, lineOf, MAPPINGS, type Mapping, SEPARATED_BY } from "./format.policy";
import { isBusy } from "./lifecycle";
import { findPriorStatements, findStatement, insertStatement, MAX_DAYS, moveStatement, type PlacedLine, storeLines } from "./store";
import { providerStatements, type StatementRow } from "./table";
import {
	ComparedStatement,
	ListedStatement,
	MAX_PORTION_ROWS,
	MAX_ROWS,
	PortionBody,
	ProviderStatement,
	StatementBody,
	StatementPortion,
	toDays,
	toListed,
	toStatement,
} from "./wire";
import { findDays, findOpenByDay, selectListed } from "./work.store";

type Caller = KeyCaller | OrganizationCaller;
const reader = oneOf<KeyCaller, OrganizationCaller>(apiKey("repayments:read"), member("org:lending:read"));
const writer = alone(oneOf<KeyCaller, OrganizationCaller>(apiKey("repayments:write"), member("org:lending:write")));
const path = z.object({ statementId: z.uuid().toLowerCase() });

const idOf = (caller: Caller): string =>
	caller.kind === "key" ? caller.keyId : caller.kind === "member" ? caller.userId : caller.operatorId;

export const createProviderStatement = operation({
	id: "createProviderStatement",
	method: "POST",
	path: "/v1/reconciliation/statements",
	summary: "Begin the import of a statement of a provider or a bank",
	description:
		"A statement covers at most 92 whole days, all of them past. The same sha256 again returns the existing statement. Two statements of an account share no day.",
	access: writer,
	whileSuspended: true,
	request: { body: StatementBody },
	response: ProviderStatement,
	status: 201,
	otherStatuses: { 200: "The account has a statement of this file" },
	errors: ["INVALID_STATE"],
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const { channel, number, account, currency, from: fromDay, to: toDay, name, sha256, expects, mapping: sent } = body;
		if (fromDay > toDay) throw badInput("from", "is after to", "OUT_OF_RANGE");
		if (daysBetween(fromDay, toDay) >= MAX_DAYS) throw badInput("to", `is more than ${MAX_DAYS} days after from`, "OUT_OF_RANGE");
		const { organizationId } = caller;
		const days = { organizationId, channel, number, account, fromDay, toDay };
		const { known, other, last } = await db.read(findPriorStatements(db.orm, days, sha256));
		if (known) return new Reply(toStatement(known), { status: 200 });
		const mapping = sent ?? last?.mapping ?? (channel === "BANK" ? undefined : MAPPINGS[channel]);
		if (!mapping) throw badInput("mapping", "is required with a bank's first statement", "REQUIRED");
		if (toDay >= localDate(now, mapping.time_zone)) throw badInput("to", "is not over yet", "OUT_OF_RANGE");
		if (other) throw invalidState(`The statement ${other.id} is of ${other.fromDay} to ${other.toDay}: discard it first`);
		const row: StatementRow = {
			...{ id: services.newId(), ...days, currency, name, sha256, mapping: mapping as Mapping, expects, header: null, status: "OPEN" },
			...{ rows: 0, revision: 0, round: 0, cursor: null, createdBy: idOf(caller), createdAt: now, updatedAt: now },
		};
		const { organizationId: of, channel: by, number: numbered, account: named, sha256: hash } = providerStatements;
		return services.commit(insertStatement(db.orm, row), toStatement(row), { unique: [[[of, by, numbered, named, hash], "STALE"]] });
	},
});

export const addProviderStatementLines = operation({
	id: "addProviderStatementLines",
	method: "POST",
	path: "/v1/reconciliation/statements/{statementId}/lines",
	summary: "Send a portion of a statement's file, as it is",
	description:
		"A portion that is sent again changes nothing. A record that differs takes the place of the one before, and opens the statement again. Names and numbers of the other party are not kept.",
	access: writer,
	whileSuspended: true,
	request: { path, body: PortionBody },
	response: StatementPortion,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { statementId }, body, caller }, services) {
		const { db, now } = services;
		const statement = await db.read(first(findStatement(db.orm, caller.organizationId, statementId)));
		if (!statement) throw new ApiError("NOT_FOUND");
		refuseUnlessTaking(statement);
		if (body.row > statement.rows) throw invalidState(`The next portion begins with row ${statement.rows}`);
		const { header, records } = readPortion(body.csv, statement);
		const rows = Math.max(statement.rows, body.row + records.length);
		if (rows > MAX_ROWS) throw badInput("csv", `makes more than ${MAX_ROWS} records: send fewer days as one statement`, "OUT_OF_RANGE");
		const lines = linesOf(records, { ...statement, header }, body.row);
		const answer = { statement_id: statement.id, lines: lines.length, next_row: rows };
		return services.commit(storeLines(db.orm, statement, lines, { rows, header }, now), answer);
	},
});

function refuseUnlessTaking({ status }: StatementRow): void {
	if (status === "DISCARDED" || status === "DISCARDING") throw invalidState("The statement is discarded: begin another one");
	if (isBusy(status)) throw invalidState("The statement is being compared: wait until status is COMPARED");
}

/** The names of the columns, of this portion or an earlier one, and the records below them. */
function readPortion(csv: string, { mapping, header }: StatementRow) {
	const records = recordsOf(csv, SEPARATED_BY[mapping.separator]);
	if (!records) throw badInput("csv", "has a quote that is not closed", "INVALID_FORMAT");
	const place = headerAt(records, mapping);
	const names = place < 0 ? header : records[place];
	if (!names) throw badInput("csv", "has no record with the names of the columns that the mapping needs", "INVALID_FORMAT");
	const rest = records.slice(place + 1);
	if (rest.length > MAX_PORTION_ROWS) throw badInput("csv", `has more than ${MAX_PORTION_ROWS} records`, "TOO_LONG");
	return { header: names.slice(0, 60).map((name) => name.slice(0, 60)), records: rest };
}

/** Throws InvalidInput for a record whose amount or time cannot be read, or whose day is not the statement's. */
function linesOf(records: readonly (readonly string[])[], of: StatementRow & { header: readonly string[] }, from: number): PlacedLine[] {
	return records.flatMap((record, index) => {
		const line = lineOf(record, of);
		if (line === undefined) return [];
		const fault =
			typeof line === "string"
				? line
				: line.day < of.fromDay || line.day > of.toDay
					? "is of a day that is not the statement's"
					: undefined;
		if (fault || typeof line === "string") throw badInput("csv", `record ${from + index} ${fault}`, "INVALID_FORMAT");
		return [{ ...line, row: from + index }];
	});
}

export const compareProviderStatement = operation({
	id: "compareProviderStatement",
	method: "POST",
	path: "/v1/reconciliation/statements/{statementId}/compare",
	summary: "Compare a statement with what is recorded here",
	description:
		"Each line is looked for by its receipt, else by its reference, amount and time; then what must be on the statement. Compared again, breaks that are over become RESOLVED.",
	access: writer,
	whileSuspended: true,
	request: { path },
	response: ProviderStatement,
	status: 202,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { statementId }, caller }, services) {
		const { db, now } = services;
		const statement = await db.read(first(findStatement(db.orm, caller.organizationId, statementId)));
		if (!statement) throw new ApiError("NOT_FOUND");
		refuseUnlessTaking(statement);
		const to = { status: "MATCHING", round: statement.round + 1, cursor: null } as const;
		return services.commit([moveStatement(db.orm, statement, to, now)], toStatement({ ...statement, ...to, updatedAt: now }));
	},
});

export const discardProviderStatement = operation({
	id: "discardProviderStatement",
	method: "POST",
	path: "/v1/reconciliation/statements/{statementId}/discard",
	summary: "Take a statement back, with its lines and its open breaks",
	description: "Breaks that somebody has recorded or explained stay. Its days are free for another one once status is DISCARDED.",
	access: writer,
	whileSuspended: true,
	request: { path },
	response: ProviderStatement,
	status: 202,
	errors: ["NOT_FOUND"],
	async handle({ path: { statementId }, caller }, services) {
		const { db, now } = services;
		const statement = await db.read(first(findStatement(db.orm, caller.organizationId, statementId)));
		if (!statement) throw new ApiError("NOT_FOUND");
		if (statement.status === "DISCARDED" || statement.status === "DISCARDING") return toStatement(statement);
		const to = { status: "DISCARDING", cursor: null } as const;
		return services.commit([moveStatement(db.orm, statement, to, now)], toStatement({ ...statement, ...to, updatedAt: now }));
	},
});

export const getProviderStatement = operation({
	id: "getProviderStatement",
	method: "GET",
	path: "/v1/reconciliation/statements/{statementId}",
	summary: "A statement, and whether each of its days ties out",
	access: reader,
	request: { path },
	response: ComparedStatement,
	errors: ["NOT_FOUND"],
	async handle({ path: { statementId }, caller }, { db }) {
		const { statement, days, open } = await db.read({
			statement: first(findStatement(db.orm, caller.organizationId, statementId)),
			days: findDays(db.orm, statementId),
			open: findOpenByDay(db.orm, statementId),
		});
		if (!statement) throw new ApiError("NOT_FOUND");
		return { statement: toStatement(statement), days: toDays(days, open) };
	},
});

export const listProviderStatements = operation({
	id: "listProviderStatements",
	method: "GET",
	path: "/v1/reconciliation/statements",
	summary: "The statements of the organization, newest first, with whether they tie out",
	access: reader,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(ListedStatement), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "provider-statements",
			owner: organizationId,
			filters: {},
			select: (orm) => selectListed(orm).$dynamic(),
			key: byCreation(providerStatements),
			where: eq(providerStatements.organizationId, organizationId),
		});
		return listReply(services, page, toListed);
	},
});
