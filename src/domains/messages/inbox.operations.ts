// The messages to a user, for an app to show.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { userOnWaitingList } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, openPage, paging } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { openContent, textOf } from "./content.plan";
import { countUnread, findInboxMessage, findReader, MOST_COUNTED, MOST_MARKED, markRead } from "./inbox.store";
import { inbox } from "./inbox.table";
import { NOTIFICATION_CATEGORIES } from "./preferences/policy";

const InboxMessage = z
	.object({
		id: z.uuid(),
		category: z.enum(NOTIFICATION_CATEGORIES),
		text: z.string().nullable().meta({ description: "null once the key is gone that it was encrypted with" }),
		read_at: z.iso.datetime().nullable(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "InboxMessage" });

export const listMyMessages = operation({
	id: "listMyMessages",
	method: "GET",
	path: "/v1/me/messages",
	summary: "List the messages to the signed-in user, newest first",
	description: "Kept for 180 days. One-time passwords are never among them.",
	access: userOnWaitingList,
	request: { query: z.object(paging) },
	response: z.object({
		data: z.array(InboxMessage),
		unread: z.int().meta({ description: `How many are unread, counted up to ${MOST_COUNTED}` }),
		links: Links,
	}),
	async handle({ query, caller: { userId } }, services) {
		const { db } = services;
		const { statement, page } = await openPage(services, query, {
			list: "inbox",
			owner: userId,
			filters: {},
			select: rowsOf(inbox),
			key: byCreation(inbox),
			where: eq(inbox.userId, userId),
		});
		const { rows, counted, reader } = await db.read({
			rows: statement,
			counted: first(countUnread(db.orm, userId)),
			reader: first(findReader(services, userId)),
		});
		const { rows: shown, ...neighbours } = await page(rows);
		const opened = await Promise.all(shown.map(async (row) => ({ row, content: await openContent(services, row) })));
		const toMessage = ({ row, content }: (typeof opened)[number]) => ({
			id: row.id,
			category: row.category,
			text: content ? textOf(content, reader?.reader ?? null) : null,
			read_at: row.readAt === null ? null : toTimestamp(row.readAt),
			created_at: toTimestamp(row.createdAt),
		});
		return listReply(services, { rows: opened, ...neighbours }, toMessage, { unread: counted?.unread ?? 0 });
	},
});

export const readMyMessages = operation({
	id: "readMyMessages",
	method: "POST",
	path: "/v1/me/messages/read",
	summary: "Mark a message and those before it as read",
	description: `The newest ${MOST_MARKED} that are unread: while some are left, another call marks more.`,
	access: userOnWaitingList,
	request: { body: z.object({ through: z.uuid().toLowerCase().meta({ description: "The id of the last message that was read" }) }) },
	response: null,
	errors: ["NOT_FOUND"],
	async handle({ body: { through }, caller: { userId } }, services) {
		const { db, now } = services;
		const last = await db.read(first(findInboxMessage(db.orm, through, userId)));
		if (!last) throw new ApiError("NOT_FOUND", { description: "There is no such message" });
		return services.commit([markRead(db.orm, userId, last, now)], undefined);
	},
});
