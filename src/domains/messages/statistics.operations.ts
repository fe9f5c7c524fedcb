// How many messages each provider took, delivered and charged for, day by day.

import * as z from "zod";
import { operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { AFRICASTALKING, addressForProvider } from "../../providers/message-reports";
import { badInput } from "../../shared/errors";
import { addDays } from "../../shared/time";
import { findDays } from "./store";
import type { messageDays } from "./table";

/** Days of one answer. */
const MOST_DAYS = 92;

const MessageDay = z
	.object({
		day: z.iso.date().meta({ description: "On which the messages were ordered (UTC)" }),
		provider: z.string(),
		sent: z.int().meta({ description: "That the provider took" }),
		delivered: z.int().meta({ description: "Of these, that it reports as delivered" }),
		failed: z.int().meta({ description: "Of these, that it reports as not delivered" }),
		cost: z.string().nullable().meta({ description: "In units of the currency, such as 12.8000; null where the provider does not say" }),
		currency: z.string().nullable(),
	})
	.meta({ id: "MessageDay" });

export const getMessageStatistics = operation({
	id: "getMessageStatistics",
	method: "GET",
	path: "/v1/platform/messages/statistics",
	summary: "Messages sent, delivered and paid for, by provider and day, newest first",
	description: `Only with \`MESSAGE_SENDER=list\`. At most ${MOST_DAYS} days.`,
	access: operator,
	home: "everywhere",
	request: { query: z.object({ from: z.iso.date(), to: z.iso.date() }) },
	response: z.object({
		data: z.array(MessageDay),
		reports_to: z
			.object({
				africastalking: z
					.url()
					.nullable()
					.meta({ description: "The address for its dashboard's delivery reports; null where it is not used" }),
			})
			.meta({ description: "Addresses that you must enter at the providers. Each is a secret" }),
	}),
	async handle({ query: { from, to } }, services) {
		if (to < from || to > addDays(from, MOST_DAYS - 1))
			throw badInput("query.to", `must be within ${MOST_DAYS} days from the first`, "OUT_OF_RANGE");
		const found = await Promise.all(services.everywhere().map(({ db }) => db.read(findDays(db.orm, from, to))));
		const days = new Map<string, typeof messageDays.$inferSelect>();
		for (const row of found.flat()) {
			const key = `${row.day} ${row.provider} ${row.currency}`;
			const sum = days.get(key);
			days.set(key, sum ? added(sum, row) : row);
		}
		const { config, baseUrl } = services;
		const isUsed = config.MESSAGE_SENDERS.some(({ provider }) => provider === AFRICASTALKING);
		return {
			data: [...days]
				.sort(([a], [b]) => (a < b ? 1 : -1))
				.map(([, { cost, currency, ...row }]) => ({
					...row,
					cost: currency === "" ? null : (cost / 10_000).toFixed(4),
					currency: currency || null,
				})),
			reports_to: { africastalking: isUsed ? await addressForProvider({ keyring: config.keyring, baseUrl }, AFRICASTALKING) : null },
		};
	},
});

type Day = typeof messageDays.$inferSelect;

const added = (a: Day, b: Day): Day => ({
	...a,
	sent: a.sent + b.sent,
	delivered: a.delivered + b.delivered,
	failed: a.failed + b.failed,
	cost: a.cost + b.cost,
});
