// Changes what others know a user by, and owes the change to the organizations of which they are a member.

import { type Owed, owe } from "../../../runtime/home-messages";
import type { Services } from "../../../runtime/services";
import { changeProfile, type Profile, type ProfileChange, profileOf } from "../../users/model/store";
import type { UserRow } from "../../users/model/table";
import { memberCopy } from "../copies.plan";
import type { MembershipRow } from "../table";
import { orStaleIfJoined } from "./store";

/**
 * For a commit in the user's home; a change of nothing writes nothing. Stale if the profile or the memberships are no longer those that were
 * read: a member who joins at the same time is copied with the profile that is there then.
 */
export function renewProfile(
	services: Services,
	user: Profile & Pick<UserRow, "id">,
	change: ProfileChange,
	memberships: readonly MembershipRow[],
): Owed {
	if (Object.keys(change).length === 0) return { writes: [], carry: async () => {} };
	const profile = { ...profileOf({ ...user, ...change }), profileVersion: user.profileVersion + 1 };
	const owed = memberships.map((row) => owe(services, memberCopy, row.organizationId, { ...row, profile }));
	return {
		writes: [changeProfile(services.db.orm, user, change), orStaleIfJoined(user.id, memberships), ...owed.flatMap(({ writes }) => writes)],
		async carry(elsewhere) {
			for (const one of owed) await one.carry(elsewhere);
		},
	};
}
