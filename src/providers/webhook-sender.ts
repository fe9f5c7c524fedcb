// Sends webhooks to their receivers. The address has been judged before: this only makes the request.

import type { Fetch, WebhookSender } from "../runtime/ports";
import { SERVICE_VERSION } from "../runtime/version";

const USER_AGENT = `financial-account-service/${SERVICE_VERSION}`;

export const webhookSenderBy = (fetch: Fetch): WebhookSender => ({
	send: ({ url, headers, body, signal }) =>
		// A redirect would lead to an address that nobody has judged.
		fetch(url, { method: "POST", headers: { ...headers, "User-Agent": USER_AGENT }, body, redirect: "manual", signal }),
});
