// The statements of the backup, over tables of which only their names and columns are known: triggers that note the keys of changed rows,
// and selects of those rows as JSON. A text or blob that is ambiguous in JSON is written with a letter before it: `t…`, or `x` and hex.

import { type SQL, sql } from "drizzle-orm";

export type BackedUpColumn = {
	readonly name: string;
	/** Whether it is declared to hold blobs. */
	readonly blob: boolean;
	/** Its place in the primary key, from 1; 0 outside of it. */
	readonly key: number;
};

/** A value of a key as files have it. */
export type KeyValue = string | number;
export type Key = readonly KeyValue[];

export type BackedUpTable = {
	readonly name: string;
	readonly columns: readonly BackedUpColumn[];
	readonly personal?: Personal | undefined;
};

/** What of a table's rows names persons. */
export type Personal = {
	readonly groups: readonly PersonalColumns[];
	/** Without it there is no row. */
	readonly removed?: true;
	/** A key's other columns name persons: files have all rows with the same first column of the key, instead of those that have changed. */
	readonly listed?: true;
};

/** Columns that are sealed together. The expressions are SQL over the row `kept`. */
export type PersonalColumns = {
	readonly columns: readonly string[];
	/** What stands in their place without the person; absent: the texts without what is found in them. */
	readonly erased?: readonly string[];
	/** Whom they name. */
	readonly of?: readonly string[];
	/** What payers typed in them, by which they are named; `of` is then the user of whose loan they typed it. */
	readonly typed?: readonly string[];
	/** It is sealed, and says itself whom it names: a confirmation of a provider. */
	readonly confirmation?: true;
};

/** Tables that are made by migrations alone, or say how far the backup is. */
const NOT_BACKED_UP: readonly string[] = [
	...["d1_migrations", "schema_version", "backup_heads", "backup_tables", "changed_rows"],
	// They must be destroyed for good.
	...["backup_keys", "backup_key_files"],
];
export const isBackedUp = (table: string): boolean => !NOT_BACKED_UP.includes(table) && !/^(sqlite_|_cf_)/.test(table);

const KEYS = ["key1", "key2", "key3", "key4"] as const;
/** D1 lets a function take 32 arguments. */
const COLUMNS_AT_ONCE = 30;

