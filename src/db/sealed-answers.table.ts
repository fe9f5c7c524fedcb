// Answers with what is shown once, sealed for the caller who may not have got them, next to the idempotency record that leaves it out.

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const sealedAnswers = sqliteTable(
	"sealed_answers",
	{
		/** As in the record. */
		scope: text().primaryKey(),
		/** The whole body. It opens only with the `Idempotency-Key`, of which no row has more than a digest. */
		sealed: text().notNull(),
		/** Real time. */
		expiresAt: integer().notNull(),
	},
	(table) => [index("sealed_answers_expiry").on(table.expiresAt)],
);
