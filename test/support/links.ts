// A user who becomes known by the identity that an issuer's subject has.

import { env } from "cloudflare:workers";
import { names } from "../../src/db/names.table";
import { SANDBOX_ISSUER } from "../../src/domains/tokens/issuers/own.plan";
import { identityName } from "../../src/domains/users/model/identity.cache";
import { identityLinks } from "../../src/domains/users/model/table";
import { configuration } from "../../src/runtime/config";
import { db } from "./factories";

/** Links the subject of the sandbox's issuer, who may be an operator, to the user; what was asked for until now is older than the link. */
export async function linkTo(userId: string, subject: string): Promise<void> {
	const { value } = await identityName({ config: await configuration(env) }, SANDBOX_ISSUER, subject);
	await db.batch([
		db.insert(identityLinks).values({ issuer: SANDBOX_ISSUER, subject, userId, createdAt: Date.now() + 1 }),
		db.insert(names).values({ kind: "IDENTITY", value, id: userId, createdAt: 1 }),
	]);
}
