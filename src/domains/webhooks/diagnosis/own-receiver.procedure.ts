// What the sandbox's own receiver does with a delivery: it verifies the signature as any receiver does.

import { eq } from "drizzle-orm";
import { first } from "../../../db/reads";
import { webhookEndpoints } from "../../../events/table";
import type { JobServices } from "../../../runtime/services";
import { verifyWebhook } from "../../../webhook-verify/verify";
import { secretContext } from "../signing/store";
import { webhookSigningKeys } from "../table";

/** Where it is; the id of the endpoint follows. */
export const OWN_RECEIVER = "/v1/sandbox/receiver/";

/** Whether a delivery to this endpoint carries a valid signature by one of its keys. */
export async function isSigned(
	services: JobServices,
	webhookId: string,
	{ signature, body }: { signature: string; body: Uint8Array },
): Promise<boolean> {
	const { db, config, realNow } = services.at(webhookId);
	const { endpoint, keys } = await db.read({
		endpoint: first(db.orm.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, webhookId))),
		keys: db.orm.select().from(webhookSigningKeys).where(eq(webhookSigningKeys.webhookId, webhookId)),
	});
	if (!endpoint) return false;
	const { organizationId } = endpoint;
	const secrets = await Promise.all(
		keys
			.filter(({ revokedAt }) => revokedAt === null)
			.map(({ id, sealedSecret }) =>
				config.keyring.open("webhook-secret", secretContext({ organizationId, webhookId, keyId: id }), sealedSecret),
			),
	);
	const known = secrets.filter((secret) => secret !== undefined);
	return (await verifyWebhook(signature, body, known, realNow / 1000)).valid;
}
