// The providers of messages that `MESSAGE_SENDERS` names, each with its secret: those of SMS and mail for `MESSAGE_SENDER=list`, those of
// pushes in any case.

import * as z from "zod";
import { isLoopback } from "../shared/origin";
import { json } from "./variables";

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

const AppleId = z.string().regex(/^[A-Z0-9]{10}$/, "must be 10 capital letters and digits");

const PushSettings = z.discriminatedUnion("provider", [
	z.strictObject({ provider: z.literal("fcm") }),
	z.strictObject({
		provider: z.literal("apns"),
		team_id: AppleId,
		key_id: AppleId,
		bundle_id: z.string().regex(/^[\w.-]{1,155}$/, "must be the id of an app, such as com.lender.app"),
		environment: z.enum(["production", "sandbox"]).default("production"),
	}),
]);

/** Those of SMS and mail that do not answer take less time together than a sender's claim on the message lasts. */
export const MessageSenders = z
	.array(z.union([Sender, PushSettings]))
	.max(5)
	.refine((senders) => new Set(senders.map(({ provider }) => provider)).size === senders.length, "must not have a provider twice");

/** The key of a service account, as Firebase's console downloads it. */
const ServiceAccount = z.object({
	project_id: z.string().regex(/^[a-z0-9-]{1,100}$/),
	client_email: z.email(),
	private_key: z.string().startsWith("-----BEGIN PRIVATE KEY-----"),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

const providerAddress = z.url({ protocol: /^https?$/ }).optional();

/** Secrets of the providers, and addresses on this machine that stand in for the hosts of those of pushes. */
export const MessageVariables = {
	MESSAGE_SENDERS: json(MessageSenders).default([]),
	AFRICASTALKING_API_KEY: z.string().min(1).optional(),
	TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
	RESEND_API_KEY: z.string().min(1).optional(),
	FCM_SERVICE_ACCOUNT: json(ServiceAccount).optional(),
	APNS_KEY: z
		.string()
		.transform((pem) => pem.replaceAll("\\n", "\n"))
		.pipe(z.string().startsWith("-----BEGIN PRIVATE KEY-----", "must be the .p8 file of a key"))
		.optional(),
	FCM_URL: providerAddress,
	APNS_URL: providerAddress,
};

export const SECRETS = {
	africastalking: "AFRICASTALKING_API_KEY",
	twilio: "TWILIO_AUTH_TOKEN",
	resend: "RESEND_API_KEY",
} as const satisfies Record<z.output<typeof Sender>["provider"], string>;

const PUSH_SECRETS = { fcm: "FCM_SERVICE_ACCOUNT", apns: "APNS_KEY" } as const satisfies Record<PushSettings["provider"], string>;

type PushSettings = z.output<typeof PushSettings>;
export type ApnsSettings = Extract<PushSettings, { provider: "apns" }>;

type Variables = z.output<z.ZodObject<typeof MessageVariables>> & {
	readonly ENVIRONMENT: string;
	readonly MESSAGE_SENDER: string;
};

export type SenderSettings = z.output<typeof Sender> & { readonly secret: string };

type Named = z.output<typeof MessageSenders>[number];
const isOfPushes = (sender: Named): sender is PushSettings => sender.provider in PUSH_SECRETS;
const isOfMessages = (sender: Named): sender is z.output<typeof Sender> => !isOfPushes(sender);

export const sendersOf = (vars: Variables): SenderSettings[] =>
	vars.MESSAGE_SENDERS.filter(isOfMessages).map((sender) => ({ ...sender, secret: vars[SECRETS[sender.provider]] ?? "" }));

export const pushSendersOf = ({ MESSAGE_SENDERS }: Pick<Variables, "MESSAGE_SENDERS">): PushSettings[] =>
	MESSAGE_SENDERS.filter(isOfPushes);

/** What is wrong with the list: the variable, and what it must be. */
export function faultsOfSenders(vars: Variables): [name: string, fault: string][] {
	const { ENVIRONMENT, MESSAGE_SENDER } = vars;
	const senders = MESSAGE_SENDER === "list" ? vars.MESSAGE_SENDERS.filter(isOfMessages) : [];
	if (MESSAGE_SENDER === "list" && senders.length === 0) return [["MESSAGE_SENDERS", "is required by the list"]];
	const names = [...senders.map(({ provider }) => SECRETS[provider]), ...pushSendersOf(vars).map(({ provider }) => PUSH_SECRETS[provider])];
	const isHere = (url: string | undefined) => url === undefined || (ENVIRONMENT === "local" && isLoopback(url));
	return [
		...(["FCM_URL", "APNS_URL"] as const)
			.filter((name) => !isHere(vars[name]))
			.map((name): [string, string] => [name, "is for loopback, in local only"]),
		...names.filter((name) => !vars[name]).map((name): [string, string] => [name, "is required by MESSAGE_SENDERS"]),
		...(ENVIRONMENT === "production" && senders.some((sender) => "username" in sender && sender.username === "sandbox")
			? [["MESSAGE_SENDERS", "must not have Africa's Talking's sandbox in production"] as [string, string]]
			: []),
	];
}
