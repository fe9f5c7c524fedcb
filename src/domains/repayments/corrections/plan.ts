// Undoes what was posted, a payment also in part: a transaction of its own, after which the account is as if what it takes back had never
// been posted. A current account's payment goes back to it. The reversal of a payment can be undone in its turn.

import type { Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { raise } from "../../../events/raise";
import type { CommitOptions, Services } from "../../../runtime/services";
import { remainingAmounts, standingReversals } from "../../credit-accounts/book/facts.policy";
import { creditAccountTransactionReversed } from "../../credit-accounts/changes/events";
import { type LoadedRows, loadedOf } from "../../credit-accounts/ledger.store";
import { accountMembers } from "../../credit-accounts/postings/events.plan";
import { planPosting, todayOf } from "../../credit-accounts/postings/plan";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import { accountTransactions } from "../../credit-accounts/table";
import { receive } from "../../current-accounts/ledger/arrival.plan";
import { credit } from "../../current-accounts/ledger/plan";
import type { CurrentAccountRow } from "../../current-accounts/table";
import { OPEN_STATES } from "../../disbursements/model/lifecycle";
import type { DisbursementRow } from "../../disbursements/model/table";
import { repaymentRestored, repaymentReversed } from "../events";
import { isGivenUp } from "../returns/store";
import type { ReturnRow } from "../returns/table";
import { markRemaining } from "../store";
import type { PaymentRow } from "../table";

type Transaction = Loaded["transactions"][number];

export type Reversible = {
	/** The current account that made the payment; undefined when it came from outside. */
	readonly payer: CurrentAccountRow | undefined;
	/** What paid the draw or refund out. */
	readonly payout: DisbursementRow | undefined;
	/** The refund went to a current account. */
	readonly wasCredited: boolean;
	/** What was reported of the payment; undefined where it was imported without its receipt. */
	readonly payment: PaymentRow | undefined;
	/** The way of the payment's money back to its payer. */
	readonly back: ReturnRow | undefined;
	readonly loaded: Loaded;
	readonly original: Transaction;
};

type ReversibleRows = Pick<Reversible, "payer" | "payout" | "payment" | "back"> & {
	readonly credited: readonly unknown[];
	readonly loaded: LoadedRows;
};

/** The posted transaction of this id, if there is one. */
export function reversibleOf(found: ReversibleRows, transactionId: string): Reversible | undefined {
	const { payer, payout, credited, payment, back } = found;
	const loaded = loadedOf(found.loaded);
	const original = loaded?.transactions.find(({ id }) => id === transactionId);
	return loaded && original && { payer, payout, wasCredited: credited.length > 0, payment, back, loaded, original };
}

/** The same, of payments only. */
export function reversiblePaymentOf(rows: ReversibleRows, transactionId: string): Reversible | undefined {
	const found = reversibleOf(rows, transactionId);
	return found?.original.kind === "REPAYMENT" ? found : undefined;
}

/** What of the transaction counts. */
export const remainingOf = ({ loaded, original }: Pick<Reversible, "loaded" | "original">): number =>
	remainingAmounts(loaded.transactions).get(original.id) ?? original.amount;

/** The reversals of the transaction that stand, in the order of posting. */
const reversalsOf = ({ loaded, original }: Reversible): readonly Transaction[] =>
	standingReversals(loaded.transactions).filter(({ reversesId }) => reversesId === original.id);

/** The kinds that can be undone. A roll-over cannot: draws and payments of the next cycle rest on it. */
const UNDONE = ["DRAW", "REFUND", "WAIVER", "WRITE_OFF", "RESCHEDULE", "SETTLEMENT"] as const;
type Undone = (typeof UNDONE)[number];

export const REVERSAL_REFUSALS = {
	NOT_REVERSIBLE: "A transaction of this kind cannot be undone",
	ALREADY_REVERSED: "It is reversed already",
	MORE_THAN_REMAINS: "Less of the payment is left to be reversed",
	PAYER_CLOSED: "The current account that paid is closed",
	PAYOUT_OPEN: "Its payout is on its way: the disburser's report decides",
	PAID_OUT: "It was paid out: what undoes it is that the money comes back (POST /v1/disbursements/{id}/returned)",
	PAID_TO_CURRENT_ACCOUNT: "The money is on the borrower's current account",
	BUILT_UPON: "Undo first what was posted later in the same cycle: draws, roll-overs and reschedules",
} as const;
export type ReversalRefusal = keyof typeof REVERSAL_REFUSALS;

function refusalOf(found: Reversible, { amount, remaining }: { amount: number; remaining: number }): ReversalRefusal | undefined {
	const { payer, payout, wasCredited, loaded, original } = found;
	const { kind, cycleId, position } = original;
	if (kind !== "REPAYMENT" && !UNDONE.some((undone) => undone === kind)) return "NOT_REVERSIBLE";
	if (remaining === 0) return "ALREADY_REVERSED";
	if (amount > remaining) return "MORE_THAN_REMAINS";
	if (payer?.status === "CLOSED") return "PAYER_CLOSED";
	if (payout && OPEN_STATES.some((open) => open === payout.status)) return "PAYOUT_OPEN";
	if (wasCredited) return "PAID_TO_CURRENT_ACCOUNT";
	if (payout?.status === "SUCCEEDED") return "PAID_OUT";
	if (kind !== "DRAW" && kind !== "RESCHEDULE") return undefined;
	// A draw since a reschedule may need its later due dates; what was drawn at all may have rolled over.
	const reversed = new Set(standingReversals(loaded.transactions).map(({ reversesId }) => reversesId));
	const rolled = new Set(loaded.cycles.flatMap(({ id, rolledFromId }) => (rolledFromId === cycleId ? [id] : [])));
	const isBuiltUpon = loaded.transactions.some(
		(row) =>
			!reversed.has(row.id) &&
			((row.cycleId !== null && rolled.has(row.cycleId)) ||
				(kind === "RESCHEDULE" &&
					row.position > position &&
					row.cycleId === cycleId &&
					(row.kind === "DRAW" || row.kind === "RESCHEDULE"))),
	);
	return isBuiltUpon || (kind === "DRAW" && bearsExtension(loaded, original, reversed)) ? "BUILT_UPON" : undefined;
}

/** Whether the cycle, without the draw, would not have been there to be rescheduled, and a later draw rests on its later due dates. */
function bearsExtension(
	{ transactions, cycles }: Loaded,
	{ id, cycleId }: Reversible["original"],
	reversed: ReadonlySet<string | null>,
): boolean {
	const standing = transactions.filter((row) => row.cycleId === cycleId && row.id !== id && !reversed.has(row.id));
	const rescheduled = standing.filter(({ kind }) => kind === "RESCHEDULE").map(({ position }) => position);
	const drawn = standing.filter(({ kind }) => kind === "DRAW");
	const agreed = cycles.find((cycle) => cycle.id === cycleId)?.finalDueDate ?? "";
	return rescheduled.some((at) => drawn.every(({ position }) => position > at)) && drawn.some(({ valueDate }) => valueDate >= agreed);
}

/** Each reversal of a transaction has a number of its own, and is undone once. */
const ONCE: CommitOptions = { unique: [[[accountTransactions.reversesId, accountTransactions.number], "STALE"]] };

type Order = {
	readonly reason: string;
	readonly actor: string;
	/** Of a payment: how much of it. Left out: all that is left of the transaction. */
	readonly amount?: number | undefined;
	/** The payment as which it counts from now on. */
	readonly movedAs?: string;
	/** The caller posts the reversal, together with what else it posts to the account. */
	readonly isPostedByCaller?: boolean;
};

type Reversing = {
	readonly reversesId: string;
	readonly number: number;
	readonly amount: number;
	readonly reason: string;
	readonly actor: string;
};

/** A reversal of a transaction, or of a reversal, that counts from today. */
const newReversal = (services: Services, { account }: Loaded, reversing: Reversing) => ({
	id: services.newId(),
	kind: "REVERSAL" as const,
	valueDate: todayOf(account, services.now),
	occurredAt: services.now,
	...reversing,
});

/** The writes belong in a commit in the account's home; they are stale when anything was posted since. */
export async function planReversal(
	services: Services,
	found: Reversible,
	{ amount: asked, movedAs, isPostedByCaller = false, ...by }: Order,
) {
	const remaining = remainingOf(found);
	const amount = asked ?? remaining;
	const refusal = refusalOf(found, { amount, remaining });
	if (refusal) return { accepted: false, reason: refusal } as const;
	const { payer, payment, loaded, original } = found;
	const number = loaded.transactions.filter(({ reversesId }) => reversesId === original.id).length + 1;
	const reversal = newReversal(services, loaded, { reversesId: original.id, number, amount, ...by });
	const left = remaining - amount;
	const writes = isPostedByCaller ? [] : planPosting(services, loaded, [reversal]).writes;
	return {
		accepted: true,
		reversal,
		writes: [
			...(payment
				? [markRemaining(services.db.orm, payment, { remaining: left, reversedById: reversal.id, movedAs, now: services.now })]
				: []),
			...(payer ? await receive(services, payer, credit("LOAN_REFUND", reversal.id, amount), amount) : []),
			...writes,
			raiseReversed(services, found, { ...reversal, left }),
		],
		options: ONCE,
	} as const;
}

function raiseReversed(
	services: Services,
	{ loaded, original }: Reversible,
	{ id, reason, amount, left }: { readonly id: string; readonly reason: string; readonly amount: number; readonly left: number },
): Write {
	const { account } = loaded;
	const { organizationId, currency } = account;
	const { kind } = original;
	const about = { transaction_id: id, original_transaction_id: original.id, amount, currency };
	if (kind === "REPAYMENT") {
		const data = { ...about, account_id: account.id, remaining_amount: left };
		return raise(services, repaymentReversed, { organizationId, entityId: id, data });
	}
	const data = { ...accountMembers(account), ...about, kind: kind as Undone, reason };
	return raise(services, creditAccountTransactionReversed, { organizationId, entityId: id, data });
}

export const RESTORATION_REFUSALS = {
	NO_SUCH_REVERSAL: "The payment has no such reversal",
	ALREADY_RESTORED: "The reversal is undone already",
	MOVED: "The payment counts on another account: move it back",
	MONEY_RETURNED: "The payer gets the money back, or may have it already",
	BACK_ON_CURRENT_ACCOUNT: "The money is back on the current account that paid: the borrower repays from it",
} as const;

/** The writes undo a reversal of the payment. They belong in a commit in the account's home, and are stale when anything was posted since. */
export function planRestoration(services: Services, found: Reversible, order: { reversalId: string; reason: string; actor: string }) {
	const { reversalId, ...by } = order;
	const { payer, payment, back, loaded, original } = found;
	const refused = (reason: keyof typeof RESTORATION_REFUSALS) => ({ accepted: false, reason }) as const;
	const reversal = loaded.transactions.find(({ id, reversesId }) => id === reversalId && reversesId === original.id);
	if (!reversal) return refused("NO_SUCH_REVERSAL");
	const standing = reversalsOf(found);
	if (!standing.includes(reversal)) return refused("ALREADY_RESTORED");
	if (payment && payment.movedAsId !== null) return refused("MOVED");
	const returned = back?.reversalId === reversal.id ? back : undefined;
	if (returned && returned.status !== "GIVEN_UP") return refused("MONEY_RETURNED");
	if (payer) return refused("BACK_ON_CURRENT_ACCOUNT");
	const { account } = loaded;
	const { organizationId, currency } = account;
	const { amount } = reversal;
	const remaining = remainingOf(found) + amount;
	const restoration = newReversal(services, loaded, { reversesId: reversal.id, number: 1, amount, ...by });
	const data = {
		...{ transaction_id: restoration.id, original_transaction_id: original.id, reversal_transaction_id: reversal.id },
		...{ account_id: account.id, amount, currency, remaining_amount: remaining },
	};
	const reversedById = standing.findLast((one) => one !== reversal)?.id ?? null;
	return {
		accepted: true,
		restoration,
		writes: [
			...(returned ? [orStaleUnless(isGivenUp(returned.id))] : []),
			...(payment ? [markRemaining(services.db.orm, payment, { remaining, reversedById, now: services.now })] : []),
			...planPosting(services, loaded, [restoration]).writes,
			raise(services, repaymentRestored, { organizationId, entityId: restoration.id, data }),
		],
		options: ONCE,
	} as const;
}
