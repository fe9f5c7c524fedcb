// Several providers of messages, in order. A provider that certainly does not send a message leaves it to the next at once. After a
// provider that may have taken it the next is asked only after the back-off, and the message may arrive twice.

import type { SenderSettings } from "../runtime/config.messages";
import type { Ask, MessageSender, OutgoingMessage, SendResult } from "../runtime/ports";
import type { Keyring } from "../shared/keyring";
import { africasTalking } from "./africastalking/messages";
import type { MessageCarrier } from "./message-carrier";
import { addressForMessage, TWILIO } from "./message-reports";
import { resend } from "./resend/messages";
import { twilio } from "./twilio/messages";

type Outside = { readonly ask: Ask; readonly keyring: Keyring; readonly baseUrl: string | undefined };

export const senderBy = (settings: readonly SenderSettings[], outside: Outside): MessageSender => {
	const carriers = settings.map((one) => carrierOf(one, outside));
	return { kind: "gateway", configured: carriers.length > 0, send: (message) => send(carriers, message) };
};

function carrierOf(settings: SenderSettings, { ask, keyring, baseUrl }: Outside): MessageCarrier {
	switch (settings.provider) {
		case "africastalking":
			return africasTalking(settings, settings.secret, ask);
		case "twilio":
			return twilio(settings, settings.secret, {
				ask,
				reportsTo: async (id) => (baseUrl === undefined ? undefined : addressForMessage({ keyring, baseUrl }, TWILIO, id)),
			});
		case "resend":
			return resend(settings, settings.secret, ask);
	}
}

async function send(all: readonly MessageCarrier[], message: OutgoingMessage): Promise<SendResult> {
	const carriers = all.filter((carrier) => carrier.carries(message));
	// Behind the provider that was asked last and may have taken it.
	const first = carriers.findIndex(({ provider }) => provider === message.asked) + 1;
	for (const carrier of [...carriers.slice(first), ...carriers.slice(0, first)]) {
		const { provider } = carrier;
		const carried = await carrier.carry(message);
		if (carried.outcome === "TAKEN") return { outcome: "SENT", provider, reference: carried.reference, cost: carried.cost };
		if (carried.outcome === "REFUSED") return { outcome: "REFUSED", provider };
		if (carried.outcome === "UNKNOWN") return { outcome: "FAILED", provider };
	}
	return carriers.length === 0 ? { outcome: "REFUSED" } : { outcome: "FAILED" };
}
