// A crowd: a hundred thousand rows of others in each of the tables that grow the fastest, so that a statement whose cost grows with its
// table exceeds every budget. It stays through the tests of a file, because to write it for each would take longer than the tests.

import { env } from "cloudflare:workers";
import { databaseOf } from "./databases";
import { eventTypes } from "./domains";
import { spare } from "./storage";

const CROWD = 100_000;

/** Ids of the crowd come before all others, because those begin with the time. */
const FORM = "00000000-0000-4000-8000-";
const idOf = (n: string) => `printf('${FORM}%012x', ${n})`;
export const crowdIdOf = (n: number): string => `${FORM}${n.toString(16).padStart(12, "0")}`;
const BEYOND = "00000001";

const example = (type: string) => `'${JSON.stringify(eventTypes.get(type)?.example).replaceAll("'", "''")}'`;

/** Each row of `numbers` is inserted with these values. */
const TABLES = (organizationId: string, now: number): readonly [table: string, values: Readonly<Record<string, string>>][] => {
	const of = { organization_id: `'${organizationId}'`, created_at: `${now} - n` };
	return [
		[
			"users",
			{
				id: idOf("n"),
				status: "iif(n % 8 = 0, 'WAITING_LIST', 'ACTIVE')",
				tag: "'@crowd' || n",
				mobile_number: "'+2547' || (10000000 + n)",
				home_organization_id: of.organization_id,
				created_at: of.created_at,
			},
		],
		["names", { kind: "'PHONE'", value: "printf('%064x', n)", id: idOf("n"), created_at: of.created_at }],
		["names", { kind: "'TAG'", value: "'@crowd' || n", id: idOf("n"), created_at: of.created_at }],
		[
			"webhook_events",
			{
				...of,
				id: idOf("n"),
				sequence: `${CROWD} - n`,
				event_type: "iif(n % 2, 'user.admitted', 'loan.disbursed')",
				category: "iif(n % 2, 'USER', 'LOAN_APPLICATION')",
				event_key: "'crowd' || n",
				payload_version: "1",
				data: `iif(n % 2, ${example("user.admitted")}, ${example("loan.disbursed")})`,
			},
		],
		[
			"webhook_deliveries",
			{
				...of,
				id: idOf("n"),
				webhook_id: idOf("n / 2 % 2"),
				event_id: idOf("n"),
				event_type: "iif(n % 2, 'user.admitted', 'loan.disbursed')",
				status: "case n / 4 % 4 when 0 then 'FAILED' when 1 then 'PENDING' else 'DELIVERED' end",
				failed_at: `iif(n / 4 % 4 = 0, ${now}, null)`,
				next_attempt_at: "iif(n / 4 % 4 = 1, 8000000000000, null)",
			},
		],
		[
			"invoices",
			{
				...of,
				id: idOf("n"),
				merchant_id: "'m-' || (n % 2)",
				document_id: idOf("n"),
				invoice_number: "n",
				number_key: "n",
				amount: "1",
				currency: "'KES'",
				details: "'{}'",
				issued_date: "'2026-01-01'",
				due_date: "'2026-12-31'",
				status: "'APPROVED'",
				uploaded_by: "''",
				repaid: "0",
				updated_at: String(now),
			},
		],
	];
};

/** Tables whose rows lie in the order of their key. Elsewhere a new row has a higher number than those before. */
const KEYS: { readonly [table: string]: string } = { webhook_events: "organization_id", webhook_deliveries: "id" };

/** Inserts the organization's rows into the tables, made a millisecond apart before the instant that is returned. */
export async function givenCrowdOf(organizationId: string, tables: readonly string[], count: number): Promise<number> {
	const now = Date.now();
	const database = databaseOf(organizationId);
	const inserts = TABLES(organizationId, now).filter(([table]) => tables.includes(table));
	await database.batch(
		inserts.map(([table, values]) =>
			database.prepare(`insert into ${table} (${Object.keys(values)})
				with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
				select ${Object.values(values)} from numbers`),
		),
	);
	return now;
}

/** Inserts rows of another organization into all tables, which the emptying between tests spares from now on. */
export async function givenCrowd(): Promise<void> {
	const tables = [...new Set(TABLES("", 0).map(([table]) => table))];
	await givenCrowdOf(crowdIdOf(0), tables, CROWD);
	const conditions = tables.map(async (table): Promise<[string, string]> => {
		const key = KEYS[table];
		if (key) return [table, `${key} >= '${BEYOND}'`];
		const last = await env.DB.prepare(`select max(rowid) as last from ${table}`).first<number>("last");
		return [table, `rowid > ${last}`];
	});
	spare(new Map(await Promise.all(conditions)));
}

/** The crowd goes when storage is next emptied. */
export const forgetCrowd = (): void => spare(new Map());
