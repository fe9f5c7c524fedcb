// Which reserved names a user has: a name only reserves, and the rows in the user's home decide.

import { isOneOf } from "../../db/columns";
import type { Reservation } from "../../db/names";
import type { Services } from "../../runtime/services";
import { identityName } from "./identity.cache";
import { phoneName } from "./store";
import { identityLinks, users } from "./table";

/** Those of the reserved tags, numbers and identities that users have. `there`: in their home. */
export async function heldByUsers<N extends Reservation>(there: Services, reserved: readonly N[]): Promise<readonly N[]> {
	const ids = reserved.map(({ id }) => id);
	const { db } = there;
	const [owners, links] = await db.read(
		db.orm.select({ id: users.id, tag: users.tag, mobileNumber: users.mobileNumber }).from(users).where(isOneOf(users.id, ids)),
		db.orm.select().from(identityLinks).where(isOneOf(identityLinks.userId, ids)),
	);
	const had = await Promise.all([
		...owners.map(({ id, tag }) => keyOf({ kind: "TAG", value: tag, id })),
		...owners.flatMap(({ id, mobileNumber }) =>
			mobileNumber === null ? [] : [phoneName(there, mobileNumber).then((value) => keyOf({ kind: "PHONE", value, id }))],
		),
		...links.map(async ({ issuer, subject, userId }) =>
			keyOf({ kind: "IDENTITY", value: await identityName(there, issuer, subject), id: userId }),
		),
	]);
	const keys = new Set(had);
	return reserved.filter((name) => keys.has(keyOf(name)));
}

const keyOf = ({ kind, value, id }: Reservation) => `${kind} ${value} ${id}`;
