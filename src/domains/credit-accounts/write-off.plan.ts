// Writes an account off. Interest, penalties and roll-overs stop; the claim stays, and later payments reduce it.

import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { toNumber } from "../../shared/money";
import { toTimestamp } from "../../shared/time";
import { balanceOf } from "./book/balance.policy";
import { replay } from "./book/book.policy";
import { creditAccountWrittenOff } from "./events";
import { bookOf } from "./ledger.store";
import { accountMembers } from "./postings/events.plan";
import { planPosting, todayOf } from "./postings/plan";
import type { Loaded } from "./postings/rows.plan";

export type WriteOffRefusal = "NEVER_USED" | "ALREADY_WRITTEN_OFF" | "NOTHING_OWED";
export type PlannedWriteOff =
	| { readonly accepted: true; readonly writes: readonly Write[] }
	| { readonly accepted: false; readonly reason: WriteOffRefusal };

/**
 * `loaded`: see `findLoaded`. The writes belong in a commit in the account's home; they are stale when anything was posted since.
 */
export function planWriteOff(services: Services, loaded: Loaded, by: { reason: string | null; actor: string }): PlannedWriteOff {
	const { account } = loaded;
	const { now } = services;
	const today = todayOf(account, now);
	const ledger = replay(bookOf(loaded), today);
	if (loaded.cycles.length === 0) return { accepted: false, reason: "NEVER_USED" };
	if (ledger.writtenOffOn !== null) return { accepted: false, reason: "ALREADY_WRITTEN_OFF" };
	const amount = toNumber(balanceOf(ledger).totalOutstanding);
	if (amount === 0) return { accepted: false, reason: "NOTHING_OWED" };
	const id = services.newId();
	const data = {
		...accountMembers(account),
		transaction_id: id,
		amount,
		currency: account.currency,
		written_off_at: toTimestamp(now),
	};
	return {
		accepted: true,
		writes: [
			...planPosting(services, loaded, [{ id, kind: "WRITE_OFF", amount, valueDate: today, occurredAt: now, ...by }]).writes,
			raise(services, creditAccountWrittenOff, { organizationId: account.organizationId, entityId: id, data }),
		],
	};
}
