// The service with a list of providers of messages, and a stand-in for them.

import { messages } from "../../src/domains/messages/table";
import { addressForMessage, addressForProvider } from "../../src/providers/message-reports";
import { MessagesStandIn } from "../stand-ins/messages";
import { db, newId } from "./factories";
import { answerOutbound } from "./outbound";
import { services } from "./webhooks";

export const LISTED = {
	MESSAGE_SENDER: "list",
	MESSAGE_SENDERS: JSON.stringify([
		{ provider: "africastalking", username: "sandbox", sender_id: "LENDER", countries: ["254", "255"] },
		{ provider: "twilio", account_sid: `AC${"0a".repeat(16)}`, messaging_service_sid: `MG${"0a".repeat(16)}` },
		{ provider: "resend", from: "Lender <messages@lender.example>" },
	]),
	AFRICASTALKING_API_KEY: "key",
	TWILIO_AUTH_TOKEN: "token",
	RESEND_API_KEY: "re_key",
	BASE_URL: "https://service.example",
};

export function messagesStandIn(plan?: ConstructorParameters<typeof MessagesStandIn>[0]): MessagesStandIn {
	const standIn = new MessagesStandIn(plan);
	answerOutbound((input, init) => standIn.handle(new Request(input as string, init as RequestInit)));
	return standIn;
}

/** A message that the provider took, and the code of the address at which it reports. */
export async function givenSentMessage(provider: "africastalking" | "twilio") {
	const { config } = await services();
	const id = newId();
	const now = Date.now();
	const sent = { status: "SENT" as const, attempts: 1, provider, providerMessageId: `${provider}-1` };
	const message = { id, channel: "SMS" as const, recipient: "+254712345678", purpose: "TEST", expiresAt: now, createdAt: now };
	await db.insert(messages).values({ ...message, ...sent });
	const told = { keyring: config.keyring, baseUrl: "" };
	const address = provider === "twilio" ? await addressForMessage(told, provider, id) : await addressForProvider(told, provider);
	return { id, reference: sent.providerMessageId, code: address.slice(-32) };
}
