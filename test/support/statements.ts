// Records the statements that requests and jobs send to the databases, counts what they cost, and finds faults in their query plans.

import { env } from "cloudflare:workers";
import { placesOf } from "../../src/db/places";
import { withBatches } from "./databases";
import { type Step, stepsOf } from "./plans";

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

/** Bindings of all databases that count round trips and rows. */
export function meteredBindings(): { vars: Partial<Env>; meter: { trips: number; rowsReturned: number; rowsWritten: number } } {
	const meter = { trips: 0, rowsReturned: 0, rowsWritten: 0 };
	const vars = placesOf(env).all.map(({ name, database }) => {
		const metered = withBatches(database, async (_, run) => {
			meter.trips++;
			const results = await run();
			for (const { meta, results: rows } of results) {
				meter.rowsReturned += rows.length;
				meter.rowsWritten += meta.rows_written;
			}
			return results;
		});
		return [name, metered];
	});
	return { vars: Object.fromEntries(vars) as Partial<Env>, meter };
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
	const steps = await stepsOf(statement, ...params);
	const text = statement.replaceAll(/\s+/g, " ").trim();
	schema ??= await schemaOf(env.DB);
	const named = tableNames(text, schema);
	const faults = steps.filter((step) => isFault(step.detail, text, named) || isListBelowRows(step, steps, named, schema as Schema));
	return faults.map(({ detail: step }) => ({ step, statement: text }));
}

function isFault(step: string, statement: string, tables: Named): boolean {
	if (/TEMP B-TREE|AUTOMATIC/.test(step)) return true;
	const [, name = "", how = ""] = /^SCAN (\S+)(.*)/.exec(step) ?? [];
	if (!tables.has(name) || how.includes("VIRTUAL TABLE")) return false;
	// With a limit, a scan in the order of an index stops at the end of the page.
	return !(how.includes("INDEX") && / limit /i.test(statement));
}

/**
 * Whether a list that the statement is given is read again for each row that a search finds. Then the rows were not looked up by the list
 * but are as many as share the searched value: the planner does so because it does not know how short the list is. A search by a unique
 * key finds one row at most.
 */
function isListBelowRows({ id, parent, detail }: Step, steps: readonly Step[], named: Named, { keys }: Schema): boolean {
	if (!/^SCAN \S+ VIRTUAL TABLE/.test(detail)) return false;
	return steps.some((outer) => {
		const [, name = "", index = "", columns = ""] = /^SEARCH (\S+) USING (.+?)(?: \((.*)\))?$/.exec(outer.detail) ?? [];
		if (outer.parent !== parent || outer.id > id || name === "") return false;
		if (index === "INTEGER PRIMARY KEY") return !columns.endsWith("=?");
		const key = index === "PRIMARY KEY" ? named.get(name) : /INDEX (\S+)/.exec(index)?.[1];
		const unique = keys.get(key ?? "");
		return unique === undefined || columns.split(" AND ").filter((column) => column.endsWith("=?")).length < unique;
	});
}

/** The tables that a statement reads, by their names and aliases, without its subqueries and common table expressions. */
type Named = ReadonlyMap<string, string>;

function tableNames(statement: string, { tables }: Schema): Named {
	const names = new Map<string, string>();
	for (const [, table = "", alias] of statement.matchAll(/"?\b(\w+)\b"?(?: as)?(?: "?(\w+)"?)?/gi)) {
		if (!tables.has(table)) continue;
		names.set(table, table);
		if (alias !== undefined) names.set(alias, table);
	}
	return names;
}

type Schema = {
	readonly tables: ReadonlySet<string>;
	/** How many columns each unique index has, and each table's primary key. */
	readonly keys: ReadonlyMap<string, number>;
};
let schema: Schema | undefined;

async function schemaOf(database: D1Database): Promise<Schema> {
	const { results: tables } = await database
		.prepare("select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'")
		.all<{ name: string }>();
	// D1 refuses these pragmas as tables of a select.
	const pragmas = <Row>(pragma: string, of: readonly string[]) =>
		database.batch<Row>(of.map((name) => database.prepare(`pragma ${pragma}("${name}")`)));
	const lists = await pragmas<{ name: string; unique: number; origin: string }>(
		"index_list",
		tables.map(({ name }) => name),
	);
	const indexes = lists.flatMap(({ results }, at) =>
		results.filter(({ unique }) => unique).map(({ name, origin }) => ({ name, primary: origin === "pk" ? (tables[at]?.name ?? "") : "" })),
	);
	const columns = await pragmas(
		"index_info",
		indexes.map(({ name }) => name),
	);
	const counted = indexes.map((index, at) => ({ ...index, count: columns[at]?.results.length ?? 0 }));
	return {
		tables: new Set(tables.map(({ name }) => name)),
		keys: new Map(
			counted.flatMap(({ name, primary, count }): [string, number][] => [
				[name, count],
				[primary, count],
			]),
		),
	};
}
