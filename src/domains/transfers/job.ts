// Attempts open transfers after the commit of their order, until their end is known. Between two homes the payee's home decides first and
// once, with a row CREDITED or REFUSED; only then the payer's home settles or releases. No hold of a PENDING transfer ends by time alone.

import { and, eq } from "drizzle-orm";
import { countAttempt } from "../../db/attempts";
import { type Effect, StaleWrite, UniqueViolation } from "../../db/database";
import { first } from "../../db/reads";
import { type Outbox, sendAfter, sendDue } from "../../runtime/outbox";
import type { JobServices, Services } from "../../runtime/services";
import { delayAfter } from "../../shared/backoff";
import { findAccountById } from "../current-accounts/accounts/store";
import { namesOf } from "../payees/wire";
import { FAILURES } from "./lifecycle";
import { creditIn, receiverOf } from "./order.plan";
import { complete, fail } from "./plan";
import { findDueTransfers, findIncoming, findReceiver, findTransfer, markTaken } from "./store";
import { type IncomingTransferRow, incomingTransfers, type TransferRow, transfers } from "./table";

/** Another commit may change the account between a round's read and its commit, and then the next round reads again. */
const MAX_ROUNDS = 5;

/** An attempt between homes ends the transfer. An attempt at the payout provider never does, because only the provider's report ends it. */
const outbox: Outbox<TransferRow, TransferRow, "ENDED" | "ACCEPTED" | "UNKNOWN"> = {
	what: "transfers",
	said: (answer) => answer,
	async due({ db, now }, most) {
		const due = await db.read(findDueTransfers(db.orm, now, most));
		return due;
	},
	over: (services, { id, status }) => (status === "AWAITING_OTP" ? () => end(services, id, expired) : undefined),
	claim: ({ db, now }, row) =>
		countAttempt(db.orm, transfers, row, {
			next: now + delayAfter(row.attempts + 1),
			open: and(eq(transfers.status, "PENDING"), eq(transfers.taken, false)),
		}),
	async send(services, row) {
		if (row.payeeUserId === null) return instruct(services, row);
		const outcome = await decide(services.at(row.payeeUserId), { ...row, payeeUserId: row.payeeUserId });
		await end(services, row.id, outcome === "CREDITED" ? complete : refused);
		return "ENDED";
	},
	outcome: ({ db }, { id }, answer) => (answer === "ACCEPTED" ? [markTaken(db.orm, id)] : []),
	late: ({ id, status }) => (status === "PENDING" ? ["a transfer is pending for more than a day", { transfer_id: id }] : undefined),
};

/** Works on one portion of the transfers that are due. The result is whether more may be waiting. */
export const workOnTransfers = sendDue(outbox);

/** The first attempt. It belongs to the commit that makes the transfer PENDING, because that commit has counted the attempt. */
export const executeSoon = (services: Services, row: TransferRow): Effect[] =>
	row.status === "PENDING" ? [sendAfter(services, outbox, row)] : [];

type Ending = (
	services: Services,
	row: TransferRow,
	account: Parameters<typeof complete>[2],
) => { writes: ReturnType<typeof complete>["writes"] };

const refused: Ending = (services, row, account) => fail(services, row, account, FAILURES.refused);
const expired: Ending = (services, row, account) => fail(services, row, account, FAILURES.expired);

/** Decides and records the outcome in the payee's home, or returns the outcome that is recorded already. */
async function decide(
	there: JobServices,
	{ id, payeeUserId, userId, payerNumber, payerName, note, amount, currency }: TransferRow & { payeeUserId: string },
): Promise<IncomingTransferRow["outcome"]> {
	const { db, now } = there;
	const sender = { userId, number: payerNumber };
	for (let round = 1; ; round++) {
		const { known, account } = await db.read({
			known: first(findIncoming(db.orm, id)),
			account: first(findReceiver(payeeUserId, sender)),
		});
		if (known) return known.outcome;
		const receiver = receiverOf(account, { sender, amount, currency });
		const outcome = receiver ? "CREDITED" : "REFUSED";
		const facts = { transferId: id, payeeUserId, payerUserId: userId, payerName, note, amount, currency, createdAt: now };
		try {
			await there.commit([
				db.orm.insert(incomingTransfers).values({ ...facts, accountId: receiver?.id ?? null, outcome }),
				...(receiver ? await creditIn(there, { id, amount }, receiver, sender) : []),
			]);
			return outcome;
		} catch (error) {
			if (!(error instanceof StaleWrite || error instanceof UniqueViolation) || round === MAX_ROUNDS) throw error;
		}
	}
}

/** Ends the transfer and its hold in the payer's home, unless it has ended. */
async function end(services: JobServices, id: string, ending: Ending): Promise<void> {
	const { db } = services;
	for (let round = 1; ; round++) {
		const row = await db.read(first(findTransfer(db.orm, id)));
		if (!row || row.completedAt !== null) return;
		// The code came in before the transfer expired.
		if (ending === expired && row.status !== "AWAITING_OTP") return;
		const account = await db.read(first(findAccountById(db.orm, row.accountId)));
		if (!account) throw new Error("the account of a transfer is missing");
		try {
			await services.commit(ending(services, row, account).writes);
			return;
		} catch (error) {
			if (!(error instanceof StaleWrite) || round === MAX_ROUNDS) throw error;
		}
	}
}

/** Instructs the payout provider, with the transfer's id as reference. */
async function instruct({ providers: { payout }, realNow }: Services, { id, accountId, amount, currency, snapshot, note }: TransferRow) {
	if (payout?.kind !== "remote") return "UNKNOWN";
	const { type, identifier, name } = snapshot;
	const recipient = { type, name, ...namesOf(type, identifier) };
	return payout.instruct({ reference: id, accountId, amount: { value: amount, currency }, recipient, note }, realNow);
}
