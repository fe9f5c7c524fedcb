// Builds the statements on challenges and sends.

import { and, count, desc, eq, gt, inArray, isNull, lt, min, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../db/columns";
import type { Effect, Orm, Statement } from "../../db/database";
import { guarded } from "../../db/guards";
import { isForm, type NameValue } from "../../db/names";
import { names } from "../../db/names.table";
import { type Expired, expired } from "../../db/purge";
import { MINUTE_MS } from "../../shared/time";
import { type Cap, CLIENT_CAPS, GUESSES, GUESSES_OF_STRANGERS, MAX_TRIES, SENDS_KEPT_MS, sharesOf } from "./policy";
import { type ChallengeRow, otpChallenges, otpSends, SENT_SHARES } from "./table";

const eachName = alias(names, "name");
const otpSend = alias(otpSends, "otp_send");
const otpChallenge = alias(otpChallenges, "otp_challenge");

type Sends = { readonly recipient: string; readonly client: string; readonly now: number };

/** The newest sends to the recipient and by the client, and how many of each share there were in a minute. */
export function findSends(orm: Orm, { recipient, client, now }: Sends) {
	const newest = (match: SQL | undefined) =>
		orm
			.select({ sentAt: otpSends.sentAt })
			.from(otpSends)
			.where(and(match, gt(otpSends.sentAt, now - SENDS_KEPT_MS)))
			.orderBy(desc(otpSends.sentAt));
	return {
		toRecipient: newest(eq(otpSends.recipient, recipient)).limit(10),
		byClient: newest(eq(otpSends.client, client)).limit(30),
		shares: orm
			.select({ sends: count(), oldest: min(otpSends.sentAt) })
			.from(otpSends)
			.where(and(inArray(otpSends.share, SENT_SHARES), gt(otpSends.sentAt, now - MINUTE_MS)))
			.groupBy(otpSends.share),
	};
}

type Send = Omit<typeof otpSends.$inferSelect, "share">;
type Budget = { readonly recipientCaps: readonly Cap[]; readonly perMinute: number };

/**
 * Counts a send while the caps allow it. That of a signed-in user needs a part of the minute's budget; that of a stranger is counted
 * in any case, as WITHHELD once the shares of strangers are spent. `phone`: the directory's name of the number.
 */
export function insertSend(
	orm: Orm,
	{ id, recipient, client, sentAt }: Send,
	{ recipientCaps, perMinute }: Budget,
	phone?: NameValue,
): Effect {
	const sent = (share: (typeof SENT_SHARES)[number]) =>
		sql`(select count(*) from ${otpSends} ${otpSend} where ${otpSend.share} = ${share} and ${otpSend.sentAt} > ${sentAt - MINUTE_MS})`;
	const left = sql`${sql.join(SENT_SHARES.map(sent), sql` + `)} < ${perMinute}`;
	const shares = sharesOf(perMinute);
	const isKnown = (name: NameValue) =>
		sql`exists (select 1 from ${names} ${eachName} where ${eachName.kind} = 'PHONE' and ${isForm(eachName.value, name)} and ${eachName.reservedFor} is null)`;
	const share =
		phone === undefined
			? sql`'SIGNED_IN'`
			: sql`case when not (${left}) then 'WITHHELD'
				when ${sent("PUBLIC")} < ${shares.PUBLIC} then 'PUBLIC'
				when ${sent("KNOWN")} < ${shares.KNOWN} and ${isKnown(phone)} then 'KNOWN' else 'WITHHELD' end`;
	const under = (match: SQL, { sends, withinMs }: Cap) =>
		sql`(select count(*) from ${otpSends} ${otpSend} where ${match} and ${otpSend.sentAt} > ${sentAt - withinMs}) < ${sends}`;
	const caps = [
		...recipientCaps.map((cap) => under(eq(otpSend.recipient, recipient), cap)),
		...CLIENT_CAPS.map((cap) => under(eq(otpSend.client, client), cap)),
		...(phone === undefined ? [left] : []),
	];
	const counted = guarded(
		orm.run(sql`insert into ${otpSends} (${bareList(otpSends.id, otpSends.recipient, otpSends.client, otpSends.sentAt, otpSends.share)})
			select ${id}, ${recipient}, ${client}, ${sentAt}, ${share} where ${sql.join(caps, sql` and `)}`),
	);
	return { ...counted, mark: { table: otpSends, id } };
}

/** Whether nothing is sent for the send, as SQL. */
export const isWithheld = (id: string): SQL =>
	sql`((select ${otpSend.share} from ${otpSends} ${otpSend} where ${otpSend.id} = ${id}) = 'WITHHELD')`;

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

/**
 * Counts a try, if one is left of the challenge and of the subject. Returns the challenge, or no row; a used one only if it was used
 * after `usedAfter`.
 */
export function spendTry(orm: Orm, id: string, bound: Bound, { now, usedAfter }: { now: number; usedAfter: number }) {
	// The subject of a challenge that anybody may start is its number.
	const { most, withinMs } = bound.subject === undefined ? GUESSES_OF_STRANGERS : GUESSES;
	// The try with the right code does not count as a guess.
	const isLeft = sql`(select coalesce(sum(${otpChallenge.tries} - (${otpChallenge.consumedAt} is not null)), 0) from ${otpChallenges} ${otpChallenge}
			where ${otpChallenge.subject} = ${otpChallenges.subject} and ${otpChallenge.createdAt} > ${now - withinMs}) < ${most}`;
	return orm
		.update(otpChallenges)
		.set({ tries: sql`${otpChallenges.tries} + 1` })
		.where(
			and(
				isBound(id, bound),
				or(isNull(otpChallenges.consumedAt), gt(otpChallenges.consumedAt, usedAfter)),
				gt(otpChallenges.expiresAt, now),
				lt(otpChallenges.tries, MAX_TRIES),
				isLeft,
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
