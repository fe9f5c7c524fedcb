// Gives a user who has no mobile number their first one. It is stored as a completed change, so that what waits after a change can ask
// for both alike, and the sweep brings the directory up to date.

import { and, eq, isNull } from "drizzle-orm";
import type { Write } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { userMobileNumberSet } from "./events";
import { type ChangeRow, mobileNumberChanges } from "./number-change.table";
import { type UserRow, users } from "./table";

/** `provider`: what the custodian knows of it. `namesFinishedAt`: as of the row, null while the directory only reserves the number. */
type First = Pick<ChangeRow, "id" | "newNumber" | "provider" | "namesFinishedAt">;

export const firstNumberOf = ({ now }: Services, userId: string, first: First): ChangeRow => ({
	...first,
	userId,
	status: "COMPLETED",
	authorizationChannel: "FIRST",
	oldNumber: null,
	challengeId: "",
	failureReason: null,
	createdAt: now,
	expiresAt: now,
	authorizedAt: now,
	completedAt: now,
	notBefore: null,
	dueAt: null,
});

/** Stale if the user has a number meanwhile. */
export const setFirstNumber = (services: Services, user: Pick<UserRow, "id" | "homeOrganizationId">, row: ChangeRow): Write[] => [
	services.db.orm.insert(mobileNumberChanges).values(row),
	guarded(
		services.db.orm
			.update(users)
			.set({ mobileNumber: row.newNumber })
			.where(and(eq(users.id, user.id), isNull(users.mobileNumber))),
	),
	raise(services, userMobileNumberSet, { organizationId: user.homeOrganizationId, entityId: row.id, data: { user_id: user.id } }),
];
