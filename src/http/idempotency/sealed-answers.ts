// A secret that is shown once is in no record of an answer. So that a caller who lost the answer has not lost it for good, the answer is
// kept for ten minutes, sealed under that caller's own `Idempotency-Key`, and is what a repeated call gets until then. So is an answer that only
// the Durable Object keeps.

import { eq, sql } from "drizzle-orm";
import type { Orm, Statement } from "../../db/database";
import { prebuilt } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import { sealedAnswers } from "../../db/sealed-answers.table";
import { ApiError } from "../../shared/errors";
import type { Keyring } from "../../shared/keyring";
import { MINUTE_MS } from "../../shared/time";
import type { Answer } from "../answer";

const SEALED_MS = 10 * MINUTE_MS;

type Sealed = typeof sealedAnswers.$inferSelect;

const findSealed = prebuilt((orm) =>
	orm
		.select()
		.from(sealedAnswers)
		.where(eq(sealedAnswers.scope, sql.placeholder("scope"))),
);

export const selectSealed = (scope: string): Statement => findSealed({ scope });

/** The sealed body of these rows, while it may be opened. */
export const sealedIn = (rows: unknown, realNow: number): string | undefined =>
	(rows as Sealed[]).find(({ expiresAt }) => expiresAt > realNow)?.sealed;

export async function sealAnswer(
	{ orm, keyring }: { orm: Orm; keyring: Keyring },
	{ scope, holder }: { scope: string; holder: string },
	{ body, realNow }: { body: string; realNow: number },
): Promise<readonly Statement[]> {
	const sealed = await keyring.sealFor(holder, "shown-once", scope, body);
	return [
		orm.delete(sealedAnswers).where(eq(sealedAnswers.scope, scope)),
		orm.insert(sealedAnswers).values({ scope, sealed, expiresAt: realNow + SEALED_MS }),
	];
}

/** Answers that nobody may open any more. */
export const expiredSealed = (orm: Orm, realNow: number): Expired =>
	expired(orm, sealedAnswers, { key: [sealedAnswers.scope], by: sealedAnswers.expiresAt, before: realNow });

type Named = { readonly scope: string; readonly text: string };

/**
 * As the object stores it: an erasure does not reach objects, so an answer that may name somebody is sealed under its key's own text, which
 * nothing else has.
 */
export const sealStored = async ({ status, body }: Answer, { scope, text }: Named, keyring: Keyring): Promise<Answer> => ({
	status,
	body: body && (await keyring.sealFor(text, "kept-answer", scope, body)),
});

/** The answer of an object. An answer that has just been given, or was stored before answers were sealed, is JSON. */
export async function openStored({ status, body }: Answer, { scope, text }: Named, keyring: Keyring): Promise<Answer> {
	if (body === null || /^[[{]/.test(body)) return { status, body };
	const opened = await keyring.openFor(text, "kept-answer", scope, body);
	// A master key that was retired since has sealed it.
	if (opened === undefined) throw new ApiError("IDEMPOTENCY_KEY_REUSED");
	return { status, body: opened };
}
