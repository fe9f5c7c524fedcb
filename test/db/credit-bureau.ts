// What the database itself refuses of the credit bureau's tables.

import type { Row, Trigger } from "./triggers";

export const CREDIT_BUREAU_FILES: { readonly [name: string]: Trigger } = {
	credit_bureau_files_kept: {
		given: [["credit_bureau_files"]],
		refused: "update credit_bureau_files set accounts = 2",
		by: "files never change",
	},
	credit_bureau_files_stay: { given: [["credit_bureau_files"]], refused: "delete from credit_bureau_files", by: "files never change" },
	credit_bureau_rows_before_the_file: {
		given: [["credit_bureau_rows"], ["credit_bureau_files"]],
		refused: "insert into credit_bureau_rows select * from credit_bureau_rows",
		by: "the file is made",
	},
	credit_bureau_rows_kept: { given: [["credit_bureau_rows"]], refused: "update credit_bureau_rows set owed = 2", by: "files never change" },
	credit_bureau_rows_stay: { given: [["credit_bureau_rows"]], refused: "delete from credit_bureau_rows", by: "files never change" },
};

export const CREDIT_BUREAU_CHECKS: { readonly [name: string]: readonly [table: string, ...Row[]] } = {
	credit_bureau_settings_notice: ["credit_bureau_settings", { notice_days: 29 }, { threshold: -1 }],
	credit_bureau_settings_due_if_on: ["credit_bureau_settings", { next_work_at: null }, { enabled: 0 }],
	credit_bureau_rows_part: ["credit_bureau_rows", { reason: "NO_NAME" }, { part: "LEFT_OUT" }],
	credit_bureau_rows_corrects: ["credit_bureau_rows", { about: "y" }, { corrects_month: "y" }],
	credit_bureau_listings_listed: ["credit_bureau_listings", { status: "LISTED" }],
	credit_bureau_listings_ended: ["credit_bureau_listings", { status: "ENDED" }, { ended_month: "y" }],
	credit_bureau_disputes_resolved: ["credit_bureau_disputes", { resolved_at: 1 }, { resolved_by: "y" }],
};
