// Makes a world large: next to each row others that look like it, in the same organization, with the same states and other ids.

import { env } from "cloudflare:workers";
import { DAY_MS } from "../../src/shared/time";
import { databases } from "./databases";
import { KEPT } from "./storage";

type Column = { readonly name: string; readonly type: string };
type Trigger = { readonly name: string; readonly tbl_name: string; readonly sql: string };

/**
 * Tables of which the service bounds how many rows an owner has, by the column of the owner: the others belong to other owners.
 */
const BOUNDED: { readonly [table: string]: readonly string[] } = {
	webhook_endpoints: ["organization_id"],
	payment_connections: ["organization_id"],
	// One for each product of a lender, all of which its lists of portfolios read.
	portfolios: ["organization_id"],
	portfolio_days: ["organization_id"],
	ledger_days: ["organization_id"],
};

/** Tables of one row, or of the platform's own settings, which have no crowd. */
const SINGLE = new Set(["sandbox_clock", "storage_levels", "rate_windows"]);

/** Columns that many rows of an owner share. */
const SHARED = new Set(["organization_id", "currency", "kind", "type", "status", "phase", "contra", "provider", "part", "about", "month"]);

/** Columns that the rows of a table share because another row stands for them all: each account is in a portfolio that there is. */
const COMMON: { readonly [table: string]: readonly string[] } = { loan_positions: ["loan_product_id"] };

/** Columns that name a person, a number or a thing, each one another, although no index demands it. */
const NAMING = new Set(["slug", "tag", "mobile_number", "email", "email_key", "recipient", "client", "subject", "account_number"]);

/** Instants by which limits are counted: the others are of days before, or the limits would refuse the request. */
const COUNTED: { readonly [table: string]: string } = { otp_sends: "sent_at", invitation_sends: "sent_at", messages: "created_at" };

const UUID = "????????-????-????-????-????????????";

/** In one database: the columns of each table, the columns whose values must differ between rows, and the triggers that insertions start. */
type Tables = {
	readonly tables: ReadonlyMap<string, { columns: readonly Column[]; distinct: ReadonlySet<string> }>;
	readonly triggers: readonly Trigger[];
};
let known: Tables | undefined;

async function tablesOf(database: D1Database): Promise<Tables> {
	const names = await database
		.prepare("select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite_%'")
		.all<{ name: string }>();
	const tables = names.results.map(({ name }) => name).filter((name) => !KEPT.includes(name) && !SINGLE.has(name));
	const pragmas = <Row>(pragma: string, of: readonly string[]) =>
		database.batch<Row>(of.map((name) => database.prepare(`pragma ${pragma}("${name}")`)));
	const columns = await pragmas<Column & { pk: number }>("table_info", tables);
	const lists = await pragmas<{ name: string; unique: number }>("index_list", tables);
	const unique = lists.map(({ results }) => results.filter((index) => index.unique === 1).map(({ name }) => name));
	const keys = await pragmas<{ name: string }>("index_info", unique.flat());
	let at = 0;
	const described = tables.map((table, index) => {
		const own = columns[index]?.results ?? [];
		const key = own.filter(({ pk }) => pk > 0).map(({ name }) => name);
		const others = (unique[index] ?? []).map(() => (keys[at++]?.results ?? []).map(({ name }) => name));
		const typed = (of: readonly string[], type: string) =>
			of.filter((name) => own.find((column) => column.name === name)?.type.toLowerCase() === type);
		const distinct = [key, ...others].flatMap((of) => {
			const texts = typed(of, "text");
			const own = texts.filter((name) => !SHARED.has(name));
			return [own.at(-1) ?? typed(of, "integer").at(-1) ?? typed(of, "blob").at(-1) ?? texts.at(-1) ?? ""];
		});
		return [
			table,
			{ columns: own, distinct: new Set([...distinct, ...own.map(({ name }) => name).filter((name) => NAMING.has(name))]) },
		] as const;
	});
	const triggers = await database
		.prepare("select name, tbl_name, sql from sqlite_master where type = 'trigger' and sql like '% insert on %'")
		.all<Trigger>();
	return { tables: new Map(described), triggers: triggers.results };
}

