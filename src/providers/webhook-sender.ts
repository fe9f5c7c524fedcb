// Sends webhooks to their receivers. The address has been judged before: this only makes the request.

import * as z from "zod";
import { ConnectionFailed, type Fetch, type WebhookSender } from "../runtime/ports";
import { SERVICE_VERSION } from "../runtime/version";
import { CONNECTION_ERRORS } from "../shared/webhook-states";

const USER_AGENT = `financial-account-service/${SERVICE_VERSION}`;

const Diagnosis = z.object({ kind: z.enum(CONNECTION_ERRORS), reason: z.string() });

/** @param diagnosis tells why a connection fails, where the platform's own error does not */
export const webhookSenderBy = (fetch: Fetch, diagnosis?: { fetch: Fetch }): WebhookSender => ({
	async send({ url, headers, body, signal }) {
		try {
			// A redirect would lead to an address that nobody has judged.
			return await fetch(url, { method: "POST", headers: { ...headers, "User-Agent": USER_AGENT }, body, redirect: "manual", signal });
		} catch (error) {
			if (!diagnosis || signal.aborted) throw error;
			const answer = await diagnosis.fetch("http://diagnosis", { method: "POST", body: url });
			const { kind, reason } = Diagnosis.parse(await answer.json());
			throw new ConnectionFailed(kind, reason, { cause: error });
		}
	},
});
