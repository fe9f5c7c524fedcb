// Records the statements that requests and jobs send to the databases, counts what they cost, and finds faults in their query plans.

import { env } from "cloudflare:workers";
import { placesOf } from "../../src/db/places";
import { withBatches } from "./databases";
import { planOf } from "./plans";

type Bound = { statement: string; params: readonly unknown[] };
/** The parameters of each statement's last use, by its text. */
export type Statements = ReadonlyMap<string, readonly unknown[]>;

/** Bindings of all databases that record what is sent to them. */
export function recordingStatements(): { vars: Partial<Env>; sent: Statements } {
	const sent = new Map<string, readonly unknown[]>();
	const vars = placesOf(env).all.map(({ name, database }) => {
		const recording = withBatches(database, (statements, run) => {
			for (const { statement, params } of statements as unknown as Bound[]) sent.set(statement, params);
			return run();
		});
		return [name, recording];
	});
	return { vars: Object.fromEntries(vars) as Partial<Env>, sent };
}

type BindingsMeter = { trips: number; rowsReturned: number; rowsWritten: number };

/** Bindings of all databases that count round trips and rows; apart from them the rows read, which the sizes of tables may change. */
export function meteredBindings(): { vars: Partial<Env>; meter: BindingsMeter; reads: { rows: number } } {
	const meter = { trips: 0, rowsReturned: 0, rowsWritten: 0 };
	const reads = { rows: 0 };
	const vars = placesOf(env).all.map(({ name, database }) => {
		const metered = withBatches(database, async (_, run) => {
			meter.trips++;
			const results = await run();
			for (const { meta, results: rows } of results) {
				meter.rowsReturned += rows.length;
				reads.rows += meta.rows_read;
				meter.rowsWritten += meta.rows_written;
			}
			return results;
		});
		return [name, metered];
	});
	return { vars: Object.fromEntries(vars) as Partial<Env>, meter, reads };
}

/** A step of a query plan whose cost grows with a table, and the text of its statement in one line. */
export type Fault = { step: string; statement: string };

const seen = new Map<string, readonly Fault[]>();

/** The faults of the statements' plans. */
export async function planFaults(sent: Statements): Promise<Fault[]> {
	const faults: Fault[] = [];
	for (const [statement, params] of sent) {
		const known = seen.get(statement) ?? (await faultsOf(statement, params));
		seen.set(statement, known);
		faults.push(...known);
	}
	return faults;
}

async function faultsOf(statement: string, params: readonly unknown[]): Promise<Fault[]> {
	const plan = await planOf(statement, ...params);
	const text = statement.replaceAll(/\s+/g, " ").trim();
	const scanned = await tableNames(text);
	return plan.flatMap((step) => (isFault(step, text, scanned) ? [{ step, statement: text }] : []));
}

function isFault(step: string, statement: string, tables: ReadonlySet<string>): boolean {
	if (/TEMP B-TREE|AUTOMATIC/.test(step)) return true;
	const [, name = "", how = ""] = /^SCAN (\S+)(.*)/.exec(step) ?? [];
	if (!tables.has(name) || how.includes("VIRTUAL TABLE")) return false;
	// With a limit, a scan in the order of an index stops at the end of the page.
	return !(how.includes("INDEX") && / limit /i.test(statement));
}

/** The names and aliases of the tables that the statement reads, without its subqueries and common table expressions. */
async function tableNames(statement: string): Promise<ReadonlySet<string>> {
	tables ??= await tablesOf(env.DB);
	const names = new Set<string>();
	for (const [, table = "", alias] of statement.matchAll(/"?\b(\w+)\b"?(?: as)?(?: "?(\w+)"?)?/gi)) {
		if (!tables.has(table)) continue;
		names.add(table);
		if (alias !== undefined) names.add(alias);
	}
	return names;
}

let tables: ReadonlySet<string> | undefined;

async function tablesOf(database: D1Database): Promise<ReadonlySet<string>> {
	const { results } = await database.prepare("select name from sqlite_master where type = 'table'").all<{ name: string }>();
	return new Set(results.map(({ name }) => name));
}
