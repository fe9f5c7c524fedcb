// What is listed as disagreeing between databases of which one was put back, row by row. `test/wiring/one-database-back.test.ts` puts one back.

import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { disagreements } from "../../tools/restore/disagreements.ts";
import { migrated } from "../support/node/sqlite.ts";

type Row = Readonly<Record<string, string | number | null>>;
const NAMES = ["DB", "SHARD_0"] as const;
const [HERE, THERE] = NAMES;
type Name = (typeof NAMES)[number];

const databases = new Map<Name, DatabaseSync>();
const databaseOf = (name: Name) => databases.get(name) as DatabaseSync;

beforeAll(() => {
	for (const name of NAMES) {
		const database = new DatabaseSync(":memory:");
		database.deserialize(migrated());
		// Only what is compared is filled in.
		database.exec("pragma ignore_check_constraints = on; pragma foreign_keys = off");
		databases.set(name, database);
	}
});

beforeEach(() => {
	for (const database of databases.values()) database.exec("begin");
	return () => {
		for (const database of databases.values()) database.exec("rollback");
	};
});

/** Adds a row, with something in each column that must have a value. */
function add(name: Name, table: string, row: Row): void {
	const columns = databaseOf(name).prepare(`pragma table_info(${table})`).all() as {
		name: string;
		type: string;
		notnull: number;
		dflt_value: unknown;
	}[];
	const filled = columns.filter((column) => column.name in row || (column.notnull === 1 && column.dflt_value === null));
	const values = filled.map((column) => row[column.name] ?? (/int/i.test(column.type) ? 1 : "{}"));
	databaseOf(name)
		.prepare(`insert into ${table} (${filled.map((column) => column.name).join()}) values (${filled.map(() => "?").join()})`)
		.run(...values);
}

const everywhere = (table: string, row: Row) => {
	for (const name of NAMES) add(name, table, row);
};

const listed = () =>
	disagreements(NAMES.map((name) => ({ name, rows: async (query) => databaseOf(name).prepare(query).all() as Record<string, unknown>[] })));

const reported = { mobile_money_transaction_id: "TX1", amount: 500, currency: "KES", fingerprint: "f" };
const matched = { ...reported, id: "p1", organization_id: "o1", status: "MATCHED", account_id: "a", posted_as_id: "p2" };
const unmatched = { ...reported, id: "p1", organization_id: "o1", status: "UNMATCHED" };
const copy = { ...reported, id: "p2", organization_id: "o2", status: "CONFIRMED", account_id: "a" };

it("lists a payment that was matched and whose copy is gone, but none that the account's organization has reported itself", async () => {
	add(HERE, "payments", matched);
	add(THERE, "payments", { ...copy, id: "p4", organization_id: "o4", amount: 400, fingerprint: "another provider's" });
	expect(await listed()).toEqual(["payment p1: matched in DB, and its copy p2 is nowhere"]);
	add(THERE, "payments", { ...copy, id: "p3", fingerprint: "other" });
	expect(await listed()).toEqual([]);
});

it("lists a payment that is unmatched again and posted elsewhere, but none of which another organization has made a report of its own", async () => {
	add(HERE, "payments", unmatched);
	add(THERE, "payments", { ...copy, id: "p3", organization_id: "o3", fingerprint: "other" });
	expect(await listed()).toEqual([]);
	add(THERE, "payments", copy);
	expect(await listed()).toEqual(["payment p1: unmatched in DB, and posted in SHARD_0 as p2"]);
});

it("lists no payment that both sides know", async () => {
	add(HERE, "payments", matched);
	add(THERE, "payments", copy);
	expect(await listed()).toEqual([]);
});

it("lists memberships of which one side knows nothing, or another role", async () => {
	const both = (user_id: string, role: string) => ({ organization_id: "o", user_id, role, id: user_id, membership_id: user_id });
	const roles = ["organization-owner", "organization-financing-admin"] as const;
	add(HERE, "memberships", both("agreed", roles[0]));
	add(THERE, "organization_members", both("agreed", roles[0]));
	add(HERE, "memberships", both("changed", roles[0]));
	add(THERE, "organization_members", both("changed", roles[1]));
	add(HERE, "memberships", both("unknown", roles[0]));
	add(THERE, "organization_members", both("forgotten", roles[0]));
	add(THERE, "organization_members", { ...both("removed", roles[0]), removed_at: 5 });
	expect(await listed()).toEqual([
		"member o forgotten in SHARD_0: the user does not know it",
		`membership o changed: ${roles[0]} in DB, and for the organization ${roles[1]} in SHARD_0`,
		"membership o unknown in DB: the organization does not know it",
	]);
});

it("lists names without what they name, and tags that are in no directory", async () => {
	everywhere("organizations", { id: "o", slug: "acme" });
	add(THERE, "users", { id: "u", tag: "@known" });
	add(THERE, "users", { id: "v", tag: "@unknown" });
	for (const [kind, id, value] of [
		["SLUG", "o", "acme"],
		["TAG", "u", "@known"],
		["SLUG", "nobody's", "other"],
		["PHONE", "nobody", "1"],
	] as const)
		add(HERE, "names", { kind, id, value });
	expect(await listed()).toEqual([
		"name PHONE of nobody: there is nobody",
		"name SLUG of nobody's: there is nobody",
		"user v in SHARD_0: the tag is in no directory",
	]);
});

it("lists organizations whose name or state is not the same everywhere", async () => {
	everywhere("organizations", { id: "agreed", status: "SUSPENDED" });
	add(HERE, "organizations", { id: "o", status: "ACTIVE", name: "Acme" });
	add(THERE, "organizations", { id: "o", status: "SUSPENDED", name: "Acme Ltd" });
	add(THERE, "organizations", { id: "lacking" });
	expect(await listed()).toEqual(["organization lacking: missing in DB", "organization o: status, name in SHARD_0 not as in DB"]);
});

it("lists products for all, their texts of terms and commission models that a database lacks or has otherwise", async () => {
	everywhere("loan_products", { id: "agreed" });
	everywhere("terms_texts", { loan_product_id: "agreed", version: 1, sha256: "a" });
	add(HERE, "terms_texts", { loan_product_id: "agreed", version: 2, sha256: "b" });
	add(HERE, "loan_products", { id: "changed", suspended_at: 5, name: "new" });
	add(THERE, "loan_products", { id: "changed", name: "old" });
	add(HERE, "loan_products", { id: "lacking" });
	// Of one organization, in its home alone.
	add(THERE, "loan_products", { id: "own", organization_id: "o" });
	add(THERE, "terms_texts", { loan_product_id: "own", version: 1 });
	add(THERE, "commission_models", { id: "m" });
	expect(await listed()).toEqual([
		"commission model m: missing in DB",
		"product changed: name, suspended_at in SHARD_0 not as in DB",
		"product lacking: missing in SHARD_0",
		"text of terms agreed 2: missing in SHARD_0",
	]);
});
