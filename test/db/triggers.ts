// What triggers refuse, in short.

type Value = string | number | null;
export type Row = { readonly [column: string]: Value };

export type Trigger = { readonly given: readonly (readonly [table: string, row?: Row])[]; readonly refused: string; readonly by: string };

export const appendOnly = (table: string, change: string, ...before: Trigger["given"]): { [name: string]: Trigger } => ({
	[`${table}_append_only`]: { given: [...before, [table]], refused: `update ${table} set ${change}`, by: "append only" },
	[`${table}_kept`]: { given: [...before, [table]], refused: `delete from ${table}`, by: "append only" },
});

/** `insert or replace` removes a row without the triggers of DELETE. */
export const onlyAdded = (table: string): { [name: string]: Trigger } => ({
	[`${table}_added`]: { given: [[table]], refused: `insert or replace into ${table} select * from ${table}`, by: "append only" },
});
