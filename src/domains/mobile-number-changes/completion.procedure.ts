// What completes a mobile-number change, whether a code or the sweep does it: the new number is reserved in the directory, and the
// user's own row then decides that it is theirs.

import { and, eq, sql } from "drizzle-orm";
import type { Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { DIRECTORY_HOME } from "../../db/places";
import { raise } from "../../events/raise";
import type { Elsewhere, Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { noticesTo } from "../messages/notices.plan";
import type { ChangeRow } from "../users/model/number-change.table";
import { reserveNumber } from "../users/model/phone-name.store";
import { phoneName } from "../users/model/store";
import { type UserRow, users } from "../users/model/table";
import { numberState } from "../users/phone-name.procedure";
import { mobileNumberChanged } from "./events";

/** How often the number is looked up again because another change of the same number got ahead. */
const MAX_ROUNDS = 3;

/** Reserves the new number in the directory. False when another user has it. */
export async function reserve(services: Elsewhere, { id, userId, newNumber }: ChangeRow): Promise<boolean> {
	const directory = services.at(DIRECTORY_HOME);
	const value = await phoneName(services, newNumber);
	for (let round = 1; round <= MAX_ROUNDS; round++) {
		const wanted = { id: userId, reservedFor: id, now: services.now };
		const [[reserved]] = await directory.commitRegardless([reserveNumber(directory.db.orm, value, wanted)]);
		if (reserved) return true;
		const { kind } = await numberState(services, newNumber);
		if (kind === "HELD") return false;
		if (kind === "UNDECIDED") break;
	}
	throw new ApiError("SERVICE_UNAVAILABLE");
}

/** The writes that make the number of a completed change the user's, and notify them at the old number and by mail. */
export async function completedWrites(services: Services, change: ChangeRow, owner: UserRow): Promise<Write[]> {
	const { db, now } = services;
	return [
		guarded(
			db.orm
				.update(users)
				.set({ mobileNumber: change.newNumber })
				.where(and(eq(users.id, owner.id), sql`${users.mobileNumber} is ${change.oldNumber}`)),
		),
		...(await noticesTo(services, owner, { key: "NUMBER_CHANGED", values: {} })),
		raise(services, mobileNumberChanged, {
			organizationId: owner.homeOrganizationId,
			entityId: change.id,
			data: { user_id: owner.id, mobile_number_change_id: change.id, completed_at: toTimestamp(now) },
		}),
	];
}
