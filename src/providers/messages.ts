// The message senders: the sandbox's mailbox, the operator's own gateway over HTTP, and a list of providers.

import type { Config } from "../runtime/config";
import { sendersOf } from "../runtime/config.messages";
import type { Ask, MessageSender } from "../runtime/ports";
import { senderBy } from "./messages.list";

const TIMEOUT_MS = 5_000;

/** Statuses that refuse the service's credentials, or are temporary: the gateway may accept the same message later. */
const PASSING_REFUSALS: readonly number[] = [401, 403, 408, 425, 429];

export function messageSenderBy(config: Config, ask: Ask): MessageSender {
	const { MESSAGE_SENDER, MESSAGE_SENDER_URL: url, MESSAGE_SENDER_TOKEN: token } = config;
	if (MESSAGE_SENDER === "outbox") return { kind: "mailbox" };
	if (MESSAGE_SENDER === "list") return senderBy(sendersOf(config), { ask, keyring: config.keyring, baseUrl: config.BASE_URL });
	return {
		kind: "gateway",
		configured: url !== undefined,
		async send({ asked: _, ...message }) {
			if (url === undefined) return { outcome: "FAILED" };
			try {
				const headers = {
					"Content-Type": "application/json",
					// By this the gateway recognizes a repeated message.
					"Idempotency-Key": message.id,
					...(token !== undefined && { Authorization: `Bearer ${token}` }),
				};
				const body = JSON.stringify(message);
				return await ask(url, { method: "POST", headers, body, timeoutMs: TIMEOUT_MS }, async (response) => {
					await response.body?.cancel();
					if (response.ok) return { outcome: "SENT" };
					const refused = response.status >= 400 && response.status < 500 && !PASSING_REFUSALS.includes(response.status);
					return { outcome: refused ? "REFUSED" : "FAILED" };
				});
			} catch {
				return { outcome: "FAILED" };
			}
		},
	};
}
