// Every database has the row of each erasure, and works it off by itself.

import { sql } from "drizzle-orm";
import { bare } from "../../db/columns";
import type { Write } from "../../db/database";
import { formsOf } from "../../db/names";
import { homeMessage } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import { MINUTE_MS } from "../../shared/time";
import { endAllSessions } from "../tokens/sessions/plan";
import { identityName } from "../users/model/identity.cache";
import { phoneName } from "../users/model/store";
import { type UserRow, users } from "../users/model/table";
import { addressesOf, type Marks, type Person, unique } from "./person.policy";
import { namelessUser } from "./places.store";
import { type ErasureRow, erasures } from "./table";

/** No request lasts as long. */
const UNDER_WAY_MS = MINUTE_MS;

type Known = {
	readonly links: readonly { readonly issuer: string; readonly subject: string }[];
	readonly changes: readonly { readonly oldNumber: string | null; readonly newNumber: string }[];
};

/** From this commit on nobody sees who the user was, and nobody acts as them. */
export const nobody = ({ db, now, realNow }: Services, userId: string): Write[] => [
	sql`update ${users} set ${namelessUser}, ${bare(users.blockedAt)} = coalesce(${users.blockedAt}, ${now}) where ${users.id} = ${userId}`,
	...endAllSessions(db.orm, userId, realNow),
];

export const erasureCopy = homeMessage<ErasureRow>({
	kind: "erasure",
	apply: ({ db }, row): Write[] => [db.orm.insert(erasures).values(row).onConflictDoNothing()],
});

/** A new erasure of the user, with what they are found by. */
export async function erasureOf({ config, now }: Services, owner: UserRow, { links, changes }: Known): Promise<ErasureRow> {
	const marks: Marks = {
		numbers: unique([owner.mobileNumber, ...changes.flatMap(({ oldNumber, newNumber }) => [oldNumber, newNumber])]),
		mails: unique([owner.email]),
		names: unique([owner.displayName]),
		identities: links,
		tag: owner.tag,
	};
	return {
		userId: owner.id,
		organizationId: owner.homeOrganizationId,
		requestedAt: now,
		beginsAt: now + UNDER_WAY_MS,
		sealed: await config.keyring.seal("erasure", owner.id, JSON.stringify(marks)),
		place: 0,
		cursor: null,
		finishedAt: null,
		erasedAt: null,
	};
}

const NOTHING: Marks = { numbers: [], mails: [], names: [], identities: [], tag: "" };

/** The person as they are looked for in what is stored. */
export async function personOf(services: Services, { userId, sealed }: ErasureRow): Promise<Person> {
	const opened = sealed === null ? undefined : await services.config.keyring.open("erasure", userId, sealed);
	const marks: Marks = opened === undefined ? NOTHING : JSON.parse(opened);
	const [phones, identities] = await Promise.all([
		Promise.all(marks.numbers.map((number) => phoneName(services, number))),
		Promise.all(marks.identities.map(({ issuer, subject }) => identityName(services, issuer, subject))),
	]);
	return {
		...marks,
		userId,
		isKnown: opened !== undefined,
		addresses: addressesOf(marks),
		phones: phones.flatMap(formsOf),
		identityNames: identities.flatMap(formsOf),
	};
}
