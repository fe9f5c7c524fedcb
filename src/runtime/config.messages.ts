// The providers of messages that `MESSAGE_SENDER=list` names, each with its secret.

import * as z from "zod";

const Sender = z.discriminatedUnion("provider", [
	z.strictObject({
		provider: z.literal("africastalking"),
		username: z.string().min(1).max(100),
		sender_id: z.string().min(1).max(11),
		countries: z
			.array(z.string().regex(/^[1-9]\d{0,3}$/, "must be the beginning of a number, such as 254"))
			.min(1)
			.max(250)
			.optional(),
	}),
	z.strictObject({
		provider: z.literal("twilio"),
		account_sid: z.string().regex(/^AC[0-9a-f]{32}$/, "must be AC and 32 hex digits"),
		messaging_service_sid: z.string().regex(/^MG[0-9a-f]{32}$/, "must be MG and 32 hex digits"),
	}),
	z.strictObject({
		provider: z.literal("resend"),
		from: z.string().min(3).max(320),
		subject: z.string().min(1).max(200).default("A message about your account"),
	}),
]);

/** Four that do not answer take less time than a sender's claim on the message lasts. */
export const MessageSenders = z
	.array(Sender)
	.max(4)
	.refine((senders) => new Set(senders.map(({ provider }) => provider)).size === senders.length, "must not have a provider twice");

export const SECRETS = {
	africastalking: "AFRICASTALKING_API_KEY",
	twilio: "TWILIO_AUTH_TOKEN",
	resend: "RESEND_API_KEY",
} as const satisfies Record<z.output<typeof Sender>["provider"], string>;

type Secrets = { readonly [name in (typeof SECRETS)[keyof typeof SECRETS]]?: string | undefined };
type Variables = Secrets & {
	readonly ENVIRONMENT: string;
	readonly MESSAGE_SENDER: string;
	readonly MESSAGE_SENDERS: z.output<typeof MessageSenders>;
};

export type SenderSettings = z.output<typeof Sender> & { readonly secret: string };

export const sendersOf = (vars: Variables): SenderSettings[] =>
	vars.MESSAGE_SENDERS.map((sender) => ({ ...sender, secret: vars[SECRETS[sender.provider]] ?? "" }));

/** What is wrong with the list: the variable, and what it must be. */
export function faultsOfSenders(vars: Variables): [name: string, fault: string][] {
	const { ENVIRONMENT, MESSAGE_SENDER, MESSAGE_SENDERS: senders } = vars;
	if (MESSAGE_SENDER !== "list") return [];
	if (senders.length === 0) return [["MESSAGE_SENDERS", "is required by the list"]];
	const names = senders.map(({ provider }) => SECRETS[provider]);
	return [
		...names.filter((name) => !vars[name]).map((name): [string, string] => [name, "is required by MESSAGE_SENDERS"]),
		...(ENVIRONMENT === "production" && senders.some((sender) => "username" in sender && sender.username === "sandbox")
			? [["MESSAGE_SENDERS", "must not have Africa's Talking's sandbox in production"] as [string, string]]
			: []),
	];
}
