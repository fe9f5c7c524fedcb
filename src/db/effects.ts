// What a commit is made of: statements, effects, which are statements that belong together, and what the effects of a commit do together.

import type { SQL } from "drizzle-orm";
import type { Statement } from "./built";
import type { Mark } from "./transient";

/** A statement, or plain SQL that the database turns into one. */
export type Step = Statement | SQL;
/** Steps that belong together, and what to do once they are committed (never a second write). */
export type Effect = {
	statements: readonly Step[];
	committed?: (results: readonly unknown[]) => void;
	/** By which a commit is known again whose answer was lost. */
	mark?: Mark | undefined;
	/** What the effects of one commit that name the same function do together, after all other writes. */
	together?: Together;
};
type Together = { readonly by: (parts: readonly never[]) => Effect; readonly part: unknown };
export type Write = Step | Effect;

type Result<T> = T extends Statement ? T["_"]["result"] : unknown;
export type Results<T extends readonly unknown[]> = { -readonly [K in keyof T]: Result<T[K]> };

/** An effect whose `committed` gets the results of its statements with their types. */
export const effect = <const T extends readonly Step[]>(statements: T, committed: (results: Results<T>) => void): Effect => ({
	statements,
	committed: committed as NonNullable<Effect["committed"]>,
});

/** The effects, and behind them what they do together. */
export function withShared(effects: readonly Effect[]): readonly Effect[] {
	const shared = Map.groupBy(
		effects.flatMap(({ together }) => together ?? []),
		({ by }) => by,
	);
	return [...effects, ...[...shared].map(([by, parts]) => by(parts.map(({ part }) => part as never)))];
}
