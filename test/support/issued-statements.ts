// What the triggers of issued statements refuse.

type Refusal = {
	readonly given: readonly (readonly [table: string, row?: { readonly holder: string }])[];
	readonly refused: string;
	readonly by: string;
};

const NEVER = "issued statements never change";
const refused = (statement: string, by = NEVER): Refusal => ({ given: [["issued_statements", { holder: "x" }]], refused: statement, by });

export const ISSUED_STATEMENTS: { readonly [trigger: string]: Refusal } = {
	issued_statements_in_order: refused(
		"insert into issued_statements select * from (select 'y', 'x', 3, 'x', 'x', 'x', 'x', null, 'en', 'x', 'x', 'x', null, 0)",
		"statements are numbered without gaps",
	),
	issued_statements_unchanged: refused("update issued_statements set holder = 'y'"),
	issued_statements_kept: refused("delete from issued_statements"),
};
