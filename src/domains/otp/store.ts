// Builds the statements on challenges and sends.

import { and, desc, eq, gt, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../db/columns";
import type { Effect, Orm, Statement } from "../../db/database";
import { guarded } from "../../db/guards";
import { ALWAYS } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import { HOUR_MS, MINUTE_MS } from "../../shared/time";
import { type Cap, CLIENT_CAPS, MAX_TRIES, MAX_TRIES_PER_HOUR, SENDS_KEPT_MS } from "./policy";
import { type ChallengeRow, otpChallenges, otpSends } from "./table";

const s = alias(otpSends, "s");
const c = alias(otpChallenges, "c");

type Sends = { readonly recipient: string; readonly client: string; readonly now: number; readonly most: number };

/** The newest sends to the recipient and by the client, and the one that used up what may be sent in a minute. */
export function findSends(orm: Orm, { recipient, client, now, most }: Sends) {
	const newest = (match: SQL | undefined) =>
		orm
			.select({ sentAt: otpSends.sentAt })
			.from(otpSends)
			.where(and(match, gt(otpSends.sentAt, now - SENDS_KEPT_MS)))
			.orderBy(desc(otpSends.sentAt));
	return [
		newest(eq(otpSends.recipient, recipient)).limit(10),
		newest(eq(otpSends.client, client)).limit(30),
		newest(gt(otpSends.sentAt, now - MINUTE_MS))
			.limit(1)
			.offset(most - 1),
	] as const;
}

/** Counts a send while the caps, the budget of a minute and `left` allow it. */
export function insertSend(
	orm: Orm,
	{ id, recipient, client, sentAt }: typeof otpSends.$inferSelect,
	recipientCaps: readonly Cap[],
	perMinute: number,
	left: SQL,
): Effect {
	const under = (match: SQL, { sends, withinMs }: Cap) =>
		sql`(select count(*) from ${otpSends} ${s} where ${match} and ${s.sentAt} > ${sentAt - withinMs}) < ${sends}`;
	const caps = [
		...recipientCaps.map((cap) => under(eq(s.recipient, recipient), cap)),
		...CLIENT_CAPS.map((cap) => under(eq(s.client, client), cap)),
		under(ALWAYS, { sends: perMinute, withinMs: MINUTE_MS }),
		left,
	];
	return guarded(
		orm.run(sql`insert into ${otpSends} (${bareList(otpSends.id, otpSends.recipient, otpSends.client, otpSends.sentAt)})
			select ${id}, ${recipient}, ${client}, ${sentAt} where ${sql.join(caps, sql` and `)}`),
	);
}

/** Gives the challenge a new code, unless another request has, or it is used. */
export const renewChallenge = (
	orm: Orm,
	{ id, codeTag }: ChallengeRow,
	renewed: Pick<ChallengeRow, "codeTag" | "sentAt" | "expiresAt">,
): Effect =>
	guarded(
		orm
			.update(otpChallenges)
			.set({ codeTag: renewed.codeTag, sentAt: renewed.sentAt, expiresAt: renewed.expiresAt })
			.where(and(eq(otpChallenges.id, id), eq(otpChallenges.codeTag, codeTag), isNull(otpChallenges.consumedAt))),
	);

/** What the code must have been issued for. */
export type Bound = { readonly purpose: string; readonly subject?: string; readonly resource?: string };

const isBound = (id: string, { purpose, subject, resource }: Bound) =>
	and(
		eq(otpChallenges.id, id),
		eq(otpChallenges.purpose, purpose),
		subject === undefined ? undefined : eq(otpChallenges.subject, subject),
		resource === undefined ? undefined : eq(otpChallenges.resource, resource),
	);

export const findChallenge = (orm: Orm, id: string, bound: Bound) => orm.select().from(otpChallenges).where(isBound(id, bound));

/** Counts a try, if one is left of the challenge and of the last hour. Returns the challenge, or no row. */
export function spendTry(orm: Orm, id: string, bound: Bound, now: number) {
	// The try with the right code does not count as a guess.
	const guesses = (same: SQL) =>
		sql`(select coalesce(sum(${c.tries} - (${c.consumedAt} is not null)), 0) from ${otpChallenges} ${c}
			where ${same} and ${c.createdAt} > ${now - HOUR_MS}) < ${MAX_TRIES_PER_HOUR}`;
	return orm
		.update(otpChallenges)
		.set({ tries: sql`${otpChallenges.tries} + 1` })
		.where(
			and(
				isBound(id, bound),
				isNull(otpChallenges.consumedAt),
				gt(otpChallenges.expiresAt, now),
				lt(otpChallenges.tries, MAX_TRIES),
				guesses(eq(c.recipient, otpChallenges.recipient)),
				guesses(eq(c.subject, otpChallenges.subject)),
			),
		)
		.returning();
}

/** The challenge of the row that this statement selects. */
export const findChallengeOf = (orm: Orm, statement: SQLWrapper) =>
	orm
		.select()
		.from(otpChallenges)
		.where(eq(otpChallenges.id, sql`(select s.challenge_id from (${statement.getSQL()}) s)`));

/** Marks the challenge as used. Belongs in the commit of the action it allows; of two concurrent commits, one is stale. */
export const consumeChallenge = (orm: Orm, { id, codeTag }: ChallengeRow, now: number): Effect =>
	guarded(
		orm
			.update(otpChallenges)
			.set({ consumedAt: now })
			.where(and(eq(otpChallenges.id, id), eq(otpChallenges.codeTag, codeTag), isNull(otpChallenges.consumedAt))),
	);

/** Gives back the try of a right code when the action it allows could not be carried out. */
export const giveTryBack = (orm: Orm, id: string): Statement =>
	orm
		.update(otpChallenges)
		.set({ tries: sql`max(${otpChallenges.tries} - 1, 0)` })
		.where(and(eq(otpChallenges.id, id), isNull(otpChallenges.consumedAt)));

/** Sends and challenges that no cap counts any more. */
export const expiredOtp = (orm: Orm, now: number): Expired[] => [
	expired(orm, otpSends, { key: [otpSends.id], by: otpSends.sentAt, before: now - SENDS_KEPT_MS }),
	expired(orm, otpChallenges, { key: [otpChallenges.id], by: otpChallenges.createdAt, before: now - SENDS_KEPT_MS }),
];