/** The value of a column in the n-th row that looks like another. */
function another(table: string, { name, type }: Column, isDistinct: boolean): string {
	const column = `t."${name}"`;
	if (COUNTED[table] === name) return `${column} - ${7 * DAY_MS} - n`;
	// Of many rows the keys end alike.
	if (name === "event_key") return `${column} || '~' || n || '~' || t.id`;
	if (COMMON[table]?.includes(name)) return column;
	const isOrganization = `exists (select 1 from organizations o where o.id = ${column})`;
	// Of a version that the service gives to no id, so that no copy has the id of what it is a copy of.
	const otherId = `substr(${column}, 1, 14) || '8' || substr(${column}, 16, 17) || printf('%04x', n)`;
	switch (type.toLowerCase()) {
		case "text": {
			const kept = table === "organizations" || isDistinct || BOUNDED[table]?.includes(name) ? "false" : isOrganization;
			// What begins with an id is of another thing than what it is a copy of.
			const text = isDistinct
				? `iif(${column} glob '????-??-??', date(${column}, n || ' days'), iif(${column} glob '${UUID}:*', ${otherId} || substr(${column}, 37), iif(length(${column}) < 6, ${column} || n, substr(${column}, 1, length(${column}) - 4) || printf('%04d', n))))`
				: column;
			return `case when ${column} is null then null when ${column} glob '${UUID}' then iif(${kept}, ${column}, ${otherId}) else ${text} end`;
		}
		case "blob":
			return name === "organization_id"
				? column
				: `unhex(substr(hex(${column}), 1, 12) || '8' || substr(hex(${column}), 14, 15) || printf('%04x', n))`;
		default:
			return isDistinct ? `${column} + 1000000 * n` : column;
	}
}

/** Inserts next to each row of every database as many that look like it that there are some `total` in each. Returns how many there are. */
export async function grow(total: number): Promise<number> {
	known ??= await tablesOf(env.DB);
	const { tables, triggers } = known;
	let rows = 0;
	for (const database of databases) {
		const names = [...tables.keys()];
		const counts: number[] = [];
		for (let at = 0; at < names.length; at += 50) {
			const some = names.slice(at, at + 50);
			const counted = await database
				.prepare(`select ${some.map((name, index) => `(select count(*) from "${name}") as c${index}`).join()}`)
				.first<Record<string, number>>();
			counts.push(...some.map((_, index) => counted?.[`c${index}`] ?? 0));
		}
		const there = counts.reduce((sum, count) => sum + count, 0);
		if (there === 0) continue;
		const each = Math.ceil(total / there);
		const used = names.filter((_, index) => (counts[index] ?? 0) > 0);
		const of = triggers.filter((trigger) => used.includes(trigger.tbl_name));
		const inserts = used.map((table) => {
			const { columns = [], distinct = new Set<string>() } = tables.get(table) ?? {};
			return `insert or ignore into "${table}" (${columns.map(({ name }) => `"${name}"`).join()})
				with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${each})
				select ${columns.map((column) => another(table, column, distinct.has(column.name))).join()} from "${table}" t cross join numbers`;
		});
		const done = await database.batch(
			[...of.map(({ name }) => `drop trigger "${name}"`), ...inserts, ...of.map(({ sql }) => sql)].map((sql) => database.prepare(sql)),
		);
		const added = done.slice(of.length, of.length + used.length).map(({ meta }) => meta.changes);
		const missing = used.filter((_, index) => (added[index] ?? 0) < each / 2);
		if (missing.length > 0) throw new Error(`these tables did not grow: ${missing.join()}`);
		rows += added.reduce((sum, count) => sum + count, 0);
	}
	return rows;
}
