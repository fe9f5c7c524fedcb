// What the triggers of the credit bureau's files refuse.

import type { Trigger } from "./triggers";

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
