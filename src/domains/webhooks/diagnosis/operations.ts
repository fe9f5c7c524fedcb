// The signature debugger, for people who run a receiver.

import * as z from "zod";
import { first } from "../../../db/reads";
import { alone, member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { utf8 } from "../../../shared/bytes";
import { ApiError } from "../../../shared/errors";
import { isInTime } from "../signing/expiry.policy";
import { allKeysOf, secretContext } from "../signing/store";
import { findEndpoint } from "../store";
import { DIAGNOSES, diagnose } from "./policy";

const path = z.object({ webhook_id: z.uuid().toLowerCase() });

const MAX_HEADER_LENGTH = 4_096;
/** A batch of a hundred deliveries. */
const MAX_BODY_BYTES = 128 * 1024;

export const verifySignature = operation({
	id: "verifySignature",
	method: "POST",
	path: "/v1/webhooks/{webhook_id}/verify",
	summary: "Explain why a signature does not match",
	access: alone(member("org:webhooks:read")),
	whileSuspended: true,
	request: {
		path,
		body: z.strictObject({
			header: z.string().max(MAX_HEADER_LENGTH).meta({ description: "The value of X-Service-Signature" }),
			body: z
				.string()
				.max(MAX_BODY_BYTES, { abort: true })
				.refine((text) => utf8(text).length <= MAX_BODY_BYTES, { error: "must have at most 128 KiB", params: { sub_code: "TOO_LONG" } })
				.meta({ description: "The body as the receiver passes it to its signature check, at most 128 KiB" }),
		}),
	},
	response: z.object({ valid: z.boolean(), reason: z.enum(DIAGNOSES), message: z.string() }),
	errors: ["NOT_FOUND"],
	// Changes nothing, so there is nothing to replay.
	idempotent: false,
	async handle({ path, body, caller: { organizationId } }, { db, config, now, realNow }) {
		const { endpoint, keys } = await db.read({
			endpoint: first(findEndpoint(db.orm, organizationId, path.webhook_id)),
			keys: allKeysOf(db.orm, organizationId, path.webhook_id),
		});
		if (!endpoint) throw new ApiError("NOT_FOUND");
		const open = async (active: boolean) => {
			const secrets = await Promise.all(
				keys
					.filter((key) => (key.revokedAt === null && isInTime(key, now)) === active)
					.map(({ id, sealedSecret }) =>
						config.keyring.open("webhook-secret", secretContext({ organizationId, webhookId: endpoint.id, keyId: id }), sealedSecret),
					),
			);
			return secrets.filter((secret) => secret !== undefined);
		};
		const [activeSecrets, revokedSecrets] = await Promise.all([open(true), open(false)]);
		return diagnose({ ...body, activeSecrets, revokedSecrets, now: realNow });
	},
});
