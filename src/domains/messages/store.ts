// Queues a message in the commit of the change that it reports, and sends due messages. A sender claims a message before each
// attempt, so that no other sends it at the same time; if a sender crashes, its claim expires after 30 seconds.

import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { ALWAYS } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import type { MessageSender, SendOutcome } from "../../runtime/ports";
import type { JobServices, Services } from "../../runtime/services";
import { tooManyRequests } from "../../shared/errors";
import { DAY_MS, MINUTE_MS } from "../../shared/time";
import { isMandatory, type MandatoryCategory, type NotificationCategory } from "../notifications/policy";
import { isWanted } from "../notifications/store";
import { type Channel, type MessageRow, messages } from "./table";

export type Content = { text: string; otp_code?: string; token?: string };
type NewMessage = { channel: Channel; recipient: string; purpose: string; content: Content; expiresAt: number } & (
	| {
			/** null: belongs to no category, because somebody asked for this very message. */
			category: MandatoryCategory | null;
	  }
	/** A category that users can switch off: the message needs a user, and is sent only if they want it. */
	| { category: Exclude<NotificationCategory, MandatoryCategory>; userId: string }
);

const CLAIM_MS = 30_000;
const BACKOFF_MS = [5_000, 15_000, 45_000, 135_000] as const;
const LAST_BACKOFF_MS = 300_000;
/** As many connections as a Worker may have open at a time: a request that waits for a connection uses up its timeout. */
const BATCH = 6;

type Gateway = Extract<MessageSender, { kind: "gateway" }>;

/**
 * What the whole service may still send this minute. Read `statement` with the operation's own, pass its rows to `check`, and
 * add `left` to the condition of the write that counts the send.
 */
export function messageBudget({ db, now, config: { MESSAGE_BUDGET_PER_MINUTE: budget } }: Services) {
	const recent = db.orm
		.select({ createdAt: messages.createdAt })
		.from(messages)
		.where(gt(messages.createdAt, now - MINUTE_MS))
		.orderBy(desc(messages.createdAt));
	return {
		// The oldest message of a full budget: the budget is used up until this one is a minute old.
		statement: recent.limit(1).offset(budget - 1),
		left: sql`(select count(*) from (select 1 from ${messages} m where m.created_at > ${now - MINUTE_MS} limit ${budget})) < ${budget}`,
		/** Throws TOO_MANY_REQUESTS with the time to wait when the budget is used up. */
		check([last]: readonly { createdAt: number }[]): void {
			if (last) throw tooManyRequests((last.createdAt + MINUTE_MS - now) / 1000);
		},
	};
}

/**
 * The write of a message, which is sent after the commit. A message of a category that users can switch off is only written if the
 * user wants it at that moment; it belongs in a commit in the user's home.
 */
export async function queueMessage(services: Services, message: NewMessage): Promise<Effect> {
	const { db, now, config } = services;
	const id = services.newId();
	const kept = services.providers.messageSender.kind === "mailbox";
	const { channel, recipient, purpose, expiresAt, category } = message;
	const sealed = await config.keyring.seal("message", id, JSON.stringify(message.content));
	const [status, nextAttemptAt] = kept ? ["KEPT", null] : ["PENDING", now];
	return {
		statements: [
			db.orm.run(sql`
				insert into ${messages} (id, channel, recipient, purpose, category, status, sealed, attempts, next_attempt_at, expires_at, created_at)
				select ${id}, ${channel}, ${recipient}, ${purpose}, ${category}, ${status}, ${sealed}, 0, ${nextAttemptAt}, ${expiresAt}, ${now}
				where ${wanted(services, message)}`),
		],
		committed: () => {
			if (!kept) services.afterwards((job) => sendMessages(job, id));
		},
	};
}

/** Whether the recipient wants the message, as SQL. */
function wanted(services: Services, message: NewMessage): SQL {
	if (!("userId" in message)) return ALWAYS;
	const { userId, category, channel } = message;
	if (services.at(userId).db !== services.db) throw new Error("a message is queued in another database than its user's");
	return isMandatory(category) ? ALWAYS : isWanted(userId, category, channel);
}

export async function openContent({ config }: Services, { id, sealed }: Pick<MessageRow, "id" | "sealed">): Promise<Content | undefined> {
	const text = sealed === null ? undefined : await config.keyring.open("message", id, sealed);
	return text === undefined ? undefined : (JSON.parse(text) as Content);
}

/** Claims up to six due messages. Moving `nextAttemptAt` into the future keeps other senders off them. */
export const claimDue = (orm: Orm, now: number, only?: string) =>
	orm
		.update(messages)
		.set({ attempts: sql`attempts + 1`, nextAttemptAt: now + CLAIM_MS })
		.where(
			sql`${messages.id} in (select m.id from ${messages} m where m.status = 'PENDING' and m.next_attempt_at <= ${now}
				${only === undefined ? sql`` : sql`and m.id = ${only}`} order by m.next_attempt_at limit ${BATCH})`,
		)
		.returning();

/** Sends the due messages that have waited longest, or only the given one. Returns whether more may be waiting. May run concurrently. */
export async function sendMessages(services: JobServices, only?: string): Promise<boolean> {
	const { db, now, providers } = services;
	const sender = providers.messageSender;
	if (sender.kind === "mailbox") return false;
	const [claimed] = await db.commit([claimDue(db.orm, now, only)]);
	const outcomes = await Promise.all(claimed.map(async (row) => ({ row, outcome: await attempt(services, row, sender) })));
	await services.commit(outcomes.map(({ row, outcome }) => recordOutcome(services, row, outcome)));
	return claimed.length === BATCH;
}

async function attempt(services: Services, row: MessageRow, sender: Gateway): Promise<SendOutcome | "EXPIRED"> {
	if (row.expiresAt <= services.now) return "EXPIRED";
	const content = await openContent(services, row);
	if (!content) return "REFUSED";
	const { id, channel, recipient, purpose } = row;
	return sender.send({ id, channel, recipient, purpose, text: content.text });
}

function recordOutcome({ db, now, log }: Services, row: MessageRow, outcome: SendOutcome | "EXPIRED") {
	const next = now + (BACKOFF_MS[row.attempts - 1] ?? LAST_BACKOFF_MS);
	const late = outcome === "FAILED" && next >= row.expiresAt;
	if (outcome !== "SENT") log.info("message not sent", { message_id: row.id, outcome, attempts: row.attempts });
	const change =
		outcome === "FAILED" && !late
			? { nextAttemptAt: next }
			: { status: outcome === "FAILED" ? ("EXPIRED" as const) : outcome, sealed: null, nextAttemptAt: null };
	return db.orm
		.update(messages)
		.set(change)
		.where(and(eq(messages.id, row.id), eq(messages.status, "PENDING"), eq(messages.attempts, row.attempts)));
}

/** Messages older than 30 days. */
export const expiredMessages = (orm: Orm, now: number): Expired =>
	expired(orm, messages, { key: [messages.id], by: messages.createdAt, before: now - 30 * DAY_MS });
