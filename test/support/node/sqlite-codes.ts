// SQLite's codes of errors by their names, as workerd writes them behind a message.

const CODES: { readonly [code: number]: string } = {
	1: "SQLITE_ERROR",
	5: "SQLITE_BUSY",
	11: "SQLITE_CORRUPT",
	18: "SQLITE_TOOBIG",
	19: "SQLITE_CONSTRAINT",
	20: "SQLITE_MISMATCH",
	23: "SQLITE_AUTH",
	25: "SQLITE_RANGE",
};

/** Of SQLITE_CONSTRAINT. */
const EXTENDED: { readonly [code: number]: string } = {
	275: "SQLITE_CONSTRAINT_CHECK",
	787: "SQLITE_CONSTRAINT_FOREIGNKEY",
	1299: "SQLITE_CONSTRAINT_NOTNULL",
	1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
	1811: "SQLITE_CONSTRAINT_TRIGGER",
	2067: "SQLITE_CONSTRAINT_UNIQUE",
	2579: "SQLITE_CONSTRAINT_ROWID",
	3091: "SQLITE_CONSTRAINT_DATATYPE",
};

/** Undefined for what SQLite did not say. */
export function codeOf(code: number | undefined): string | undefined {
	if (code === undefined) return undefined;
	const extended = EXTENDED[code];
	return extended ? `SQLITE_CONSTRAINT (extended: ${extended})` : (CODES[code & 255] ?? `SQLITE_${code}`);
}
