// Mail by Resend, which sends a message with the same key once within 24 hours.

import * as z from "zod";
import type { Ask } from "../../runtime/ports";
import { answerOf, type MessageCarrier, refusalBy } from "../message-carrier";

export const RESEND = "resend";

type Settings = { readonly from: string; readonly subject: string };

const URL = "https://api.resend.com/emails";
const Answer = z.object({ id: z.string() });

export function resend({ from, subject }: Settings, apiKey: string, ask: Ask): MessageCarrier {
	return {
		provider: RESEND,
		carries: ({ channel }) => channel === "EMAIL",
		async carry({ id, recipient, text }) {
			const headers = { Authorization: `Bearer ${apiKey}`, "Idempotency-Key": id };
			const answer = await answerOf(ask, URL, headers, JSON.stringify({ from, to: [recipient], subject, text }));
			if (!answer) return { outcome: "UNKNOWN" };
			// The attempt before is still under way.
			if (answer.status === 409) return { outcome: "UNKNOWN" };
			if (answer.status === 422) return { outcome: "REFUSED" };
			if (answer.status >= 300) return refusalBy(answer.status);
			const { success, data } = Answer.safeParse(answer.body);
			return success ? { outcome: "TAKEN", reference: data.id, cost: null } : { outcome: "UNKNOWN" };
		},
	};
}
