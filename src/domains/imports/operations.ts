// Imports of running books: operators send the lines of another program's accounts, have them replayed and compared with its balances,
// and then have those that are equal imported, which takes two of them.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { alone, byBody, isOnly, operator } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { list } from "../../shared/bounded";
import { ApiError, badInput } from "../../shared/errors";
import type { Json } from "../../shared/json";
import { JsonValue } from "../../shared/json-value";
import { has, is, lacks, when } from "../../shared/schema-rules";
import { isShown, MUST_BE_SHOWN } from "../../shared/shown-text";
import type { Span } from "../../shared/time";
import { organizations } from "../organizations/table";
import { faultOfCycles, MAX_ACCOUNT_LINES } from "./bounds.policy";
import { ACCOUNT_STATES, isBusy, type RunRefusal, run } from "./lifecycle";
import { keyOf, Line, MAX_LINES } from "./lines.wire";
import {
	countAccounts,
	countOfUsers,
	findCounted,
	findImport,
	findImportNamed,
	findIntervals,
	findKnown,
	findLines,
	idOfNamed,
	moveImport,
	stageFailed,
	storeLines,
} from "./store";
import { type ImportRow, importAccounts, imports } from "./table";
import { type Counted, Import, ImportAccount, Portion, toImport, toImportAccount } from "./wire";

/** Accounts of one import. */
const MAX_ACCOUNTS = 10_000;

const path = z.object({ importId: z.uuid().toLowerCase() });
const home = (input: { path: { importId: string } }) => input.path.importId;

export const createImport = operation({
	id: "createImport",
	method: "POST",
	path: "/v1/platform/imports",
	summary: "Begin the import of a running book",
	description: "Sent again with the same name it answers the import that there is, so that an interrupted one can be resumed.",
	access: alone(operator),
	home: ({ body }) => body.organization_id,
	request: {
		body: z.strictObject({
			organization_id: z.uuid().toLowerCase().meta({ description: "To which the borrowers and their accounts belong" }),
			name: z.string().trim().min(1).max(100).refine(isShown, MUST_BE_SHOWN),
		}),
	},
	response: Import,
	status: 201,
	otherStatuses: { 200: "The organization has an import of this name" },
	errors: ["NOT_FOUND"],
	async handle({ body: { organization_id: organizationId, name }, caller }, services) {
		const { db, now } = services;
		const { organization, known, counted, ofUsers } = await db.read({
			organization: first(db.orm.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, organizationId))),
			known: first(findImportNamed(db.orm, organizationId, name)),
			counted: countAccounts(db.orm, idOfNamed(organizationId, name)),
			ofUsers: first(countOfUsers(db.orm, idOfNamed(organizationId, name))),
		});
		if (!organization) throw new ApiError("NOT_FOUND", { description: "There is no such organization" });
		if (known) return new Reply(toImport(known, counted, ofUsers?.count ?? 0), { status: 200 });
		const row: ImportRow = {
			...{ id: services.newId(), organizationId, name, status: "OPEN", revision: 0 },
			...{ createdBy: caller.operatorId, createdAt: now, updatedAt: now },
		};
		const once = [[[imports.organizationId, imports.name], "STALE"]] as const;
		return services.commit([db.orm.insert(imports).values(row)], toImport(row, [], 0), { unique: once });
	},
});

