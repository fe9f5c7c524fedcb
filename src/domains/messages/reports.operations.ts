// What providers report of messages that they took. A report sends nothing again; the first final one counts.

import * as z from "zod";
import type { Write } from "../../db/database";
import { first } from "../../db/reads";
import { atCodedAddress, Code, noSuchAddress } from "../../http/callers/coded-address";
import { operation } from "../../http/operation";
import { AFRICASTALKING, isCodeForMessage, isCodeForProvider, TWILIO } from "../../providers/message-reports";
import type { Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { countIf, findMessage, findOfProvider, isUnanswered, isUnreported, recordDelivery } from "./store";
import type { DELIVERIES, MessageRow } from "./table";

const BY_TWILIO: Readonly<Record<string, Delivery>> = { delivered: "DELIVERED", undelivered: "FAILED", failed: "FAILED" };

const reports = {
	method: "POST",
	...atCodedAddress,
	form: true,
	response: null,
} as const;

export const reportTwilioMessage = operation({
	...reports,
	id: "reportTwilioMessage",
	path: "/v1/integrations/messages/twilio/{messageId}/{code}",
	summary: "Report what became of an SMS: Twilio, at the address that it was given",
	description: "`delivered`, `undelivered` and `failed` are recorded once; other statuses change nothing.",
	home: ({ path }) => path.messageId,
	request: {
		path: z.object({ messageId: z.uuid().toLowerCase(), code: Code }),
		body: z
			.looseObject({ MessageSid: z.string().max(100), MessageStatus: z.string().max(100) })
			.meta({ id: "TwilioMessageReport", examples: [{ MessageSid: `SM${"0a".repeat(16)}`, MessageStatus: "delivered" }] }),
	},
	async handle({ path: { messageId, code }, body }, services) {
		if (!(await isCodeForMessage(services.config.keyring, TWILIO, messageId, code))) throw noSuchAddress();
		const row = await services.db.read(first(findMessage(services.db.orm, messageId)));
		if (!row) throw new ApiError("NOT_FOUND");
		const delivery = BY_TWILIO[body.MessageStatus];
		if (!delivery) return undefined;
		const report = { delivery, provider: TWILIO, providerMessageId: body.MessageSid };
		return services.commit(isOf(row, report) ? recordReport(services, row, report) : [], undefined);
	},
});

/**
 * A report may come before the answer to the sending. That a message was delivered counts also when another provider has been asked since.
 */
function isOf(row: MessageRow, { delivery, provider, providerMessageId }: Report): boolean {
	if (row.status === "PENDING" && delivery === "DELIVERED") return true;
	return (row.provider ?? provider) === provider && (row.providerMessageId ?? providerMessageId) === providerMessageId;
}

const BY_AFRICASTALKING: Readonly<Record<string, Delivery>> = { Success: "DELIVERED", Failed: "FAILED", Rejected: "FAILED" };

export const reportAfricasTalkingMessage = operation({
	...reports,
	id: "reportAfricasTalkingMessage",
	path: "/v1/integrations/messages/africastalking/{code}",
	summary: "Report what became of an SMS: Africa's Talking, at the address that its dashboard has",
	description:
		"`Success`, `Failed` and `Rejected` are recorded once; other statuses change nothing. `getMessageStatistics` returns the address.",
	home: "everywhere",
	request: {
		path: z.object({ code: Code }),
		body: z
			.looseObject({ id: z.string().min(1).max(100), status: z.string().max(100) })
			.meta({ id: "AfricasTalkingMessageReport", examples: [{ id: "ATXid_0a1b2c", status: "Success", phoneNumber: "+254711000111" }] }),
	},
	async handle({ path: { code }, body: { id, status } }, services) {
		if (!(await isCodeForProvider(services.config.keyring, AFRICASTALKING, code))) throw noSuchAddress();
		const delivery = BY_AFRICASTALKING[status];
		if (!delivery) return undefined;
		// The id says nothing of the database that has the message.
		await Promise.all(
			services.everywhere().map(async (there) => {
				const row = await there.db.read(first(findOfProvider(there.db.orm, AFRICASTALKING, id)));
				if (row) await there.commitRegardless(recordReport(there, row, { delivery, provider: AFRICASTALKING, providerMessageId: id }));
			}),
		);
		return undefined;
	},
});

type Delivery = (typeof DELIVERIES)[number];
type Report = { readonly delivery: Delivery; readonly provider: string; readonly providerMessageId: string };

/** Only the first time. A message whose sending had no answer has been sent, if it was delivered: by the provider that says so. */
function recordReport({ db: { orm }, now }: Services, row: MessageRow, { delivery, ...by }: Report): Write[] {
	const counts = { provider: by.provider, currency: row.costCurrency };
	const outcome = delivery === "DELIVERED" ? { delivered: 1 } : { failed: 1 };
	const reported = { delivery, reportedAt: now };
	const recorded = [countIf(orm, row, counts, outcome, isUnreported), recordDelivery(orm, row.id, reported, isUnreported)];
	if (row.status !== "PENDING" || delivery === "FAILED") return recorded;
	const ended = { ...reported, ...by, status: "SENT" as const, sealed: null, nextAttemptAt: null };
	// If the answer has come since the message was read, only the report is recorded.
	return [countIf(orm, row, counts, { ...outcome, sent: 1 }, isUnanswered), recordDelivery(orm, row.id, ended, isUnanswered), ...recorded];
}
