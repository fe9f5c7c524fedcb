// The message senders: the sandbox's mailbox, and the operator's own gateway over HTTP.

import type { Config } from "../runtime/config";
import type { Fetch, MessageSender } from "../runtime/ports";

const TIMEOUT_MS = 5_000;

/** Statuses that refuse the service's credentials, or are temporary: the gateway may accept the same message later. */
const PASSING_REFUSALS: readonly number[] = [401, 403, 408, 425, 429];

export function messageSenderBy(
	{ MESSAGE_SENDER, MESSAGE_SENDER_URL: url, MESSAGE_SENDER_TOKEN: token }: Config,
	fetch: Fetch,
): MessageSender {
	if (MESSAGE_SENDER === "outbox") return { kind: "mailbox" };
	return {
		kind: "gateway",
		configured: url !== undefined,
		async send(message) {
			if (url === undefined) return "FAILED";
			try {
				const response = await fetch(url, {
					method: "POST",
					headers: {
						"Content-Type": "application/json",
						// By this the gateway recognizes a repeated message.
						"Idempotency-Key": message.id,
						...(token !== undefined && { Authorization: `Bearer ${token}` }),
					},
					body: JSON.stringify(message),
					redirect: "manual",
					signal: AbortSignal.timeout(TIMEOUT_MS),
				});
				await response.body?.cancel();
				if (response.ok) return "SENT";
				const refused = response.status >= 400 && response.status < 500 && !PASSING_REFUSALS.includes(response.status);
				return refused ? "REFUSED" : "FAILED";
			} catch {
				return "FAILED";
			}
		},
	};
}
