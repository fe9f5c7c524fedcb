// Makes a new transfer and the writes that order it. The way to the payee and the need of a code decide how far the order's own
// commit carries it.

import { sql } from "drizzle-orm";
import type { Write } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { insertOf, prebuilt } from "../../db/prebuilt";
import type { Payout } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { credit, hold, post, transferOut } from "../current-accounts/ledger/store";
import type { CurrentAccountRow } from "../current-accounts/table";
import type { Issued } from "../otp/plan";
import { type PayeeAccountRow, payeeAccounts, payees } from "../payees/table";
import { FAILURES } from "./lifecycle";
import { completedWrites, failedEvent } from "./plan";
import { isBeside, type Route } from "./receiver.plan";
import { orStaleIfBlocked, type Sender } from "./receiver.store";
import { delayAfter } from "./store";
import { type TransferRow, transfers } from "./table";

export type Order = {
	readonly id: string;
	readonly sender: Sender;
	readonly account: CurrentAccountRow;
	readonly payeeAccount: PayeeAccountRow;
	readonly amount: number;
	readonly note: string | null;
	readonly dailyLimit: number;
};

/** `challenge`: the code that the transfer waits for, with the writes that send it. */
export function order(
	services: Services,
	ordered: Order,
	route: Route,
	payout: Payout,
	challenge?: Issued,
): { row: TransferRow; writes: readonly Write[] } {
	const { now } = services;
	const { id, account, payeeAccount, amount, dailyLimit } = ordered;
	const internal = route.destination === "INTERNAL";
	const base = newRow(ordered, route, now);
	const placed = (row: TransferRow, ...writes: readonly Write[]) => ({
		row,
		writes: [insertTransfer(row), orStaleUnlessPayable({ payeeAccountId: payeeAccount.id }), ...writes],
	});
	if (internal && !route.receiver) {
		const failed = { ...base, status: "FAILED" as const, failureReason: FAILURES.refused, completedAt: now };
		return placed(failed, failedEvent(services, failed, FAILURES.refused));
	}
	const ledgerOrder = { sourceId: id, amount, contra: internal ? ("TRANSFER" as const) : ("PAYOUT" as const), dailyLimit };
	if (challenge) {
		const { id: challengeId, expiresAt } = challenge.challenge;
		const waiting = { ...base, status: "AWAITING_OTP" as const, challengeId, nextAttemptAt: expiresAt };
		return placed(waiting, ...post(services, account, hold(ledgerOrder)), ...challenge.writes);
	}
	const completed = { ...base, status: "COMPLETED" as const, completedAt: now };
	if (internal && route.receiver && isBeside(services, route.userId)) {
		return placed(
			completed,
			...post(services, account, transferOut(ledgerOrder)),
			...creditBeside(services, completed, route.receiver),
			...completedWrites(services, completed),
		);
	}
	if (!internal && payout.kind === "embedded") {
		const paid = { ...completed, ...payout.pay(id) };
		return placed(paid, ...post(services, account, transferOut(ledgerOrder)), ...completedWrites(services, paid));
	}
	const pending = { ...base, attempts: 1, nextAttemptAt: now + delayAfter(1) };
	return placed(pending, ...post(services, account, hold(ledgerOrder)));
}

/** The row of a transfer that is only ordered so far. */
function newRow({ id, sender, account, payeeAccount, amount, note }: Order, route: Route, now: number): TransferRow {
	const internal = route.destination === "INTERNAL";
	return {
		id,
		userId: sender.userId,
		accountId: account.id,
		organizationId: account.organizationId,
		payeeId: payeeAccount.payeeId,
		payeeAccountId: payeeAccount.id,
		destination: route.destination,
		payeeUserId: internal ? route.userId : null,
		payerNumber: internal ? sender.number : null,
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

/** Credits the payee in the commit of the payer, while the payee does not block them. */
export const creditBeside = (
	services: Services,
	{ id, userId, payerNumber, amount }: TransferRow,
	receiver: CurrentAccountRow,
): readonly Write[] => [
	...post(services, receiver, credit("TRANSFER_IN", id, amount)),
	orStaleIfBlocked(receiver.userId, { userId, number: payerNumber }),
];

const insertTransfer = insertOf(transfers);

/** The payee's account is there, and its payee not blocked. */
const orStaleUnlessPayable = prebuilt((orm) =>
	orm.run(
		orStaleUnless(sql`exists (select 1 from ${payeeAccounts} a join ${payees} p on p.id = a.payee_id
			where a.id = ${sql.placeholder("payeeAccountId")} and not p.is_blocked)`),
	),
);
