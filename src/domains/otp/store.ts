// One-time passwords: issue, resend, try. A try is counted atomically before the code is compared, so concurrent guesses
// never exceed the allowed tries. A send is counted before its message is queued, in the same commit where
// one database holds both.

import { and, desc, eq, gt, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Effect, Orm, Statement, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Reserve } from "../../db/names";
import { DIRECTORY_HOME } from "../../db/places";
import { ALWAYS } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import type { Elsewhere, Services } from "../../runtime/services";
import { ApiError, badInput, tooManyRequests } from "../../shared/errors";
import { HOUR_MS, MINUTE_MS } from "../../shared/time";
import { messageBudget, queueMessage } from "../messages/store";
import type { Channel } from "../messages/table";
import {
	type Cap,
	CLIENT_CAPS,
	CODE_TTL_MS,
	codeFrom,
	MAX_TRIES,
	MAX_TRIES_PER_HOUR,
	RECIPIENT_CAPS,
	RESEND_AFTER_MS,
	refusalOf,
	SENDS_KEPT_MS,
	siteOf,
	waitForSend,
} from "./policy";
import { type ChallengeRow, otpChallenges, otpSends } from "./table";

/** What a code is valid for: this purpose, subject and resource only. */
export type Binding = { purpose: string; subject: string; resource: string };
export type Destination = { channel: Channel; recipient: string };

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

/**
 * The caps on sends to a recipient, from the client, and of the whole service in a minute. The directory counts the sends of all homes,
 * so that a number gets no more of them by being asked for in several. Throws TOO_MANY_REQUESTS with the time to wait when a cap is
 * reached, SERVICE_UNAVAILABLE when no sender is configured. Pass the result on to `issueCode` or `resendCode`, whose `reserve` counts
 * the send and enforces the caps again.
 */
export async function sendCaps(services: Services, recipient: string, recipientCaps: readonly Cap[] = RECIPIENT_CAPS) {
	const { messageSender } = services.providers;
	if (messageSender.kind === "gateway" && !messageSender.configured) throw new ApiError("SERVICE_UNAVAILABLE");
	const { now, config } = services;
	const directory = services.at(DIRECTORY_HOME);
	const client = await config.keyring.tag("otp", `client\n${siteOf(services.clientAddress)}`);
	const budget = messageBudget(directory);
	const most = config.MESSAGE_BUDGET_PER_MINUTE;
	const [toRecipient, byClient, [last], messages] = await directory.db.read(
		...findSends(directory.db.orm, { recipient, client, now, most }),
		budget.statement,
	);
	const times = (rows: readonly { sentAt: number }[]) => rows.map(({ sentAt }) => sentAt);
	const waitMs = Math.max(
		waitForSend(times(toRecipient), recipientCaps, now),
		waitForSend(times(byClient), CLIENT_CAPS, now),
		last ? last.sentAt + MINUTE_MS - now : 0,
	);
	if (waitMs > 0) throw tooManyRequests(waitMs / 1000);
	budget.check(messages);
	return { recipient, recipientCaps, client };
}

export type SendCaps = Awaited<ReturnType<typeof sendCaps>>;

/** Counts the send in the directory, before the commit that queues its message. */
function countSend(services: Services, { recipient, client, recipientCaps }: SendCaps): Reserve {
	const { now, config } = services;
	const directory = services.at(DIRECTORY_HOME);
	const under = (match: SQL, { sends, withinMs }: Cap) =>
		sql`(select count(*) from ${otpSends} s where ${match} and s.sent_at > ${now - withinMs}) < ${sends}`;
	const caps = [
		...recipientCaps.map((cap) => under(sql`s.recipient = ${recipient}`, cap)),
		...CLIENT_CAPS.map((cap) => under(sql`s.client = ${client}`, cap)),
		under(ALWAYS, { sends: config.MESSAGE_BUDGET_PER_MINUTE, withinMs: MINUTE_MS }),
		messageBudget(directory).left,
	];
	const count = guarded(
		directory.db.orm.run(sql`insert into ${otpSends} (id, recipient, client, sent_at)
			select ${directory.newId()}, ${recipient}, ${client}, ${now} where ${sql.join(caps, sql` and `)}`),
	);
	return { names: [], writes: [count] };
}

/** A challenge with what makes it: pass `reserve` to the commit of `writes`. */
export type Issued = { readonly challenge: ChallengeRow; readonly writes: readonly Write[]; readonly reserve: Reserve };

