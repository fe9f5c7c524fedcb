// Lists the messages in the development mailbox, with which sandbox tests read what a phone or inbox would receive.

import { and, eq, getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation, byIdAlone } from "../../db/keyset";
import { operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { toTimestamp } from "../../shared/time";
import { openContent, textOf } from "./content.plan";
import { CHANNELS, messages } from "./table";

const Message = z
	.object({
		id: z.uuid(),
		channel: z.enum(CHANNELS),
		recipient: z.string(),
		purpose: z.string(),
		text: z.string().nullable().meta({ description: "null once erased" }),
		otp_code: z.string().nullable(),
		token: z.string().nullable(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "SandboxMessage" });

export const listMessages = operation({
	id: "listMessages",
	method: "GET",
	path: "/v1/sandbox/messages",
	summary: "Messages in the sandbox mailbox, newest first",
	access: operator,
	home: "everywhere",
	only: ["local", "sandbox"],
	request: {
		query: z.object({
			...paging,
			recipient: z
				.string()
				.min(1)
				.max(254)
				// An unescaped plus sign arrives as a space.
				.transform((text) => text.replace(/^ (?=\d)/, "+"))
				.optional()
				.meta({ description: "E.164 number or email address" }),
		}),
	},
	response: z.object({ data: z.array(Message), links: Links }),
	async handle({ query: { recipient, ...page } }, services) {
		const { rows, next, prev } = await readPage(services, page, {
			list: "messages",
			owner: "sandbox",
			filters: { recipient },
			everywhere: true,
			select: (orm) =>
				orm
					.select({ ...getTableColumns(messages), reader: services.lenders.readerOf(messages.userId).as("reader") })
					.from(messages)
					.$dynamic(),
			key: recipient === undefined ? byIdAlone(messages) : byCreation(messages),
			// The plus sign keeps the recipient's index in use.
			where:
				recipient === undefined ? eq(messages.withheld, false) : and(eq(messages.recipient, recipient), sql`+${messages.withheld} = 0`),
		});
		const opened = await Promise.all(rows.map(async (row) => ({ row, content: await openContent(services, row) })));
		return listReply(services, { rows: opened, next, prev }, ({ row, content }) => ({
			id: row.id,
			channel: row.channel,
			recipient: row.recipient,
			purpose: row.purpose,
			text: content ? textOf(content, row.reader) : null,
			otp_code: content?.otp_code ?? null,
			token: content?.token ?? null,
			created_at: toTimestamp(row.createdAt),
		}));
	},
});