export const addImportLines = operation({
	id: "addImportLines",
	method: "POST",
	path: "/v1/platform/imports/{importId}/lines",
	summary: "Send a portion of an import's lines, as NDJSON",
	description:
		"One JSON object a line: an ACCOUNT, its FACTs and its BALANCEs, in any order and in any portions. A line that was sent before is replaced if it differs; a portion that is sent again changes nothing.",
	access: alone(operator),
	home,
	request: { path, body: list(Line, { min: 1, max: MAX_LINES }) },
	ndjson: true,
	response: Portion,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { importId }, body: lines }, services) {
		const { db, now } = services;
		refuseTwice(lines);
		const accounts = [...new Set(lines.map(({ account }) => account))];
		const { found, known, products, counted } = await db.read({
			found: first(findImport(db.orm, importId)),
			known: findKnown(db.orm, importId, accounts),
			products: findIntervals(db.orm, lines),
			counted: countAccounts(db.orm, importId),
		});
		if (!found) throw new ApiError("NOT_FOUND");
		if (isBusy(found.status)) throw new ApiError("INVALID_STATE", { description: REFUSALS.BUSY });
		if (found.status === "CANCELLED") throw new ApiError("INVALID_STATE", { description: REFUSALS.CANCELLED });
		refuseLong(lines, new Map(products.map(({ id, installmentEvery }) => [id, installmentEvery])));
		const there = counted.reduce((sum, { count }) => sum + count, 0);
		if (there + accounts.length - known.length > MAX_ACCOUNTS) {
			throw new ApiError("INVALID_STATE", { description: `An import takes ${MAX_ACCOUNTS} accounts: begin another one` });
		}
		const imported = new Set(known.flatMap(({ oldId, status }) => (status === "IMPORTED" ? [oldId] : [])));
		const skipped = lines.filter(({ account }) => imported.has(account)).length;
		return services.commit(storeLines(db.orm, importId, lines, now), { import_id: importId, lines: lines.length, skipped });
	},
});

function refuseTwice(lines: readonly Line[]): void {
	const seen = new Map<string, number>();
	for (const [index, line] of lines.entries()) {
		const name = JSON.stringify([line.account, line.type, keyOf(line)]);
		const first = seen.get(name);
		if (first !== undefined) throw badInput(`[${index}]`, `names the same as [${first}]`, "DUPLICATE");
		seen.set(name, index);
	}
}

function refuseLong(lines: readonly Line[], intervals: ReadonlyMap<string, Span | null>): void {
	for (const [index, line] of lines.entries()) {
		const fault = line.type === "ACCOUNT" && faultOfCycles(line, intervals.get(line.loan_product_id));
		if (fault) throw badInput(`[${index}].cycles`, fault, "OUT_OF_RANGE");
	}
}

const REFUSALS: Readonly<Record<RunRefusal, string>> = {
	BUSY: "Its accounts are being checked or imported: wait until status is CHECKED or DONE",
	CANCELLED: "It is cancelled: begin another one",
	NOT_CHECKED: "Check it first, with dry_run, and wait until status is CHECKED",
	OTHER_REVISION: "Its lines have another revision by now: check it again",
};

export const runImport = operation({
	id: "runImport",
	method: "POST",
	path: "/v1/platform/imports/{importId}/run",
	summary: "Check an import, or import the accounts that were found equal",
	description:
		"With dry_run every account is replayed and compared with its old balances; nothing is imported. Without it, the accounts that were found equal are imported, each whole or not at all, and the others stay listed with what is wrong.",
	access: byBody(operator, (sent) => (isOnly(sent, { dry_run: true }) ? "ALONE" : "HELD")),
	home,
	request: {
		path,
		body: z
			.strictObject({
				dry_run: z.boolean(),
				revision: z.int().min(0).optional().meta({ description: "The checked revision; required to import" }),
				existing_users: z.int().min(0).default(0).meta({
					description:
						"As the import says it after the check: how many of its accounts are of people who are users already. Who approves sees it",
				}),
			})
			.meta(when(is("dry_run", true), lacks("revision"), has("revision"))),
	},
	response: Import,
	status: 202,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { importId }, body: { dry_run: dryRun, revision, existing_users: named } }, services) {
		const { db, now } = services;
		if (dryRun && revision !== undefined) throw badInput("revision", "is not for a dry run", "NOT_ALLOWED");
		if (!dryRun && revision === undefined) throw badInput("revision", "is required to import", "REQUIRED");
		const { found, counted, ofUsers } = await db.read(findCounted(db.orm, importId));
		if (!found) throw new ApiError("NOT_FOUND");
		const existing = ofUsers?.count ?? 0;
		const verdict = run(found, dryRun ? { dryRun } : { dryRun, revision: revision ?? -1 });
		if (!verdict.accepted) throw new ApiError("INVALID_STATE", { description: REFUSALS[verdict.reason] });
		if (!dryRun && named !== existing) {
			throw new ApiError("INVALID_STATE", {
				description: `${existing} of its accounts are of people who are users already: see them, and name it as existing_users`,
			});
		}
		const { status } = verdict;
		const writes = [moveImport(db.orm, found, status, now), ...(dryRun ? [stageFailed(db.orm, importId)] : [])];
		return services.commit(writes, toImport({ ...found, status, updatedAt: now }, dryRun ? staged(counted) : counted, existing));
	},
});

