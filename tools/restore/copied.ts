// Whether a restored database equals the database that was backed up. The latter notes what has changed since its last file, which explains
// differences, as do files after those that it was made of.

import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";

export type Compared = {
	/** Rows of all tables, in the database that was backed up. */
	readonly rows: number;
	/** Of these and of removed rows, those that have changed after the file until which it was made. */
	readonly lost: number;
	/** Tables in which anything else differs. */
	readonly different: readonly string[];
};

const NOT_BACKED_UP = ["backup_heads", "backup_tables", "changed_rows", "backup_keys", "backup_key_files", "d1_migrations"];

const quoted = (name: string): string => `"${name}"`;
const textOf = (value: SQLInputValue | SQLOutputValue): string => {
	if (ArrayBuffer.isView(value)) return `x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
	return Number.isInteger(value) ? `bigint${value}` : `${typeof value}${value}`;
};

type Keyed = { readonly table: string; readonly columns: readonly string[]; readonly key: readonly string[] };

/** Rows as text, by their keys. */
function rowsOf(database: DatabaseSync, { table, columns, key }: Keyed): Map<string, string> {
	const statement = database.prepare(`select ${columns.map(quoted).join(", ")} from ${quoted(table)}`);
	statement.setReadBigInts(true);
	const rows = new Map<string, string>();
	for (const row of statement.iterate()) {
		const values = columns.map((column) => textOf(row[column] ?? null));
		rows.set(key.map((column) => values[columns.indexOf(column)]).join(), values.join());
	}
	return rows;
}

function keysNoted(source: DatabaseSync, { table, key }: Keyed): Set<string> {
	const columns = ["key1", "key2", "key3", "key4"].slice(0, key.length);
	const statement = source.prepare(`select distinct ${columns.join(", ")} from changed_rows where relation = ?`);
	statement.setReadBigInts(true);
	return new Set(statement.all(table).map((row) => columns.map((column) => textOf(row[column] ?? null)).join()));
}

/** `later`: keys of rows, or the beginnings of these, in files after those that the database was made of, by tables. */
export function compare(
	sourceFile: string,
	restoredFile: string,
	later: ReadonlyMap<string, readonly (readonly SQLInputValue[])[]>,
): Compared {
	const source = new DatabaseSync(sourceFile, { timeout: 10_000 });
	const restored = new DatabaseSync(restoredFile, { readOnly: true });
	try {
		const tables = source
			.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'")
			.all();
		let rows = 0;
		let lost = 0;
		const different: string[] = [];
		for (const { name } of tables) {
			const table = String(name);
			if (NOT_BACKED_UP.includes(table)) continue;
			const info = source.prepare("select name, pk from pragma_table_info(?)").all(table);
			const columns = info.map((column) => String(column.name));
			const key = info.filter(({ pk }) => Number(pk) > 0).sort((one, other) => Number(one.pk) - Number(other.pk));
			const keyed = { table, columns, key: key.map((column) => String(column.name)) };
			const noted = keysNoted(source, keyed).union(new Set(later.get(table)?.map((values) => values.map(textOf).join())));
			const isNoted = (id: string): boolean => noted.has(id) || noted.has(id.split(",", 1).join());
			const [now, then] = [rowsOf(source, keyed), rowsOf(restored, keyed)];
			rows += now.size;
			lost += noted.size;
			const differs = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
				one.entries().some(([id, values]) => !isNoted(id) && other.get(id) !== values);
			if (differs(now, then) || differs(then, now)) different.push(table);
		}
		return { rows, lost, different };
	} finally {
		source.close();
		restored.close();
	}
}
