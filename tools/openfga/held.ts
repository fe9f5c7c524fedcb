// What members hold, read from the databases of the service: of this machine, or of a deployed environment by wrangler.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { databaseFiles } from "../../src/dev/databases.ts";
import { wranglerCommand } from "../../src/dev/deployment.ts";
import { edgeOf } from "../../src/dev/edge.ts";
import { loadEnvironments } from "../../src/dev/runtime.ts";
import { repository } from "../../src/dev/service.ts";
import { MERCHANT_PERMISSIONS, ROLES, relationOf, relationOfRole } from "../../src/shared/permissions.ts";
import { Failed, type Tuple } from "./server.ts";

/** Answers a query with its rows. */
type Database = (query: string) => unknown[];

/** The databases under this directory. A service that runs on them keeps running. */
export function localDatabases(statePath: string): Database[] {
	if (!existsSync(statePath)) throw new Failed(`No data of the service is in ${statePath}`);
	const opened = databaseFiles(statePath).map((file) => new DatabaseSync(file, { readOnly: true }));
	return opened.map((database) => (query) => database.prepare(query).all());
}

const Answer = z.array(z.object({ results: z.array(z.unknown()) }));

/** The databases of an environment of wrangler.toml, asked by wrangler. */
export async function remoteDatabases(env: string): Promise<Database[]> {
	const { deployed } = await loadEnvironments(path.join(repository, "wrangler.toml"));
	const config = deployed.get(env);
	if (!config) throw new Failed(`wrangler.toml has no environment ${env}`);
	const edge = edgeOf(repository, wranglerCommand());
	return (config.d1_databases ?? []).map(({ binding }) => (query) => {
		const command = ["d1", "execute", binding, "--remote", "--json", "--env", env, "--command", query];
		const { status, stdout, stderr } = edge.wrangler(command, "ASKED");
		if (status !== 0) throw new Failed(`${binding} could not be read:\n${(stderr || stdout).trim()}`);
		return Answer.parse(JSON.parse(stdout)).flatMap(({ results }) => results);
	});
}

const PAGE = 5_000;
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** All rows, a page after the other, in the order of the columns, which are the key. */
function* pages<Row extends Record<string, string>>(database: Database, schema: z.ZodType<Row>, table: string, key: readonly string[]) {
	const columns = Object.keys((schema as unknown as z.ZodObject).shape).join(", ");
	for (let after = ""; ; ) {
		const rows = z.array(schema).parse(database(`select ${columns} from ${table} ${after} order by ${key.join(", ")} limit ${PAGE}`));
		yield* rows;
		const last = rows.at(-1);
		if (!last || rows.length < PAGE) return;
		after = `where (${key.join(", ")}) > (${key.map((name) => quoted(last[name] ?? "")).join(", ")})`;
	}
}

const Membership = z.object({ id: z.string(), user_id: z.string(), organization_id: z.string(), role: z.enum(ROLES) });
const Grant = z.object({
	user_id: z.string(),
	organization_id: z.string(),
	merchant_id: z.string(),
	permission: z.enum(MERCHANT_PERMISSIONS),
});

/** The tuples that OpenFGA is to have, and of which organization each user is a member. */
export function heldIn(databases: readonly Database[]): { tuples: Tuple[]; isMember: (user: string, organization: string) => boolean } {
	const tuples: Tuple[] = [];
	const members = new Set<string>();
	for (const database of databases) {
		for (const { user_id, organization_id, role } of pages(database, Membership, "memberships", ["id"])) {
			const tuple = { user: `user:${user_id}`, relation: relationOfRole(role), object: `organization:${organization_id}` };
			members.add(`${tuple.user} ${tuple.object}`);
			tuples.push(tuple);
		}
		const key = ["user_id", "organization_id", "merchant_id", "permission"];
		for (const { user_id, organization_id, merchant_id, permission } of pages(database, Grant, "merchant_grants", key)) {
			const digest = createHash("sha256").update(merchant_id).digest("hex");
			const object = `merchant:${organization_id}/${digest}`;
			tuples.push({ user: `user:${user_id}`, relation: relationOf(permission), object });
		}
	}
	return { tuples, isMember: (user, organization) => members.has(`${user} ${organization}`) };
}