export const cancelImport = operation({
	id: "cancelImport",
	method: "POST",
	path: "/v1/platform/imports/{importId}/cancel",
	summary: "End an import for good",
	description:
		"No account is checked or imported after the answer, also of a portion that is under way. Accounts that are imported stay. Its lines are removed after 90 days. Cancelled again it answers the same.",
	access: alone(operator),
	home,
	request: { path },
	response: Import,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { importId } }, services) {
		const { db, now } = services;
		const { found, counted, ofUsers } = await db.read(findCounted(db.orm, importId));
		if (!found) throw new ApiError("NOT_FOUND");
		if (found.status === "DONE") throw new ApiError("INVALID_STATE", { description: "It is done: its accounts are imported" });
		const status = "CANCELLED";
		if (found.status === status) return toImport(found, counted, ofUsers?.count ?? 0);
		return services.commit(
			[moveImport(db.orm, found, status, now)],
			toImport({ ...found, status, updatedAt: now }, counted, ofUsers?.count ?? 0),
		);
	},
});

/** A check looks at those that failed again. */
const staged = (counted: Counted): Counted => [
	...counted.filter(({ status }) => status !== "STAGED" && status !== "FAILED"),
	{
		status: "STAGED",
		count: counted.reduce((sum, { status, count }) => (status === "STAGED" || status === "FAILED" ? sum + count : sum), 0),
	},
];

export const getImport = operation({
	id: "getImport",
	method: "GET",
	path: "/v1/platform/imports/{importId}",
	summary: "An import, and how many of its accounts are in each state",
	access: operator,
	home,
	request: { path },
	response: Import,
	errors: ["NOT_FOUND"],
	async handle({ path: { importId } }, { db }) {
		const { found, counted, ofUsers } = await db.read(findCounted(db.orm, importId));
		if (!found) throw new ApiError("NOT_FOUND");
		return toImport(found, counted, ofUsers?.count ?? 0);
	},
});

export const listImportAccounts = operation({
	id: "listImportAccounts",
	method: "GET",
	path: "/v1/platform/imports/{importId}/accounts",
	summary: "The accounts of an import in one state, oldest first: those that failed, with the first difference of each",
	access: operator,
	home,
	request: {
		path,
		query: z.object({
			...paging,
			status: z.enum(ACCOUNT_STATES).default("FAILED"),
			existing_users: z.enum(["true"]).optional().meta({ description: "Only those whose borrower was a user before the import" }),
		}),
	},
	response: z.object({ data: z.array(ImportAccount), links: Links }),
	async handle({ path: { importId }, query: { status, existing_users: ofUsers, ...query } }, services) {
		const page = await readPage(services, query, {
			list: "import-accounts",
			owner: importId,
			filters: { status, existing_users: ofUsers },
			select: rowsOf(importAccounts),
			key: {
				at: importAccounts.createdAt,
				id: importAccounts.oldId,
				of: (row) => [row.createdAt, row.oldId] as const,
				order: "oldest",
			},
			where: and(
				eq(importAccounts.importId, importId),
				eq(importAccounts.status, status),
				ofUsers && sql`${importAccounts.existingUserId} is not null`,
			),
		});
		return listReply(services, page, toImportAccount);
	},
});

export const listImportLines = operation({
	id: "listImportLines",
	method: "GET",
	path: "/v1/platform/imports/{importId}/lines",
	summary: "The lines of one account of an import, as they were sent",
	description: "For the operator who approves the import. The lines of an imported account have been removed.",
	access: operator,
	home,
	request: { path, query: z.object({ account: z.string().trim().min(1).max(100).meta({ description: "The old program's id" }) }) },
	response: z.object({ data: z.array(JsonValue).meta({ description: "Lines as `addImportLines` takes them" }) }),
	errors: ["NOT_FOUND"],
	async handle({ path: { importId }, query: { account } }, { db }) {
		const { found, lines } = await db.read({
			found: first(findImport(db.orm, importId)),
			lines: findLines(db.orm, { importId, oldId: account }, MAX_ACCOUNT_LINES + 2),
		});
		if (!found) throw new ApiError("NOT_FOUND");
		return { data: lines.map(({ content }) => content as Json) };
	},
});
