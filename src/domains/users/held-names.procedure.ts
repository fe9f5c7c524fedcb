// Which reserved names a user has: a name only reserves, and the rows in the user's home decide.

import { isOneOf } from "../../db/columns";
import { formsOf, type Reservation } from "../../db/names";
import type { Services } from "../../runtime/services";
import { identityName } from "./model/identity.cache";
import { phoneName } from "./model/store";
import { identityLinks, users } from "./model/table";

/** Those of the reserved tags, numbers and identities that users have. `there`: in their home. */
export async function heldByUsers<N extends Reservation>(there: Services, reserved: readonly N[]): Promise<readonly N[]> {
	const ids = reserved.map(({ id }) => id);
	const { db } = there;
	const { owners, links } = await db.read({
		owners: db.orm.select({ id: users.id, tag: users.tag, mobileNumber: users.mobileNumber }).from(users).where(isOneOf(users.id, ids)),
		links: db.orm.select().from(identityLinks).where(isOneOf(identityLinks.userId, ids)),
	});
	const had = await Promise.all([
		...owners.map(({ id, tag }) => keysOf({ kind: "TAG", value: tag, id })),
		...owners.flatMap(({ id, mobileNumber }) =>
			mobileNumber === null ? [] : [phoneName(there, mobileNumber).then((value) => keysOf({ kind: "PHONE", value, id }))],
		),
		...links.map(async ({ issuer, subject, userId }) =>
			keysOf({ kind: "IDENTITY", value: await identityName(there, issuer, subject), id: userId }),
		),
	]);
	const keys = new Set(had.flat());
	return reserved.filter((name) => keysOf(name).some((key) => keys.has(key)));
}

const keysOf = ({ kind, value, id }: Reservation) => formsOf(value).map((form) => `${kind} ${form} ${id}`);
