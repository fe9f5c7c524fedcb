// Builds the statements on users.

import { and, eq, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../../db/database";
import { guarded, orStaleUnless } from "../../../db/guards";
import { prebuilt } from "../../../db/prebuilt";
import { type Reader, reachOf } from "../../../db/reach";
import type { Services } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { folded, foldedByLast } from "../../../shared/folded";
import type { Digest } from "../../../shared/keyring";
import type { Locale } from "../../../shared/locale";
import { identityLinks, type UserRow, users } from "./table";

const user = alias(users, "user");

const selectUser = (orm: Orm, id: string | SQL | Placeholder) => orm.select().from(users).where(eq(users.id, id));
const userById = prebuilt((orm) => selectUser(orm, sql.placeholder("id")));

export const findUser = (orm: Orm, id: string | SQL) => (typeof id === "string" ? userById({ id }) : selectUser(orm, id));

/** The tag of all who are erased: nothing is given to them any more. */
export const ERASED_TAG = "@erased";

/** What other members of an organization know a user by. */
export type Profile = Pick<UserRow, "displayName" | "email" | "tag" | "profileVersion">;

export const profileOf = ({ displayName, email, tag, profileVersion }: Profile): Profile => ({ displayName, email, tag, profileVersion });

/** The tag never changes: payees and members have copies of it, and people pass it on. */
export type ProfileChange = Partial<Pick<Profile, "displayName" | "email">>;

/** Stale if the profile has changed since it was read. */
export const changeProfile = (orm: Orm, { id, profileVersion }: Pick<UserRow, "id" | "profileVersion">, change: ProfileChange): Effect =>
	guarded(
		orm
			.update(users)
			.set({ ...change, ...(change.displayName !== undefined && nameColumns(change.displayName)), profileVersion: profileVersion + 1 })
			.where(isAsSeen({ id, profileVersion })),
	);

/** What is stored of a name: it as it was given, and as it is looked for. */
export const nameColumns = (displayName: string | null) => ({
	displayName,
	foldedName: displayName && folded(displayName),
	foldedLastName: displayName && foldedByLast(displayName),
});

export const chooseLocale = (orm: Orm, id: string, locale: Locale | null) => orm.update(users).set({ locale }).where(eq(users.id, id));

const isAsSeen = ({ id, profileVersion }: Pick<UserRow, "id" | "profileVersion">) =>
	and(eq(users.id, id), eq(users.profileVersion, profileVersion));

/** Belongs to a commit that copies the profile: stale if it has changed since it was read. */
export const orStaleUnlessProfile = ({ id, profileVersion }: Pick<UserRow, "id" | "profileVersion">): SQL =>
	orStaleUnless(sql`exists (select 1 from ${users} where ${isAsSeen({ id, profileVersion })})`);

/** The owner of rows that do not name their organization: that of their user is it. */
export const ownedBy = (userId: SQLWrapper) => ({
	userId,
	organizationId: sql`(select ${user.homeOrganizationId} from ${users} ${user} where ${user.id} = ${userId})`,
});

/** The user, if the caller reaches them. */
export const findReachedUser = (orm: Orm, id: string, caller: Reader) =>
	orm
		.select()
		.from(users)
		.where(and(eq(users.id, id), reachOf(caller, { userId: users.id, organizationId: users.homeOrganizationId })));

/** Blocks the user at an instant; null lifts the block. Stale if the block has changed since the user was read. */
export const setBlocked = (orm: Orm, { id, blockedAt }: UserRow, at: number | null): Effect =>
	guarded(
		orm
			.update(users)
			.set({ blockedAt: at })
			.where(and(eq(users.id, id), sql`${users.blockedAt} is ${blockedAt}`)),
	);

/** Admits the user from the waiting list. Stale if their status has changed since they were read. */
export const admit = (orm: Orm, { id, status }: Pick<UserRow, "id" | "status">, now: number): Effect =>
	guarded(
		orm
			.update(users)
			.set({ status: "ACTIVE", admittedAt: now })
			.where(and(eq(users.id, id), eq(users.status, status))),
	);

/** The form in which the directory stores a number: a keyed digest of its SHA-256, because mobile money reports some payers only by that. */
export const phoneName = async (services: Pick<Services, "config">, number: string): Promise<Digest> =>
	phoneNameOfHash(services, await sha256Hex(number.replace(/^\+/, "")));

/** `sha256`: of the number's digits, in hex. */
export const phoneNameOfHash = ({ config }: Pick<Services, "config">, sha256: string): Promise<Digest> =>
	config.keyring.digests("phone", sha256);

export const findLink = (orm: Orm, userId: string, { issuer, subject }: { issuer: string; subject: string }) =>
	orm
		.select()
		.from(identityLinks)
		.where(and(eq(identityLinks.userId, userId), eq(identityLinks.issuer, issuer), eq(identityLinks.subject, subject)));
