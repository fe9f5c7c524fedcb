// Makes the row of a new transfer and the writes of its order. The route and the need of a code decide whether the commit of the order
// completes the transfer, fails it, or leaves it open: for a code, or for attempts after the commit.

import type { Write } from "../../db/database";
import { MAX_BALANCE } from "../../runtime/current-account-terms";
import type { Payout } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { delayAfter } from "../../shared/backoff";
import { receive } from "../current-accounts/ledger/arrival.plan";
import type { CodeLimits } from "../current-accounts/ledger/limits.policy";
import { credit, hold, post, transferOut } from "../current-accounts/ledger/plan";
import { RECEIVING_STATES } from "../current-accounts/lifecycle";
import type { CurrentAccountRow } from "../current-accounts/table";
import type { Issued } from "../otp/plan";
import type { PayeeAccountRow } from "../payees/table";
import { FAILURES } from "./lifecycle";
import { completedWrites, failedEvent } from "./plan";
import { type Found, insertTransfer, orStaleIfBlocked, type Sender } from "./store";
import type { TransferRow } from "./table";

export type Order = {
	readonly id: string;
	readonly sender: Sender;
	/** The sender's name, as a payee who is a user reads it. */
	readonly senderName: string;
	readonly account: CurrentAccountRow;
	readonly payeeAccount: PayeeAccountRow;
	readonly amount: number;
	readonly note: string | null;
	readonly dailyLimit: number;
	/** The most that may be ordered without a one-time password. */
	readonly codeLimits: CodeLimits;
};

/** `challenge`: the code that the transfer waits for, with the writes that send it. */
export async function order(
	services: Services,
	ordered: Order,
	route: Route,
	payout: Payout,
	challenge?: Issued,
): Promise<{ row: TransferRow; writes: readonly Write[] }> {
	const { now } = services;
	const { id, account, payeeAccount, amount, dailyLimit, codeLimits } = ordered;
	const internal = route.destination === "INTERNAL";
	const base = newRow(services, ordered, route);
	const placed = (row: TransferRow, ...writes: readonly Write[]) => ({ row, writes: [insertTransfer(row), ...writes] });
	if (internal && !route.receiver) {
		const failed = { ...base, status: "FAILED" as const, failureReason: FAILURES.refused, completedAt: now };
		return placed(failed, failedEvent(services, failed, FAILURES.refused));
	}
	const coded = { sourceId: id, amount, contra: internal ? ("TRANSFER" as const) : ("PAYOUT" as const), dailyLimit };
	const uncoded = { ...coded, withoutCode: { toNewPayee: payeeAccount.confirmedAt === null, limits: codeLimits } };
	if (challenge) {
		const { id: challengeId, expiresAt } = challenge.challenge;
		const waiting = { ...base, status: "AWAITING_OTP" as const, challengeId, nextAttemptAt: expiresAt };
		return placed(waiting, ...post(services, account, hold(coded)), ...challenge.writes);
	}
	const completed = { ...base, status: "COMPLETED" as const, completedAt: now };
	if (internal && route.receiver && isInSameDatabase(services, route.userId)) {
		return placed(
			completed,
			...post(services, account, transferOut(uncoded)),
			...(await creditInSameCommit(services, completed, route.receiver)),
			...completedWrites(services, completed),
		);
	}
	if (!internal && payout.kind === "embedded") {
		const paid = { ...completed, ...payout.pay(id) };
		return placed(paid, ...post(services, account, transferOut(uncoded)), ...completedWrites(services, paid));
	}
	const pending = { ...base, attempts: 1, nextAttemptAt: now + delayAfter(1) };
	return placed(pending, ...post(services, account, hold(uncoded)));
}

/** The facts of the order as a row, before `order` decides its status. */
function newRow(
	{ now, requestId: cause }: Services,
	{ id, sender, senderName, account, payeeAccount, amount, note }: Order,
	route: Route,
): TransferRow {
	const internal = route.destination === "INTERNAL";
	return {
		id,
		cause,
		userId: sender.userId,
		accountId: account.id,
		organizationId: account.organizationId,
		payeeId: payeeAccount.payeeId,
		payeeAccountId: payeeAccount.id,
		destination: route.destination,
		payeeUserId: internal ? route.userId : null,
		payerNumber: internal ? sender.number : null,
		payerName: internal ? senderName : null,
		snapshot: {
			type: payeeAccount.type,
			identifier: payeeAccount.identifier,
			name: payeeAccount.resolvedName ?? payeeAccount.accountHolderName,
		},
		amount,
		currency: account.currency,
		note,
		status: "PENDING",
		failureReason: null,
		challengeId: null,
		taken: false,
		providerReference: null,
		reportedAt: null,
		attempts: 0,
		nextAttemptAt: null,
		createdAt: now,
		completedAt: null,
	};
}

/** Credits the payee and notifies them. The commit is stale if the payee blocks the payer by then. */
export const creditIn = async (
	services: Services,
	{ id, amount }: Pick<TransferRow, "id" | "amount">,
	receiver: CurrentAccountRow,
	sender: Sender,
): Promise<readonly Write[]> => [
	...(await receive(services, receiver, credit("TRANSFER_IN", id, amount), amount)),
	orStaleIfBlocked(receiver.userId, sender),
];

/** The same in the commit of the payer. */
export const creditInSameCommit = (services: Services, transfer: TransferRow, receiver: CurrentAccountRow): Promise<readonly Write[]> =>
	creditIn(services, transfer, receiver, { userId: transfer.userId, number: transfer.payerNumber });

/** An amount, and who sends it. */
export type Remittance = { readonly sender: Sender; readonly amount: number; readonly currency: string };

/** Whether the payee's account is in the same database, so that one commit can hold both sides. */
export const isInSameDatabase = (services: Services, userId: string): boolean => services.at(userId).db === services.db;

/** The payee's account, if it may receive the amount in this currency, and its owner does not block the sender. */
export function receiverOf(account: Found, { amount, currency }: Remittance): CurrentAccountRow | undefined {
	if (account?.blocksSender !== 0 || account.currency !== currency) return undefined;
	const receives = RECEIVING_STATES.some((status) => status === account.status) && account.balance + amount <= MAX_BALANCE;
	return receives ? account : undefined;
}

export type Route =
	/** `receiver` undefined: the payee takes no money from this sender. */
	| { readonly destination: "INTERNAL"; readonly userId: string; readonly receiver: CurrentAccountRow | undefined }
	| { readonly destination: "PAYOUT" };

/** The route to a user. `hasAccount`: if false, a transfer to the user's number is paid out to the number instead. */
export function routeBy(userId: string, account: Found, remittance: Remittance) {
	const hasAccount = account?.currency === remittance.currency && account.status !== "PENDING";
	return { destination: "INTERNAL", userId, receiver: receiverOf(account, remittance), hasAccount } as const;
}
