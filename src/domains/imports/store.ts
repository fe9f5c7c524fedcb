// Builds the statements on imports. A portion's lines are stored by what names them, so that the same portion again, and at the same
// moment, changes nothing.

import { and, asc, count, eq, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList, excluded } from "../../db/columns";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { type Expired, unlessNone } from "../../db/purge";
import { first } from "../../db/reads";
import { DAY_MS } from "../../shared/time";
import { loanProducts } from "../loan-products/model/table";
import { MAX_ACCOUNT_LETTERS } from "./bounds.policy";
import type { Fault } from "./fault.policy";
import { type AccountState, CLOSED, type ImportState } from "./lifecycle";
import { keyOf, type Line } from "./lines.wire";
import { type ImportAccountRow, type ImportRow, importAccounts, importLines, imports } from "./table";

const eachImport = alias(imports, "each_import");
const importAccount = alias(importAccounts, "import_account");
const importLine = alias(importLines, "import_line");

/** Accounts of one portion of the work. */
export const BATCH = 10;

export const findImport = (orm: Orm, id: string) => orm.select().from(imports).where(eq(imports.id, id));
export const findImportNamed = (orm: Orm, organizationId: string, name: string) =>
	orm
		.select()
		.from(imports)
		.where(and(eq(imports.organizationId, organizationId), eq(imports.name, name)));

/** The same's id, as a subquery. */
export const idOfNamed = (organizationId: string, name: string) =>
	sql<string>`(select ${eachImport.id} from ${imports} ${eachImport} where ${eachImport.organizationId} = ${organizationId} and ${eachImport.name} = ${name})`;

/** How many accounts are in each state. */
export const countAccounts = (orm: Orm, importId: string | SQL) =>
	orm
		.select({ status: importAccounts.status, count: count() })
		.from(importAccounts)
		.where(eq(importAccounts.importId, importId))
		.groupBy(importAccounts.status);

/** How many of those that were found equal belong to people who were users before. */
export const countOfUsers = (orm: Orm, importId: string | SQL) =>
	orm
		.select({ count: count() })
		.from(importAccounts)
		.where(
			and(eq(importAccounts.importId, importId), eq(importAccounts.status, "EQUAL"), sql`${importAccounts.existingUserId} is not null`),
		);

/** The import with both counts. */
export const findCounted = (orm: Orm, id: string) => ({
	found: first(findImport(orm, id)),
	counted: countAccounts(orm, id),
	ofUsers: first(countOfUsers(orm, id)),
});

/** Those of the named accounts that the import knows. */
export const findKnown = (orm: Orm, importId: string, accounts: readonly string[]) =>
	orm
		.select({ oldId: importAccounts.oldId, status: importAccounts.status })
		.from(importAccounts)
		.where(
			and(
				eq(importAccounts.importId, importId),
				sql`${importAccounts.oldId} in (select value from json_each(${JSON.stringify(accounts)}))`,
			),
		);

/** How often the products of the portion's accounts have installments, which counts where a cycle does not say it. */
export const findIntervals = (orm: Orm, lines: readonly Line[]) =>
	orm
		.select({ id: loanProducts.id, installmentEvery: loanProducts.installmentEvery })
		.from(loanProducts)
		.where(
			sql`${loanProducts.id} in (select value from json_each(${JSON.stringify([
				...new Set(lines.flatMap((line) => (line.type === "ACCOUNT" ? [line.loan_product_id] : []))),
			])}))`,
		);

/** Stores the lines of a portion, and stages the accounts that it changes. Stale while the import is being checked or run, and once it is cancelled. */
export function storeLines(orm: Orm, importId: string, lines: readonly Line[], now: number): Write[] {
	const rows = lines.map((line) => ({ account: line.account, type: line.type, key: keyOf(line), content: JSON.stringify(line) }));
	const accounts = JSON.stringify([...new Set(lines.map(({ account }) => account))]);
	const revision = sql`(select ${eachImport.revision} from ${imports} ${eachImport} where ${eachImport.id} = ${importId})`;
	/** The portion's accounts of which it has changed a line: that line is later than the revision. */
	const changed = sql`json_each(${accounts}) w where exists (select 1 from ${importLines} ${importLine}
		where ${importLine.importId} = ${importId} and ${importLine.oldAccountId} = w.value and ${importLine.revision} > ${revision})`;
	return [
		orStaleUnless(
			sql`exists (select 1 from ${imports} ${eachImport} where ${eachImport.id} = ${importId} and ${eachImport.status} not in (${sql.join(
				CLOSED.map((closed) => sql`${closed}`),
				sql`, `,
			)}))`,
		),
		orm.run(sql`insert into ${importLines} (${bareList(
			importLines.importId,
			importLines.oldAccountId,
			importLines.type,
			importLines.key,
			importLines.content,
			importLines.revision,
		)})
			select ${importId}, value ->> 'account', value ->> 'type', value ->> 'key', value ->> 'content', ${revision} + 1
			from json_each(${JSON.stringify(rows)})
			where not exists (select 1 from ${importAccounts} ${importAccount}
				where ${importAccount.importId} = ${importId} and ${importAccount.oldId} = value ->> 'account' and ${importAccount.status} = 'IMPORTED')
			on conflict (${bareList(importLines.importId, importLines.oldAccountId, importLines.type, importLines.key)})
			do update set ${assign(importLines, { content: excluded(importLines.content), revision: excluded(importLines.revision) })}
			where ${importLines.content} <> ${excluded(importLines.content)}`),
		orm.run(sql`insert into ${importAccounts} (${bareList(
			importAccounts.importId,
			importAccounts.oldId,
			importAccounts.status,
			importAccounts.createdAt,
		)})
			select ${importId}, w.value, 'STAGED', ${now} from ${changed}
			on conflict (${bareList(importAccounts.importId, importAccounts.oldId)})
			do update set ${assign(importAccounts, { status: "STAGED", fault: null, attempts: 0 })} where ${importAccounts.status} <> 'IMPORTED'`),
		orm.run(sql`update ${imports} set ${assign(imports, { revision: sql`${bare(imports.revision)} + 1`, status: "OPEN", updatedAt: now })}
			where ${imports.id} = ${importId} and exists (select 1 from ${changed})`),
	];
}

