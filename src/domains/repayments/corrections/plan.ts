// Undoes what was posted: a transaction of its own, after which the account is as if the original had never been posted. What a current
// account paid goes back to it.

import type { Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { CommitOptions, Services } from "../../../runtime/services";
import { creditAccountTransactionReversed } from "../../credit-accounts/changes/events";
import { loadedOf } from "../../credit-accounts/ledger.store";
import { accountMembers } from "../../credit-accounts/postings/events.plan";
import { planPosting, todayOf } from "../../credit-accounts/postings/plan";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import { accountTransactions } from "../../credit-accounts/table";
import { receive } from "../../current-accounts/ledger/arrival.plan";
import { credit } from "../../current-accounts/ledger/plan";
import type { CurrentAccountRow } from "../../current-accounts/table";
import { OPEN_STATES } from "../../disbursements/lifecycle";
import type { DisbursementRow } from "../../disbursements/table";
import { repaymentReversed } from "../events";

export type Reversible = {
	/** The current account that made the payment; undefined when it came from outside. */
	readonly payer: CurrentAccountRow | undefined;
	/** What paid the draw or refund out. */
	readonly payout: DisbursementRow | undefined;
	/** The refund went to a current account. */
	readonly wasCredited: boolean;
	readonly loaded: Loaded;
	readonly original: Loaded["transactions"][number];
	readonly isReversed: boolean;
};

type ReversibleRows = readonly [
	readonly CurrentAccountRow[],
	readonly DisbursementRow[],
	readonly unknown[],
	...Parameters<typeof loadedOf>[0],
];

/** The posted transaction of this id, if there is one. */
export function reversibleOf([[payer], [payout], credited, ...rows]: ReversibleRows, transactionId: string): Reversible | undefined {
	const loaded = loadedOf(rows);
	const original = loaded?.transactions.find(({ id }) => id === transactionId);
	if (!loaded || !original) return undefined;
	const isReversed = loaded.transactions.some(({ reversesId }) => reversesId === transactionId);
	return { payer, payout, wasCredited: credited.length > 0, loaded, original, isReversed };
}

/** The same, of payments only. */
export function reversiblePaymentOf(rows: ReversibleRows, transactionId: string): Reversible | undefined {
	const found = reversibleOf(rows, transactionId);
	return found?.original.kind === "REPAYMENT" ? found : undefined;
}

/** The kinds that can be undone. A roll-over cannot: draws and payments of the next cycle rest on it. */
const UNDONE = ["DRAW", "REFUND", "WAIVER", "WRITE_OFF", "RESCHEDULE", "SETTLEMENT"] as const;
type Undone = (typeof UNDONE)[number];

export const REVERSAL_REFUSALS = {
	NOT_REVERSIBLE: "A transaction of this kind cannot be undone",
	ALREADY_REVERSED: "It is reversed already",
	PAYER_CLOSED: "The current account that paid is closed",
	PAYOUT_OPEN: "Its payout is on its way: the disburser's report decides",
	PAID_OUT: "It was paid out: what undoes it is that the money comes back (POST /v1/disbursements/{id}/returned)",
	PAID_TO_CURRENT_ACCOUNT: "The money is on the borrower's current account",
	BUILT_UPON: "Undo first what was posted later in the same cycle: draws, roll-overs and reschedules",
} as const;
export type ReversalRefusal = keyof typeof REVERSAL_REFUSALS;

function refusalOf({ payer, payout, wasCredited, loaded, original, isReversed }: Reversible): ReversalRefusal | undefined {
	const { kind, cycleId, position } = original;
	if (kind !== "REPAYMENT" && !UNDONE.some((undone) => undone === kind)) return "NOT_REVERSIBLE";
	if (isReversed) return "ALREADY_REVERSED";
	if (payer?.status === "CLOSED") return "PAYER_CLOSED";
	if (payout && OPEN_STATES.some((open) => open === payout.status)) return "PAYOUT_OPEN";
	if (wasCredited) return "PAID_TO_CURRENT_ACCOUNT";
	if (payout?.status === "SUCCEEDED") return "PAID_OUT";
	if (kind !== "DRAW" && kind !== "RESCHEDULE") return undefined;
	// What was drawn since a reschedule may need its later due dates; what was drawn at all may have rolled over.
	const reversed = new Set(loaded.transactions.map(({ reversesId }) => reversesId));
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

/** The writes belong in a commit in the account's home; they are stale when anything was posted since. */
export async function planReversal(services: Services, found: Reversible, by: { reason: string; actor: string }) {
	const refusal = refusalOf(found);
	if (refusal) return { accepted: false, reason: refusal } as const;
	const { payer, loaded, original } = found;
	const { account } = loaded;
	const { now } = services;
	const reversal = {
		id: services.newId(),
		kind: "REVERSAL" as const,
		amount: original.amount,
		valueDate: todayOf(account, now),
		occurredAt: now,
		reversesId: original.id,
		...by,
	};
	const { writes } = planPosting(services, loaded, [reversal]);
	const options: CommitOptions = { unique: [[[accountTransactions.reversesId], "STALE"]] };
	return {
		accepted: true,
		reversal,
		writes: [
			...(payer ? await receive(services, payer, credit("LOAN_REFUND", reversal.id, original.amount), original.amount) : []),
			...writes,
			raiseReversed(services, found, reversal),
		],
		options,
	} as const;
}

function raiseReversed(
	services: Services,
	{ loaded, original }: Reversible,
	{ id, reason }: { readonly id: string; readonly reason: string },
): Write {
	const { account } = loaded;
	const { organizationId, currency } = account;
	const { kind, amount } = original;
	const about = { transaction_id: id, original_transaction_id: original.id, amount, currency };
	if (kind === "REPAYMENT") {
		return raise(services, repaymentReversed, { organizationId, entityId: id, data: { ...about, account_id: account.id } });
	}
	const data = { ...accountMembers(account), ...about, kind: kind as Undone, reason };
	return raise(services, creditAccountTransactionReversed, { organizationId, entityId: id, data });
}
