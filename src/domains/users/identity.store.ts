// Whose an outside identity is. The directory names the user; this isolate remembers it, because a link is never changed.

import { and, eq, type SQL } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { findName, idOfName } from "../../db/names";
import type { Services } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import { identityLinks } from "./table";

/** Users by the digests of their identities. */
export const knownIdentities = new BoundedCache<string>(20_000, Number.POSITIVE_INFINITY);

/** What the directory keeps of an identity, which is the pair of issuer and subject. */
export const identityName = ({ config }: Services, issuer: string, subject: string): Promise<string> =>
	config.keyring.digest("identity", JSON.stringify([issuer, subject]));

/**
 * The id of the user that the identity is linked to. While the directory holds everything, a subquery that finds the id where it is
 * used; otherwise the id, at the cost of a round trip unless this isolate knows it.
 */
export async function linkedTo(services: Services, issuer: string, subject: string): Promise<string | SQL<string | null> | undefined> {
	const name = await identityName(services, issuer, subject);
	const { alone, directory } = services.databases;
	if (alone) return idOfName("IDENTITY", name);
	const userId = knownIdentities.get(name, services.realNow)?.value;
	if (userId !== undefined) return userId;
	const [[found]] = await directory.read(findName(directory.orm, "IDENTITY", name));
	if (found) knownIdentities.set(name, found.id, services.realNow);
	return found?.id;
}

export const findLink = (orm: Orm, userId: string, { issuer, subject }: { issuer: string; subject: string }) =>
	orm
		.select()
		.from(identityLinks)
		.where(and(eq(identityLinks.userId, userId), eq(identityLinks.issuer, issuer), eq(identityLinks.subject, subject)));
