// Sends webhooks to their receivers. The address has been judged before: this only makes the request.

import * as z from "zod";
import { ConnectionFailed, type Fetch, type WebhookSender } from "../runtime/ports";
import { SERVICE_VERSION } from "../runtime/version";
import { CONNECTION_ERRORS } from "../shared/webhook-states";

const USER_AGENT = `financial-account-service/${SERVICE_VERSION}`;

/**
 * A connection that breaks so soon was most likely kept from an earlier request, and the receiver closed it at that moment. Another
 * request opens a new one.
 */
const BROKEN_WITHIN_MS = 1_000;
const Diagnosis = z.object({ kind: z.enum(CONNECTION_ERRORS), reason: z.string() });

/** @param diagnosis tells why a connection fails, where the platform's own error does not */
export const webhookSenderBy = (fetch: Fetch, diagnosis?: { fetch: Fetch }): WebhookSender => ({
	async send({ url, headers, body, signal }) {
		// A redirect would lead to an address that was not judged.
		const post = () => fetch(url, { method: "POST", headers: { ...headers, "User-Agent": USER_AGENT }, body, redirect: "manual", signal });
		const began = Date.now();
		try {
			return await post().catch((error: unknown) => {
				if (signal.aborted || Date.now() - began >= BROKEN_WITHIN_MS) throw error;
				return post();
			});
		} catch (error) {
			if (!diagnosis || signal.aborted) throw error;
			const answer = await diagnosis.fetch("http://diagnosis", { method: "POST", body: url });
			const { kind, reason } = Diagnosis.parse(await answer.json());
			throw new ConnectionFailed(kind, reason, { cause: error });
		}
	},
});
