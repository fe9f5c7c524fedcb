// Queues a message in the commit of the change that it reports. It is sent after that commit.

import { type SQL, sql } from "drizzle-orm";
import type { Effect } from "../../db/database";
import { ALWAYS } from "../../db/prebuilt";
import type { Services } from "../../runtime/services";
import { tooManyRequests } from "../../shared/errors";
import { MINUTE_MS } from "../../shared/time";
import type { Content } from "./content.plan";
import { sendMessages } from "./job";
import { isMandatory, type MandatoryCategory, type NotificationCategory } from "./preferences/policy";
import { isWanted } from "./preferences/store";
import { type Address, addressed, findLastOfBudget, insertMessage, isLeftOf } from "./store";

/** The condition of messages that are sent. */
const SENT = sql`0`;

type NewMessage = { address: Address; purpose: string; content: Content; expiresAt: number } & (
	| {
			/** null: belongs to no category, because somebody asked for this very message. */
			category: MandatoryCategory | null;
			/** Whose language it is in, and whose lender it names. */
			userId?: string | undefined;
	  }
	/** A category that users can switch off: the message needs a user, and is sent only if they want it. */
	| { category: Exclude<NotificationCategory, MandatoryCategory>; userId: string }
);

/**
 * What the whole service may still send this minute of what somebody asked for. Read `statement` with the operation's own, pass its rows to `check`, and
 * add `left` to the condition of the write that counts the send.
 */
export function messageBudget({ db, now, config: { MESSAGE_BUDGET_PER_MINUTE: budget } }: Services) {
	return {
		// The oldest message of a full budget: the budget is used up until this one is a minute old.
		statement: findLastOfBudget(db.orm, budget, now),
		left: isLeftOf(budget, now),
		/** Throws TOO_MANY_REQUESTS with the time to wait when the budget is used up. */
		check([last]: readonly { createdAt: number }[]): void {
			if (last) throw tooManyRequests((last.createdAt + MINUTE_MS - now) / 1000);
		},
	};
}

/**
 * The write of a message, which is sent after the commit. A message of a category that users can switch off is only written if the
 * user wants it at that moment; it belongs in a commit in the user's home. `withheld`, as SQL: whether it is only stored and never sent.
 */
export async function queueMessage(services: Services, message: NewMessage, withheld: SQL = SENT): Promise<Effect> {
	const { now, config } = services;
	const id = services.newId();
	const kept = services.providers.messageSender.kind === "mailbox";
	const { address, purpose, expiresAt, category, userId = null } = message;
	const sealed = await config.keyring.seal("message", id, JSON.stringify(message.content));
	const row = { id, address, purpose, category, userId, sealed, expiresAt, createdAt: now, cause: services.requestId };
	const due = kept ? { status: "KEPT" as const, nextAttemptAt: null } : { status: "PENDING" as const, nextAttemptAt: now };
	return {
		statements: [insertMessage({ ...row, ...due }, { condition: wanted(services, message), withheld })],
		committed: () => {
			if (!kept) services.afterwards((job) => sendMessages(job, id));
		},
	};
}

/** Whether the recipient wants the message, as SQL. */
function wanted(services: Services, message: NewMessage): SQL {
	const { userId, category } = message;
	if (userId === undefined) return ALWAYS;
	if (services.at(userId).db !== services.db) throw new Error("a message is queued in another database than its user's");
	return category === null || isMandatory(category) ? ALWAYS : isWanted(userId, category, addressed);
}
