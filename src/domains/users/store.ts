// Reads users, and builds the writes that create one.

import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Reservation } from "../../db/names";
import { prebuilt } from "../../db/prebuilt";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { HOUR_MS, toTimestamp } from "../../shared/time";
import { userAdmitted, userWaitlisted } from "./events";
import { type UserRow, users } from "./table";

const selectUser = (orm: Orm, id: string | SQL | Placeholder) => orm.select().from(users).where(eq(users.id, id));
const userById = prebuilt((orm) => selectUser(orm, sql.placeholder("id")));

export const findUser = (orm: Orm, id: string | SQL) => (typeof id === "string" ? userById({ id }) : selectUser(orm, id));

/** Blocks the user at an instant; null lifts the block. Stale if the block has changed since the user was read. */
export const setBlocked = (orm: Orm, { id, blockedAt }: UserRow, at: number | null): Effect =>
	guarded(
		orm
			.update(users)
			.set({ blockedAt: at })
			.where(and(eq(users.id, id), sql`${users.blockedAt} is ${blockedAt}`)),
	);

/** Records that the user obtained tokens; none when that was recorded within the last hour. */
export const recordSeen = ({ db, now }: Services, { id, lastSeenAt }: UserRow): Write[] =>
	lastSeenAt !== null && lastSeenAt > now - HOUR_MS ? [] : [db.orm.update(users).set({ lastSeenAt: now }).where(eq(users.id, id))];

/** The form in which the directory stores a number: a keyed digest of its SHA-256, because mobile money reports some payers only by that. */
export const phoneName = async (services: Pick<Services, "config">, number: string): Promise<string> =>
	phoneNameOfHash(services, await sha256Hex(number.replace(/^\+/, "")));

/** `sha256`: of the number's digits, in hex. */
export const phoneNameOfHash = ({ config }: Pick<Services, "config">, sha256: string): Promise<string> =>
	config.keyring.digest("phone", sha256);

export type Newcomer = {
	source: "PHONE" | "PARTNER" | "INVITATION";
	admitted: boolean;
	homeOrganizationId: string | null;
	mobileNumber?: string;
	email?: string | undefined;
};

/**
 * A new user with this id, the writes that create them in their home, and the names to reserve. Both refuse the commit if another
 * request created the user first.
 */
export function provision(services: Services, id: string, newcomer: Newcomer): { user: UserRow; writes: Write[]; names: Reservation[] } {
	const { now } = services;
	const user: UserRow = {
		id,
		status: newcomer.admitted ? "ACTIVE" : "WAITING_LIST",
		blockedAt: null,
		tag: mintTag(),
		mobileNumber: newcomer.mobileNumber ?? null,
		email: newcomer.email ?? null,
		homeOrganizationId: newcomer.homeOrganizationId,
		admittedAt: newcomer.admitted ? now : null,
		signedOutAt: null,
		signedOutExcept: null,
		lastSeenAt: now,
		createdAt: now,
	};
	const about = { organizationId: user.homeOrganizationId, entityId: user.id };
	const event = newcomer.admitted
		? raise(services, userAdmitted, { ...about, data: { user_id: user.id, admitted_at: toTimestamp(now) } })
		: raise(services, userWaitlisted, { ...about, data: { user_id: user.id, source: newcomer.source } });
	return { user, writes: [services.db.orm.insert(users).values(user), event], names: [{ kind: "TAG", value: user.tag, id }] };
}

/** No vowels, so that no tag spells a word, and no characters that look alike. */
const TAG_ALPHABET = "bcdfghjkmnpqrstvwxyz23456789";

const mintTag = (): string =>
	`@${[...crypto.getRandomValues(new Uint8Array(10))].map((byte) => TAG_ALPHABET[byte % TAG_ALPHABET.length]).join("")}`;