/** Stale if the import is not as it was read. */
export const moveImport = (orm: Orm, { id, status, revision }: ImportRow, to: ImportState, now: number): Effect =>
	guarded(
		orm
			.update(imports)
			.set({ status: to, updatedAt: now })
			.where(and(eq(imports.id, id), eq(imports.status, status), eq(imports.revision, revision))),
	);

/** Stale once the import is not in the state any more in which its work was read: it was cancelled meanwhile. */
export const whileStill = ({ id, status, revision }: ImportRow): Write =>
	orStaleUnless(
		sql`exists (select 1 from ${imports} ${eachImport} where ${eachImport.id} = ${id} and ${eachImport.status} = ${status} and ${eachImport.revision} = ${revision})`,
	);

/** Accounts that failed are looked at again. */
export const stageFailed = (orm: Orm, importId: string): Write =>
	orm
		.update(importAccounts)
		.set({ status: "STAGED", fault: null, attempts: 0 })
		.where(and(eq(importAccounts.importId, importId), eq(importAccounts.status, "FAILED")));

/** The import that has waited longest for work. */
export const findBusy = (orm: Orm) =>
	orm.select().from(imports).where(sql`${imports.status} in ('CHECKING', 'RUNNING')`).orderBy(asc(imports.updatedAt)).limit(1);

export const findNext = (orm: Orm, importId: string, status: AccountState) =>
	orm
		.select()
		.from(importAccounts)
		.where(and(eq(importAccounts.importId, importId), eq(importAccounts.status, status)))
		.orderBy(asc(importAccounts.createdAt), asc(importAccounts.oldId))
		.limit(BATCH);

/** At most `limit` of the account's lines, and none where all together are too much to be read at once. */
export const findLines = (orm: Orm, { importId, oldId }: Pick<ImportAccountRow, "importId" | "oldId">, limit: number) =>
	orm
		.select({ content: importLines.content })
		.from(importLines)
		.where(
			and(
				eq(importLines.importId, importId),
				eq(importLines.oldAccountId, oldId),
				sql`(select sum(length(${importLine.content})) from ${importLines} ${importLine}
					where ${importLine.importId} = ${importId} and ${importLine.oldAccountId} = ${oldId}) <= ${MAX_ACCOUNT_LETTERS}`,
			),
		)
		.limit(limit);

const isAccount = ({ importId, oldId }: ImportAccountRow) => and(eq(importAccounts.importId, importId), eq(importAccounts.oldId, oldId));

/** Counts an attempt at each account before it is made: nobody counts after a Worker that is ended. Stale if another run has begun one. */
export const countAttempts = (orm: Orm, accounts: readonly ImportAccountRow[]): Effect[] =>
	accounts.map((account) =>
		guarded(
			orm
				.update(importAccounts)
				.set({ attempts: account.attempts + 1 })
				.where(and(isAccount(account), eq(importAccounts.status, account.status), eq(importAccounts.attempts, account.attempts))),
		),
	);

/** What a check has found. Nothing if the account has been dealt with meanwhile. */
export const recordVerdict = (orm: Orm, account: ImportAccountRow, fault: Fault | undefined, existingUserId: string | null): Write =>
	orm
		.update(importAccounts)
		.set({ status: fault ? "FAILED" : "EQUAL", fault: fault ?? null, existingUserId, attempts: 0 })
		.where(and(isAccount(account), eq(importAccounts.status, account.status)));

/** Ends the import of the account; its lines go with it. Stale if it is imported already. */
export const recordImported = (orm: Orm, account: ImportAccountRow, accountId: string): Write[] => [
	guarded(
		orm
			.update(importAccounts)
			.set({ status: "IMPORTED", accountId, fault: null, attempts: 0 })
			.where(and(isAccount(account), eq(importAccounts.status, "EQUAL"))),
	),
	orm.delete(importLines).where(and(eq(importLines.importId, account.importId), eq(importLines.oldAccountId, account.oldId))),
];

/** Lines that nobody has run are kept for so long after the import last changed: they name borrowers. */
const KEPT_MS = 90 * DAY_MS;

export const expiredLines = (orm: Orm, now: number): Expired => {
	const { importId, oldAccountId, type, key } = importLines;
	const past = sql`from ${imports} ${eachImport} cross join ${importLines} ${importLine} on ${importLine.importId} = ${eachImport.id}
			where ${lte(eachImport.updatedAt, now - KEPT_MS)}`;
	return unlessNone(orm.all(sql`select 1 ${past} limit 1`), (limit) => [
		orm.delete(importLines).where(sql`(${importId}, ${oldAccountId}, ${type}, ${key}) in (
			select ${importLine.importId}, ${importLine.oldAccountId}, ${importLine.type}, ${importLine.key} ${past} limit ${limit})`),
	]);
};
