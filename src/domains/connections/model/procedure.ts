// Opens a connection for the adapter that pays by it.

import type { Databases } from "../../../db/databases";
import { first } from "../../../db/reads";
import type { OpenedConnection } from "../../../runtime/ports";
import { homeOf } from "../../../shared/ids";
import type { Keyring } from "../../../shared/keyring";
import type { PaymentProvider } from "../../../shared/payment-providers";
import { isPaused } from "./lifecycle";
import { openSecrets } from "./plan";
import { findConnection } from "./store";

type Given = { readonly databases: Databases; readonly keyring: Keyring; readonly now: number };

/** The account behind the connection; undefined while there is none, or it is paused and that matters. */
export async function accountBehind(
	{ databases, keyring, now }: Given,
	organizationId: string,
	provider: PaymentProvider,
	which: "UNPAUSED" | "EVEN_PAUSED" = "UNPAUSED",
): Promise<OpenedConnection | undefined> {
	const db = databases.at(homeOf(organizationId));
	const row = await db.read(first(findConnection(db.orm, { organizationId, provider })));
	if (!row || (which === "UNPAUSED" && isPaused(row, now))) return undefined;
	const secrets = await openSecrets(keyring, row);
	const { environment, shortCode, facts } = row;
	return secrets && { environment, shortCode, facts, pausedReason: isPaused(row, now) ? row.pausedReason : null, secrets };
}
