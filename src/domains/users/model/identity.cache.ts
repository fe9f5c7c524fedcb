// Finds the user that an outside identity is linked to. The directory has the user's id, and the isolate caches it, because a link never
// changes while the user is one.

import type { SQL } from "drizzle-orm";
import { findName, idOfName } from "../../../db/names";
import { first } from "../../../db/reads";
import type { Services } from "../../../runtime/services";
import { BoundedCache } from "../../../shared/cache";
import type { Digest } from "../../../shared/keyring";
import { HOUR_MS } from "../../../shared/time";

/** Users by the digests of their identities. */
export const knownIdentities = new BoundedCache<string>(20_000, HOUR_MS);

/** The form in which the directory stores an identity: a keyed digest of issuer and subject. */
export const identityName = ({ config }: Pick<Services, "config">, issuer: string, subject: string): Promise<Digest> =>
	config.keyring.digests("identity", JSON.stringify([issuer, subject]));

/**
 * The id of the user that the identity is linked to. If the directory is the only database, it is a subquery, which costs no round
 * trip of its own; otherwise the id itself, which costs one unless this isolate has it cached.
 */
export async function linkedTo(services: Services, issuer: string, subject: string): Promise<string | SQL<string | null> | undefined> {
	const name = await identityName(services, issuer, subject);
	const { alone, directory } = services.databases;
	if (alone) return idOfName("IDENTITY", name);
	const userId = knownIdentities.get(name.value, services.realNow)?.value;
	if (userId !== undefined) return userId;
	const found = await directory.read(first(findName(directory.orm, "IDENTITY", name)));
	// A name that is not final may be given back.
	if (found && found.reservedAt === null) knownIdentities.set(name.value, found.id, services.realNow);
	return found?.id;
}
