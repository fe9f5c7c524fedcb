// Claims deliveries, in one round trip.

import type { JobServices } from "../../../runtime/services";
import { type Claimed, claiming, type Left, type Target } from "./claim.store";

let ownProcess: string | undefined;
/** Marks the claims of this process. Made at the first use, because workerd has no random numbers before the first request. */
export function processId(): string {
	ownProcess ??= crypto.randomUUID();
	return ownProcess;
}

/** Claims those of the deliveries that may be attempted now at these URLs. */
export async function claim(
	services: JobServices,
	wanted: { targets: readonly Pick<Target, "id" | "webhookId">[]; urls: readonly string[] },
): Promise<{ claimed: readonly Claimed[]; left: readonly Left[] }> {
	const token = `${processId()}:${crypto.randomUUID()}`;
	const [, , , , claimed, left] = await services.db.commit(claiming(services, { ...wanted, token }));
	return { claimed: claimed.map((row) => ({ ...row, claim: token, keys: JSON.parse(row.keys) })), left };
}
