// Sends webhooks to their receivers. The address has been judged before: this only makes the request.

import type { Fetch, WebhookSender } from "../runtime/ports";

export const webhookSenderBy = (fetch: Fetch): WebhookSender => ({
	send: ({ url, headers, body, signal }) =>
		// A redirect would lead to an address that nobody has judged.
		fetch(url, { method: "POST", headers, body, redirect: "manual", signal }),
});
