// Makes new users, and what is recorded about them.

import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm, Write } from "../../../db/database";
import { guarded, orStaleUnless } from "../../../db/guards";
import type { Reservation } from "../../../db/names";
import { names } from "../../../db/names.table";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { fromBase64 } from "../../../shared/bytes";
import type { Digest } from "../../../shared/keyring";
import { HOUR_MS, toTimestamp } from "../../../shared/time";
import { userAdmitted, userJoined, userWaitlisted } from "./events";
import { named, removeName } from "./phone-name.store";
import { nameColumns } from "./store";
import { type UserRow, users } from "./table";

const eachUser = alias(users, "user");

/** Makes the new number of a completed change final in the directory, and removes the old one. Safe to run twice. */
export function finishNames(
	orm: Orm,
	{ changeId, userId, fresh, old }: { changeId: string; userId: string; fresh: Digest; old: Digest | null },
): Write[] {
	return [
		orm
			.update(names)
			.set({ reservedFor: null, reservedAt: null })
			.where(and(named(fresh), eq(names.id, userId), eq(names.reservedFor, changeId))),
		...(old === null || old.value === fresh.value ? [] : [removeName(orm, old, { id: userId, reservedFor: null })]),
	];
}

/** Gives a user without a home one, unless they have it meanwhile or `only` no longer holds. */
export const joinHome = (services: Services, userId: string, organizationId: string, only: SQL): Write[] => [
	guarded(
		services.db.orm
			.update(users)
			.set({ homeOrganizationId: organizationId })
			.where(and(eq(users.id, userId), isNull(users.homeOrganizationId), only)),
	),
	raise(services, userJoined, { organizationId, entityId: userId, data: { user_id: userId, organization_id: organizationId } }),
];

/** Belongs to a commit that was decided for a user without a home: stale once they have one. */
export const orStaleIfJoined = (userId: string, homeOrganizationId: string | null): Write[] =>
	homeOrganizationId === null
		? [
				orStaleUnless(
					sql`exists (select 1 from ${users} ${eachUser} where ${eachUser.id} = ${userId} and ${eachUser.homeOrganizationId} is null)`,
				),
			]
		: [];

/** Records that the user obtained tokens, and the language of their app; none when that was recorded within the last hour. */
export const recordSeen = ({ db, now, locale }: Services, { id, lastSeenAt, signInLocale }: UserRow): Write[] =>
	lastSeenAt !== null && lastSeenAt > now - HOUR_MS && (locale === undefined || locale === signInLocale)
		? []
		: [
				db.orm
					.update(users)
					.set({ lastSeenAt: now, signInLocale: locale ?? signInLocale })
					.where(eq(users.id, id)),
			];

export type Newcomer = {
	/** IMPORT: they were a borrower elsewhere, and no event is raised of them. */
	source: "PHONE" | "PARTNER" | "INVITATION" | "IMPORT";
	admitted: boolean;
	homeOrganizationId: string | null;
	mobileNumber?: string;
	email?: string | undefined;
	displayName?: string | undefined;
};

/**
 * A new user with this id, the writes that create them in their home, and the names to reserve. Both refuse the commit if another
 * request created the user first. A request that was interrupted has left the names; who comes back with this id reserves the same.
 */
export async function provision(services: Services, id: string, newcomer: Newcomer) {
	const { now } = services;
	const user: UserRow = {
		id,
		status: newcomer.admitted ? "ACTIVE" : "WAITING_LIST",
		blockedAt: null,
		tag: await tagOf(services, id),
		mobileNumber: newcomer.mobileNumber ?? null,
		email: newcomer.email ?? null,
		...nameColumns(newcomer.displayName ?? null),
		profileVersion: 1,
		homeOrganizationId: newcomer.homeOrganizationId,
		admittedAt: newcomer.admitted ? now : null,
		signedOutAt: null,
		signedOutExcept: null,
		locale: null,
		signInLocale: newcomer.source === "IMPORT" ? null : (services.locale ?? null),
		lastSeenAt: newcomer.source === "IMPORT" ? null : now,
		createdAt: now,
	};
	const about = { organizationId: user.homeOrganizationId, entityId: user.id };
	const { admitted, source } = newcomer;
	const joined = () =>
		admitted || source === "IMPORT"
			? raise(services, userAdmitted, { ...about, data: { user_id: user.id, admitted_at: toTimestamp(now) } })
			: raise(services, userWaitlisted, { ...about, data: { user_id: user.id, source } });
	const writes = [services.db.orm.insert(users).values(user), ...(source === "IMPORT" ? [] : [joined()])];
	const names: Reservation[] = [{ kind: "TAG", value: user.tag, id }];
	return { user, writes, names };
}

/** No vowels, so that no tag spells a word, and no characters that look alike. */
const TAG_ALPHABET = "bcdfghjkmnpqrstvwxyz23456789";
const TAG_LENGTH = 10;

/** The tag follows from the id, by a key, so that nobody learns one from the other. */
async function tagOf({ config: { keyring } }: Services, id: string): Promise<string> {
	const bytes = fromBase64(await keyring.digest("tag", id)) ?? new Uint8Array();
	return `@${[...bytes.slice(0, TAG_LENGTH)].map((byte) => TAG_ALPHABET[byte % TAG_ALPHABET.length]).join("")}`;
}
