// Plans the recovery of a lost number, which two operators have authorized. The holder of the old number may be a thief: so the account is
// frozen at once, the owner gets a message each day, and only after a wait does the new number become theirs.

import type { Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Reserve } from "../../db/names";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { DAY_MS } from "../../shared/time";
import { moveAccount } from "../current-accounts/accounts/store";
import { currentAccountFrozen, currentAccountUnfrozen } from "../current-accounts/events";
import { statusAfter } from "../current-accounts/lifecycle";
import type { CurrentAccountRow } from "../current-accounts/table";
import { noticesTo, type Reachable } from "../messages/notices.plan";
import { endAllSessions } from "../tokens/sessions/plan";
import { RECOVERY_VALIDITY_MS } from "../users/model/number-change.lifecycle";
import { type ChangeRow, mobileNumberChanges } from "../users/model/number-change.table";
import { reserveNumber } from "../users/model/phone-name.store";
import { phoneName } from "../users/model/store";
import type { UserRow } from "../users/model/table";
import { abandon } from "./plan";

/** Why an account is frozen and released. */
const REASON = "RECOVERY";

type Seen = { readonly owner: UserRow; readonly open: ChangeRow | undefined; readonly account: CurrentAccountRow | undefined };

/** Begins a recovery. It ends a change that the user has begun, and their sessions. */
export async function beginRecovery(
	services: Services,
	{ owner, open, account }: Seen,
	{ id, newNumber }: { id: string; newNumber: string },
): Promise<{ writes: readonly Write[]; reserve: Reserve }> {
	const { db, now, config } = services;
	const notBefore = now + config.RECOVERY_WAIT;
	const row: ChangeRow = {
		id,
		userId: owner.id,
		status: "AUTHORIZED",
		authorizationChannel: "RECOVERY",
		oldNumber: owner.mobileNumber,
		newNumber,
		challengeId: "",
		provider: "NONE",
		failureReason: null,
		createdAt: now,
		expiresAt: notBefore + RECOVERY_VALIDITY_MS,
		authorizedAt: now,
		completedAt: null,
		namesFinishedAt: null,
		notBefore,
		dueAt: nextNotice(now, notBefore),
	};
	// No reservation is looked after before it is due, however many recoveries wait.
	const reserved = { id: owner.id, reservedFor: id, now: notBefore };
	return {
		reserve: {
			names: [],
			writes: [guarded(reserveNumber(services.databases.directory.orm, await phoneName(services, newNumber), reserved))],
		},
		writes: [
			...(open ? abandon(services, open, "cancel").writes : []),
			db.orm.insert(mobileNumberChanges).values(row),
			...(account && statusAfter(account.status, "freeze") ? freeze(services, account, id) : []),
			...endAllSessions(db.orm, owner.id, services.realNow),
			...(await recoveryNotices(services, owner, notBefore)),
		],
	};
}

const freeze = (services: Services, account: CurrentAccountRow, frozenFor: string): Write[] => [
	moveAccount(services, account, "freeze", { frozenFor }),
	raise(services, currentAccountFrozen, { organizationId: account.organizationId, data: { account_id: account.id, reason: REASON } }),
];

/** Releases the account that this recovery has frozen, if it is still frozen for nothing else. */
export const release = (services: Services, account: CurrentAccountRow | undefined, { id }: ChangeRow): Write[] =>
	account?.status === "FROZEN" && account.frozenFor === id
		? [
				moveAccount(services, account, "unfreeze"),
				raise(services, currentAccountUnfrozen, {
					organizationId: account.organizationId,
					data: { account_id: account.id, reason: REASON },
				}),
			]
		: [];

/** When the sweep turns to the recovery again: a day later, or when the wait ends. */
export const nextNotice = (now: number, notBefore: number): number => Math.min(now + DAY_MS, notBefore);

/** Informs the user everywhere that their number is about to change. */
export const recoveryNotices = (services: Services, owner: Reachable, notBefore: number): Promise<Write[]> =>
	noticesTo(services, owner, { key: "RECOVERY_ORDERED", values: { moment: notBefore } });
