// Services that count the rows they read and write, and many copies of a row, for tests that cost does not grow with the table.

import { env } from "cloudflare:workers";
import { Databases } from "../../src/db/databases";
import type { Meter } from "../../src/db/meter";
import { placesOf } from "../../src/db/places";
import { jobServices } from "../../src/runtime/making-services";
import type { JobServices } from "../../src/runtime/services";
import { homeOf } from "../../src/shared/ids";
import { databaseOf } from "./databases";
import { quietQueue, services } from "./webhooks";

/** Services of the id's home that count rows and send nothing to the queue. */
export async function metered(id: string): Promise<{ services: JobServices; meter: Meter }> {
	const databases = new Databases(placesOf(env));
	const made = { ...(await services()), queue: quietQueue };
	return { services: jobServices(made, databases, homeOf(id)), meter: databases.meter };
}

/**
 * Copies a row `count` times within its database. Each copy has another id.
 * @param columns the other columns that differ, each with an SQL expression over `n`, the number of the copy
 */
export async function givenCopies(
	table: string,
	id: string,
	count: number,
	columns: Record<string, string>,
	database = databaseOf(id),
): Promise<void> {
	const { results } = await database.prepare(`pragma table_info(${table})`).all<{ name: string }>();
	const changed: Record<string, string> = { id: "substr(id, 1, 24) || lower(hex(randomblob(6)))", ...columns };
	const names = results.map(({ name }) => name);
	await database
		.prepare(`
			insert into ${table} (${names.join()})
			with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
			select ${names.map((name) => changed[name] ?? name).join()} from ${table}, numbers where id = ?`)
		.bind(id)
		.run();
}

/** An id that differs with `n`, of version 4, which has no home. `kind`: a digit for each table. */
export const uuid = (n: string, kind = 0) => `'01a20279-b10${kind}-4026-9005-' || printf('%012x', ${n})`;

/** Copies the organization's rows that meet the condition `most` times each, in the same way as `givenCopies`. */
export async function copiesIn(
	table: string,
	organizationId: string,
	most: number,
	columns: Record<string, string>,
	where = `organization_id = '${organizationId}'`,
): Promise<void> {
	const database = databaseOf(organizationId);
	const { results } = await database.prepare(`pragma table_info(${table})`).all<{ name: string }>();
	const names = results.map(({ name }) => name);
	const values = names.map((name) => columns[name] ?? name).join();
	await database
		.prepare(
			`insert into ${table} (${names.join()}) with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${most})
			select ${values} from ${table}, numbers where ${where}`,
		)
		.run();
}
