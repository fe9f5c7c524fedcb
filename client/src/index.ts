/**
 * The client of the Financial Account Service.
 *
 * ```ts
 * const api = createClient({ baseUrl: "https://api.example.com", token });
 * const me = await api.getMe();
 * for await (const transfer of api.listTransfers()) console.log(transfer.id);
 * ```
 */

export {
	deliveriesIn,
	type Refusal as WebhookRefusal,
	SIGNATURE_HEADER,
	type Verification,
	verifyWebhook,
	type WebhookBody,
	type WebhookDelivery,
	webhookDigest,
} from "../../src/webhook-verify/verify.ts";
export { type ClientOptions, createClient } from "./client.ts";
export * from "./errors.ts";
export type * from "./generated.ts";
export type { Fetch, SendingOptions } from "./sending.ts";
export type * from "./types.ts";
export type * from "./webhook.ts";
