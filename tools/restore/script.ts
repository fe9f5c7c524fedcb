// A database as a script that `wrangler d1 execute --remote --file` imports into an empty one: tables, rows, then indexes and triggers.

import { closeSync, openSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const quoted = (name: string): string => `"${name}"`;

/** Returns the script's name. */
export function writeScript(file: string): string {
	const script = file.replace(/\.sqlite$/, ".sql");
	const database = new DatabaseSync(file, { readOnly: true });
	const out = openSync(script, "w");
	try {
		const write = (statement: string): void => void writeSync(out, `${statement};\n`);
		const made = database
			.prepare("select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by rowid")
			.all();
		const of = (type: string) => made.filter((one) => one.type === type);
		write("PRAGMA defer_foreign_keys = true");
		for (const { sql } of of("table")) write(String(sql));
		for (const { name } of of("table")) {
			const table = quoted(String(name));
			const columns = database.prepare("select name from pragma_table_info(?)").all(String(name));
			const values = columns.map((column) => `quote(${quoted(String(column.name))})`).join(" || ',' || ");
			for (const { row } of database.prepare(`select ${values} as row from ${table}`).iterate())
				write(`INSERT INTO ${table} VALUES (${row})`);
		}
		for (const { sql } of [...of("index"), ...of("trigger")]) write(String(sql));
		return script;
	} finally {
		closeSync(out);
		database.close();
	}
}
