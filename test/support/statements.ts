// Records the statements that requests and jobs send to the databases, counts what they cost, and finds faults in their query plans.

import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { placesOf } from "../../src/db/places";
import { withBatches } from "./databases";
import { faultsIn, type Schema, words } from "./plan-faults";
import { stepsOf } from "./plans";

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
	schema ??= await schemaOf(env.DB);
	const steps = await stepsOf(statement, ...params);
	const text = statement.replaceAll(/\s+/g, " ").trim();
	return faultsIn(statement, steps, schema).map((step) => ({ step, statement: text }));
}

let schema: Schema | undefined;

type Listed = { name: string; unique: number; origin: string; partial: number };

async function schemaOf(database: D1Database): Promise<Schema> {
	const { results: tables } = await database
		.prepare("select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'")
		.all<{ name: string }>();
	// D1 refuses these pragmas as tables of a select.
	const pragmas = <Row>(pragma: string, of: readonly string[]) =>
		database.batch<Row>(of.map((name) => database.prepare(`pragma ${pragma}("${name}")`)));
	const lists = await pragmas<Listed>(
		"index_list",
		tables.map(({ name }) => name),
	);
	const columns = await pragmas<{ name: string }>(
		"index_info",
		lists.flatMap(({ results }) => results.map(({ name }) => name)),
	);
	const { results: written } = await database
		.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
		.all<{ name: string; sql: string }>();
	const conditionOf = (name: string): string => / where (.*)$/is.exec(written.find((index) => index.name === name)?.sql ?? "")?.[1] ?? "";
	/** The columns that the condition of a partial index names, and its words. */
	const conditionsOf = (name: string) => ({
		conditions:
			conditionOf(name)
				.replaceAll(/'[^']*'/g, "")
				.match(/\w+/g) ?? [],
		where: words(conditionOf(name)),
	});
	let at = 0;
	const indexes = lists.map(({ results }) =>
		results.map(({ name, unique, origin, partial }) => ({
			name,
			columns: (columns[at++]?.results ?? []).map((column) => column.name),
			...{ unique: unique === 1, partial: partial === 1, primary: origin === "pk" },
			...conditionsOf(name),
		})),
	);
	return { indexes: new Map(tables.map(({ name }, index) => [name, indexes[index] ?? []])), few: fewValued() };
}

/** By table, the columns that the sources declare as one of a list, or as yes or no. */
function fewValued(): Schema["few"] {
	const modules = Object.values(import.meta.glob<object>("../../src/**/*table.ts", { eager: true }));
	const tables = modules.flatMap((module) => Object.values(module)).filter((value): value is SQLiteTable => is(value, SQLiteTable));
	return new Map(
		tables.map((table) => {
			const few = Object.values(getTableColumns(table)).filter(
				({ enumValues, dataType }) => (enumValues?.length ?? 0) > 0 || dataType === "boolean",
			);
			return [getTableName(table), new Set(few.map(({ name }) => toSnakeCase(name)))];
		}),
	);
}