const quoted = (name: string): string => `"${name}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The columns of the primary key in its order. */
export const keyOf = ({ columns }: BackedUpTable): readonly BackedUpColumn[] =>
	columns.filter(({ key }) => key > 0).sort((one, other) => one.key - other.key);

const triggerName = (table: string, event: string): string => `backup_${event}_${table}`;
const EVENTS = ["insert", "update", "delete"] as const;
export const triggerNames = (table: string): string[] => EVENTS.map((event) => triggerName(table, event));

/** Makes the triggers that note changes of the table's rows, unless they are there. */
export function watching(table: BackedUpTable): SQL[] {
	const note = (row: "new" | "old", only = ""): string => {
		const values = KEYS.map((_, index) => {
			const column = keyOf(table)[index];
			return column ? `${row}.${quoted(column.name)}` : "''";
		});
		const same = KEYS.map((key, index) => `noted.${key} = ${values[index]}`).join(" and ");
		return `insert into changed_rows (relation, ${KEYS.join(", ")}, generation)
			select ${literal(table.name)}, ${values.join(", ")}, head.generation from backup_heads head where head.id = 1 ${only} and not exists (
				select 1 from changed_rows noted where noted.relation = ${literal(table.name)} and ${same} and noted.generation = head.generation);`;
	};
	const moved = keyOf(table).map(({ name }) => `old.${quoted(name)} is not new.${quoted(name)}`);
	const bodies = {
		insert: note("new"),
		update: `${note("new")} ${note("old", `and (${moved.join(" or ")})`)}`,
		delete: note("old"),
	};
	return EVENTS.map((event) =>
		sql.raw(
			`create trigger if not exists ${quoted(triggerName(table.name, event))} after ${event} on ${quoted(table.name)} begin ${bodies[event]} END;`,
		),
	);
}

export const notWatching = (trigger: string): SQL => sql.raw(`drop trigger if exists ${quoted(trigger)}`);

/** Distinguishes values of every type in JSON. */
const lettered = (value: string): string =>
	`iif(typeof(${value}) = 'blob', 'x' || hex(${value}), iif(typeof(${value}) = 'text', 't' || ${value}, ${value}))`;

/** A value of a key as SQL has it. */
const opened = (value: KeyValue): SQL =>
	typeof value === "number" ? sql`${value}` : value.startsWith("x") ? sql`unhex(${value.slice(1)})` : sql`${value.slice(1)}`;

/**
 * A row as JSON: parts of it, because of the limit on arguments, with the names part0, part1 and so on. What names persons is apart from
 * them: own0, own1 and so on are the groups of it, erased0 what is left of them, of0 whom they name,
 * typed0 what payers typed.
 */
function partsOf({ columns, personal }: BackedUpTable): string {
	const parts = (personal?.groups ?? []).flatMap((group, index) => {
		const own = group.columns.map((name) => `kept.${quoted(name)}`);
		const named = (list: readonly string[] | undefined, name: string) =>
			list ? [`json_array(${list.join(", ")}) as ${name}${index}`] : [];
		return [...named(own, "own"), ...named(group.erased, "erased"), ...named(group.of, "of"), ...named(group.typed, "typed")];
	});
	const apart = new Set((personal?.groups ?? []).flatMap((group) => group.columns));
	let part = 0;
	for (let from = 0; from < columns.length; from += COLUMNS_AT_ONCE) {
		const values = columns
			.slice(from, from + COLUMNS_AT_ONCE)
			.map(({ name, blob }) => (apart.has(name) ? "null" : blob ? lettered(`kept.${quoted(name)}`) : `kept.${quoted(name)}`));
		parts.push(`json_array(${values.join(", ")}) as part${part++}`);
	}
	return parts.join(", ");
}

export type ReadRow = {
	readonly key: string;
	readonly generation?: number;
	readonly present: number;
	readonly [part: `${"part" | "own" | "erased" | "of" | "typed"}${number}`]: string;
};

/** The row as files have it, without what is sealed; undefined where there is none any more. */
export function lineOf(row: ReadRow): string | undefined {
	if (row.present === 0) return undefined;
	const parts: string[] = [];
	for (let part = 0; row[`part${part}`] !== undefined; part++) parts.push((row[`part${part}`] as string).slice(1, -1));
	return `[${parts.join(",")}]`;
}

/** Rows of the table that have changed, as they are now, in the order of their keys. */
export function changedRowsOf(table: BackedUpTable, { generation, limit }: { generation: number; limit: number }): SQL {
	const noted = KEYS.map((key) => `noted.${key}`);
	const same = keyOf(table).map(({ name }, index) => `kept.${quoted(name)} = ${noted[index]}`);
	const [{ name: anyKey = "" } = {}] = keyOf(table);
	const columns = `json_array(${noted.map(lettered).join(", ")}) as key, noted.generation as generation,
		kept.${quoted(anyKey)} is not null as present, ${partsOf(table)}`;
	const order = sql.raw(`order by ${noted.join(", ")}, noted.generation limit `);
	const where = `noted.relation = ${literal(table.name)} and noted.generation <= `;
	const joined = (on: string) => `noted left join ${quoted(table.name)} kept on ${on}`;
	if (!table.personal?.listed) {
		const select = sql.raw(`select ${columns} from changed_rows ${joined(same.join(" and "))} where ${where}`);
		return sql`${select}${generation} ${order}${limit}`;
	}
	// A portion of what is noted, each with all rows of the same first column.
	const select = sql.raw(`select ${columns} from (select * from changed_rows noted where ${where}`);
	return sql`${select}${generation} ${order}${limit}) ${sql.raw(joined(same[0] ?? ""))}`;
}

/** The changes of these rows are no longer noted. */
export function forgetChanged({ name }: BackedUpTable, { generation, through }: { generation: number; through: Key }): SQL {
	const values = sql.join(through.map(opened), sql`, `);
	return sql`${sql.raw(`delete from changed_rows where relation = ${literal(name)} and (${KEYS.join(", ")}) <= (`)}${values}${sql.raw(") and generation <= ")}${generation}`;
}

/** All rows of the table after this one, in the order of their keys. */
export function rowsAfter(table: BackedUpTable, { after, limit }: { after: Key | undefined; limit: number }): SQL {
	const key = keyOf(table).map(({ name }) => `kept.${quoted(name)}`);
	const select = sql.raw(
		`select json_array(${key.map(lettered).join(", ")}) as key, 1 as present, ${partsOf(table)} from ${quoted(table.name)} kept`,
	);
	const later = after ? sql`${sql.raw(`where (${key.join(", ")}) > (`)}${sql.join(after.map(opened), sql`, `)})` : sql``;
	return sql`${select} ${later} ${sql.raw(`order by ${key.join(", ")} limit `)}${limit}`;
}

/** How many changes are noted, up to as many. */
export const countNoted = (most: number): SQL => sql`${sql.raw("select count(*) as n from (select 1 from changed_rows limit ")}${most})`;

export const columnsOf = (table: string): SQL => sql.raw(`pragma table_info(${quoted(table)})`);
export const tablesAndTriggers = sql.raw("select type, name from sqlite_schema where type in ('table', 'trigger') order by name");
