// What stands behind the directory's names of numbers and identities, which it keeps as digests alone: the rows in their users' homes.

import { isOneOf } from "../../db/columns";
import type { Services } from "../../runtime/services";
import type { Digest } from "../../shared/keyring";
import { identityName } from "./model/identity.cache";
import { mobileNumberChanges } from "./model/number-change.table";
import { phoneName } from "./model/store";
import { identityLinks, users } from "./model/table";

type Name = { readonly id: string; readonly reservedFor: string | null };

/** The digests of all numbers and identities of these names' users, in every form, by their own. `there`: in their homes. */
export async function digestsOf(there: Services, found: readonly Name[]): Promise<Digest[]> {
	const { db } = there;
	const ids = [...new Set(found.map(({ id }) => id))];
	const { owners, links, changes } = await db.read({
		owners: db.orm.select({ number: users.mobileNumber }).from(users).where(isOneOf(users.id, ids)),
		links: db.orm
			.select({ issuer: identityLinks.issuer, subject: identityLinks.subject })
			.from(identityLinks)
			.where(isOneOf(identityLinks.userId, ids)),
		changes: db.orm
			.select({ number: mobileNumberChanges.newNumber })
			.from(mobileNumberChanges)
			.where(
				isOneOf(
					mobileNumberChanges.id,
					found.flatMap(({ reservedFor }) => reservedFor ?? []),
				),
			),
	});
	return Promise.all([
		...[...owners, ...changes].flatMap(({ number }) => (number === null ? [] : [phoneName(there, number)])),
		...links.map(({ issuer, subject }) => identityName(there, issuer, subject)),
	]);
}
