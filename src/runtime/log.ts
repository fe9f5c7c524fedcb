// Structured logs, one JSON line each. An error is logged by its name and stack only, because the messages of
// database errors contain bound values: codes, tokens, phone numbers.

type Fields = Record<string, string | number | boolean | null | undefined>;

const MOST_LISTED = 20;

/** Several ids in one field. */
export const listed = (ids: Iterable<string | null | undefined>): string => {
	const all = [...new Set(ids)].filter((id) => id !== null && id !== undefined);
	return all.length > MOST_LISTED ? `${all.slice(0, MOST_LISTED).join()} and ${all.length - MOST_LISTED} more` : all.join();
};

export interface Log {
	info(message: string, fields?: Fields): void;
	/** `error`: undefined where nothing was thrown. */
	error(message: string, error: unknown, fields?: Fields): void;
}

export function logger(context: Fields): Log {
	return {
		info(message, fields) {
			console.log(JSON.stringify({ level: "info", message, ...context, ...fields }));
		},
		error(message, error, fields) {
			console.error(JSON.stringify({ level: "error", message, ...context, ...fields, ...describe(error) }));
		},
	};
}

function describe(error: unknown): Fields {
	if (error === undefined) return {};
	if (!(error instanceof Error)) return { error: typeof error };
	const database = [error, error.cause].find((one) => one instanceof Error && one.message.startsWith("D1_ERROR"));
	return {
		error: error.name,
		// D1 names tables, columns and limits, never values.
		...(database instanceof Error && { database: database.message }),
		stack: error.stack
			?.split("\n")
			.filter((line) => /^\s+at /.test(line))
			.slice(0, 8)
			.join("\n"),
	};
}
