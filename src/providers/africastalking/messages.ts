// SMS by Africa's Talking. Codes and members: its documentation of bulk SMS, and programs that use it.

import * as z from "zod";
import type { Ask, MessageCost } from "../../runtime/ports";
import { answerOf, type Carried, type MessageCarrier, refusalBy } from "../message-carrier";
import { AFRICASTALKING } from "../message-reports";

/** Its accounts for tests all have this name, and a host of their own. */
const SANDBOX = "sandbox";

type Settings = {
	readonly username: string;
	readonly sender_id: string;
	/** The beginnings of the numbers that it serves, such as 254; without it all. */
	readonly countries?: readonly string[] | undefined;
};

const Answer = z.object({
	SMSMessageData: z.object({
		Recipients: z.array(z.object({ statusCode: z.int(), messageId: z.string().optional(), cost: z.string().optional() })),
	}),
});

/** Processed, sent, queued. */
const TAKEN: readonly number[] = [100, 101, 102];
/** No number, a kind of number that gets none, and somebody who wants none. */
const REFUSED: readonly number[] = [403, 404, 406];
/** Held back for the risk: it may be sent later. */
const HELD = 401;

export function africasTalking({ username, sender_id, countries }: Settings, apiKey: string, ask: Ask): MessageCarrier {
	const url = `https://api.${username === SANDBOX ? "sandbox." : ""}africastalking.com/version1/messaging`;
	return {
		provider: AFRICASTALKING,
		carries: ({ channel, recipient }) => channel === "SMS" && (countries?.some((country) => recipient.startsWith(`+${country}`)) ?? true),
		async carry({ recipient, text }) {
			const body = new URLSearchParams({ username, to: recipient, message: text, from: sender_id });
			const answer = await answerOf(ask, url, { apiKey }, body);
			if (!answer) return { outcome: "UNKNOWN" };
			if (answer.status >= 300) return refusalBy(answer.status);
			return carriedBy(answer.body);
		},
	};
}

function carriedBy(body: unknown): Carried {
	const { success, data } = Answer.safeParse(body);
	if (!success) return { outcome: "UNKNOWN" };
	const [recipient] = data.SMSMessageData.Recipients;
	// It names nobody when it refuses the sender's name.
	if (!recipient) return { outcome: "NOT_TAKEN" };
	const { statusCode, messageId, cost } = recipient;
	if (TAKEN.includes(statusCode)) return { outcome: "TAKEN", reference: messageId ?? null, cost: costIn(cost ?? "") };
	if (REFUSED.includes(statusCode)) return { outcome: "REFUSED" };
	return { outcome: statusCode === HELD ? "UNKNOWN" : "NOT_TAKEN" };
}

/** `KES 0.8000` */
function costIn(text: string): MessageCost | null {
	const [, currency, whole = "", part = ""] = /^([A-Z]{3}) (\d{1,6})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
	return currency === undefined ? null : { currency, amount: Number(whole + part.padEnd(4, "0")) };
}
