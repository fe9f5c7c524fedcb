// Every table with a user's id is exported to them, or says why not.

import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { HELD, kindOf } from "../../../src/domains/people/held.store";

const NOT_EXPORTED: Readonly<Record<string, string>> = {
	authorization_syncs: "hands the provider of tokens what is in memberships, and has nothing else",
	custom_tokens: "a token of minutes; what it began is in sessions",
	erasures: "who is erased gets no export any more",
	import_accounts: "what was imported is in credit_accounts",
	invitations: "the organization's; who accepted one has a membership",
	organization_members: "a copy of users and memberships in the organization's home",
	payee_quotas: "counts of a day, of rows that payees has",
	pushes: "which device a message of the inbox still goes to",
};

const tables = Object.values(import.meta.glob<object>("../../../src/**/*table.ts", { eager: true }))
	.flatMap((module) => Object.values(module))
	.filter((value): value is SQLiteTable => is(value, SQLiteTable));
const ofUsers = tables.filter((table) => Object.keys(getTableColumns(table)).some((name) => /userId$/i.test(name))).map(getTableName);

it("exports every table with a user's id, or names the reason why not", () => {
	const held = new Set(HELD.map(kindOf));
	expect(Object.keys(NOT_EXPORTED).sort()).toEqual([...new Set(ofUsers).difference(held)].sort());
});