const drawCode = () => codeFrom(() => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
const taggedText = (id: string, purpose: string, code: string) => `${id}\n${purpose}\n${code}`;

async function message(services: Services, { purpose }: Binding, { channel, recipient }: Destination, code: string, expiresAt: number) {
	const text = `${code} is your code. It is valid for ${CODE_TTL_MS / 60_000} minutes. Never share it.`;
	return queueMessage(services, { channel, recipient, purpose, category: "SECURITY", content: { text, otp_code: code }, expiresAt });
}

/** A challenge with a new code: the writes store it and queue the message. */
export async function issueCode(
	services: Services,
	binding: Binding,
	destination: Destination,
	caps: SendCaps,
	id = services.newId(),
): Promise<Issued> {
	const { db, now, config } = services;
	const code = drawCode();
	const challenge: ChallengeRow = {
		...binding,
		id,
		recipient: destination.recipient,
		codeTag: await config.keyring.tag("otp", taggedText(id, binding.purpose, code)),
		tries: 0,
		sentAt: now,
		expiresAt: now + CODE_TTL_MS,
		consumedAt: null,
		createdAt: now,
	};
	const sent = await message(services, binding, destination, code, challenge.expiresAt);
	return { challenge, writes: [db.orm.insert(otpChallenges).values(challenge), sent], reserve: countSend(services, caps) };
}

/** The same challenge with a new code; the tries already used stay used. Throws TOO_MANY_REQUESTS within 30 s of the last send. */
export async function resendCode(services: Services, challenge: ChallengeRow, channel: Channel, caps: SendCaps): Promise<Issued> {
	const { db, now, config } = services;
	const waitMs = challenge.sentAt + RESEND_AFTER_MS - now;
	if (waitMs > 0) throw tooManyRequests(waitMs / 1000);
	if (challenge.tries >= MAX_TRIES) throw tooManyRequests((challenge.expiresAt - now) / 1000);
	const code = drawCode();
	const codeTag = await config.keyring.tag("otp", taggedText(challenge.id, challenge.purpose, code));
	const renewed = { ...challenge, codeTag, sentAt: now, expiresAt: now + CODE_TTL_MS };
	return {
		challenge: renewed,
		reserve: countSend(services, caps),
		writes: [
			guarded(
				db.orm
					.update(otpChallenges)
					.set({ codeTag, sentAt: renewed.sentAt, expiresAt: renewed.expiresAt })
					.where(and(eq(otpChallenges.id, challenge.id), eq(otpChallenges.codeTag, challenge.codeTag), isNull(otpChallenges.consumedAt))),
			),
			await message(services, challenge, { channel, recipient: challenge.recipient }, code, renewed.expiresAt),
		],
	};
}

/** The challenge of the row that this statement selects. */
export const findChallengeOf = (orm: Orm, statement: SQLWrapper) =>
	orm
		.select()
		.from(otpChallenges)
		.where(eq(otpChallenges.id, sql`(select s.challenge_id from (${statement.getSQL()}) s)`));

/**
 * Counts a try, then compares the code. Returns the challenge when the code is right; it stays open until `consumeChallenge`
 * is committed. Throws bad input for a wrong, expired or used code, TOO_MANY_REQUESTS when the tries are used up, and
 * NOT_FOUND when there is no such challenge for this purpose, subject and resource.
 */
export async function tryCode(
	services: Elsewhere,
	id: string,
	binding: Partial<Binding> & { purpose: string },
	code: string,
): Promise<ChallengeRow> {
	const { db, now, config } = services;
	const bound = and(
		eq(otpChallenges.id, id),
		eq(otpChallenges.purpose, binding.purpose),
		binding.subject === undefined ? undefined : eq(otpChallenges.subject, binding.subject),
		binding.resource === undefined ? undefined : eq(otpChallenges.resource, binding.resource),
	);
	// The try with the right code does not count as a guess.
	const guesses = (column: SQL) =>
		sql`(select coalesce(sum(c.tries - (c.consumed_at is not null)), 0) from ${otpChallenges} c
			where c.${column} = ${otpChallenges}.${column} and c.created_at > ${now - HOUR_MS}) < ${MAX_TRIES_PER_HOUR}`;
	const [[spent], [found]] = await services.commitRegardless([
		db.orm
			.update(otpChallenges)
			.set({ tries: sql`tries + 1` })
			.where(
				and(
					bound,
					isNull(otpChallenges.consumedAt),
					gt(otpChallenges.expiresAt, now),
					sql`tries < ${MAX_TRIES}`,
					guesses(sql.raw("recipient")),
					guesses(sql.raw("subject")),
				),
			)
			.returning(),
		db.orm.select().from(otpChallenges).where(bound),
	]);
	if (!found) throw new ApiError("NOT_FOUND");
	if (!spent) {
		if (refusalOf(found, now) === "EXHAUSTED") throw tooManyRequests((found.expiresAt - now) / 1000);
		throw notValid();
	}
	if (!(await config.keyring.verifyTag("otp", taggedText(id, spent.purpose, code), spent.codeTag))) throw notValid();
	return spent;
}

const notValid = () => badInput("otp_code", "is not valid", "NOT_ALLOWED");

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
		.set({ tries: sql`max(tries - 1, 0)` })
		.where(and(eq(otpChallenges.id, id), isNull(otpChallenges.consumedAt)));

/** Sends and challenges that no cap counts any more. */
export const expiredOtp = (orm: Orm, now: number): Expired[] => [
	expired(orm, otpSends, { key: [otpSends.id], by: otpSends.sentAt, before: now - SENDS_KEPT_MS }),
	expired(orm, otpChallenges, { key: [otpChallenges.id], by: otpChallenges.createdAt, before: now - SENDS_KEPT_MS }),
];
