// SMS by Twilio. It knows no repetition: what it may have taken is sent again only by the next in the list, after a wait.

import * as z from "zod";
import type { Ask } from "../../runtime/ports";
import { answerOf, type MessageCarrier, refusalBy } from "../message-carrier";
import { TWILIO } from "../message-reports";

/** `reportsTo`: the address for reports of a message; undefined where the service has no public one. */
type Outside = { readonly ask: Ask; readonly reportsTo: (messageId: string) => Promise<string | undefined> };
type Settings = { readonly account_sid: string; readonly messaging_service_sid: string };

const Answer = z.object({ sid: z.string() });
const Refusal = z.object({ code: z.int() });

/** No number, somebody who wants none, and a number that gets no SMS. */
const REFUSED: readonly number[] = [21211, 21610, 21614];

export function twilio({ account_sid, messaging_service_sid }: Settings, token: string, { ask, reportsTo }: Outside): MessageCarrier {
	const url = `https://api.twilio.com/2010-04-01/Accounts/${account_sid}/Messages.json`;
	return {
		provider: TWILIO,
		carries: ({ channel }) => channel === "SMS",
		async carry({ id, recipient, text }) {
			const body = new URLSearchParams({ To: recipient, MessagingServiceSid: messaging_service_sid, Body: text });
			const address = await reportsTo(id);
			if (address !== undefined) body.set("StatusCallback", address);
			const answer = await answerOf(ask, url, { Authorization: `Basic ${btoa(`${account_sid}:${token}`)}` }, body);
			if (!answer) return { outcome: "UNKNOWN" };
			if (answer.status < 300) {
				const { success, data } = Answer.safeParse(answer.body);
				// Its cost is known only later.
				return success ? { outcome: "TAKEN", reference: data.sid, cost: null } : { outcome: "UNKNOWN" };
			}
			const { data } = Refusal.safeParse(answer.body);
			return data && REFUSED.includes(data.code) ? { outcome: "REFUSED" } : refusalBy(answer.status);
		},
	};
}
