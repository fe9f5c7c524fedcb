// The port to whoever carries messages to people (SMS, mail). `outbox` carries nothing: what it is given stays in D1,
// readable through the sandbox. `http` hands each message to an operator's own gateway, at least once.

import type { Config } from "../runtime/config";

export type OutgoingMessage = { id: string; channel: "SMS" | "EMAIL"; recipient: string; purpose: string; text: string };

/** REFUSED: the gateway will never take it. FAILED: it may, later. */
export type SendOutcome = "SENT" | "REFUSED" | "FAILED";

export interface MessageSender {
	send(message: OutgoingMessage): Promise<SendOutcome>;
}

const TIMEOUT_MS = 5_000;

/** The configured gateway; undefined where messages stay in D1. */
export function messageSender(config: Config): MessageSender | undefined {
	return config.MESSAGE_SENDER === "outbox" ? undefined : gateway(config.MESSAGE_SENDER_URL, config.MESSAGE_SENDER_TOKEN);
}

/** Whether there is anybody to give messages to. */
export const canSend = (config: Config): boolean => config.MESSAGE_SENDER === "outbox" || config.MESSAGE_SENDER_URL !== undefined;

const gateway = (url: string | undefined, token: string | undefined): MessageSender => ({
	async send(message) {
		if (url === undefined) return "FAILED";
		try {
			const response = await fetch(url, {
				method: "POST",
				headers: {
					"Content-Type": "application/json",
					// The gateway can tell a repeated message by it.
					"Idempotency-Key": message.id,
					...(token !== undefined && { Authorization: `Bearer ${token}` }),
				},
				body: JSON.stringify(message),
				redirect: "manual",
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			await response.body?.cancel();
			if (response.ok) return "SENT";
			const refused = response.status >= 400 && response.status < 500 && ![401, 403, 408, 425, 429].includes(response.status);
			return refused ? "REFUSED" : "FAILED";
		} catch {
			return "FAILED";
		}
	},
});
