// Imports on the wire: what is answered about them.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { COMPONENTS, FAULT_CODES } from "./fault.policy";
import { ACCOUNT_STATES, IMPORT_STATES } from "./lifecycle";
import type { ImportAccountRow, ImportRow } from "./table";

export const Import = z
	.object({
		id: z.uuid(),
		organization_id: z.uuid(),
		name: z.string(),
		status: z.enum(IMPORT_STATES),
		revision: z.int().meta({ description: "Rises with every portion that changes a line" }),
		accounts: z.object({ staged: z.int(), equal: z.int(), failed: z.int(), imported: z.int() }),
		existing_users: z
			.int()
			.meta({ description: "Accounts found equal whose borrower was a user before the import: to import them, name it" }),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "LoanImport" });

export type Counted = readonly { readonly status: ImportAccountRow["status"]; readonly count: number }[];

export function toImport(row: ImportRow, counted: Counted, ofUsers: number): z.input<typeof Import> {
	const of = (wanted: ImportAccountRow["status"]) => counted.find(({ status }) => status === wanted)?.count ?? 0;
	return {
		id: row.id,
		organization_id: row.organizationId,
		name: row.name,
		status: row.status,
		revision: row.revision,
		accounts: { staged: of("STAGED"), equal: of("EQUAL"), failed: of("FAILED"), imported: of("IMPORTED") },
		existing_users: ofUsers,
		created_at: toTimestamp(row.createdAt),
		updated_at: toTimestamp(row.updatedAt),
	};
}

const Fault = z
	.object({
		code: z.enum(FAULT_CODES),
		description: z.string(),
		fact: z.string().optional().meta({ description: "The old program's id of the fact" }),
		difference: z
			.object({ on: z.iso.date(), component: z.enum(COMPONENTS), expected: z.int(), computed: z.int() })
			.optional()
			.meta({ description: "The first day on which the replay and the old balances differ" }),
	})
	.meta({ id: "ImportFault" });

export const ImportAccount = z
	.object({
		account: z.string().meta({ description: "The old program's id" }),
		status: z.enum(ACCOUNT_STATES),
		account_id: z.uuid().nullable(),
		existing_user_id: z
			.uuid()
			.nullable()
			.meta({ description: "The borrower, if they were a user before the import, as the check found them" }),
		fault: Fault.nullable(),
	})
	.meta({ id: "ImportAccount" });

export const toImportAccount = (row: ImportAccountRow): z.input<typeof ImportAccount> => ({
	account: row.oldId,
	status: row.status,
	account_id: row.accountId,
	existing_user_id: row.existingUserId,
	fault: row.fault,
});

export const Portion = z
	.object({
		import_id: z.uuid(),
		lines: z.int(),
		skipped: z.int().meta({ description: "Lines of accounts that are imported already: they change nothing" }),
	})
	.meta({ id: "ImportPortion" });
