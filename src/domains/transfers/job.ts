// Carries transfers out after the commit that ordered them, and again until their end is known. Between two homes the payee's decides
// first, once: its row says CREDITED or REFUSED, and only then the payer's home settles or releases. No hold ends by time alone.

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

/** Other entries of the same account may come in between; each round is a fresh read. */
const MAX_ROUNDS = 5;

/** Between homes an attempt ends the transfer itself. Outside, only the provider's report does, after every answer. */
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

/** Takes one portion of the transfers that have something due. Whether more may be waiting. */
export const workOnTransfers = sendDue(outbox);

/** Belongs to the commit that makes the transfer PENDING, which counts the first attempt. */
export const executeSoon = (services: Services, row: TransferRow): Effect[] =>
	row.status === "PENDING" ? [sendAfter(services, outbox, row)] : [];

type Ending = (
	services: Services,
	row: TransferRow,
	account: Parameters<typeof complete>[2],
) => { writes: ReturnType<typeof complete>["writes"] };

const refused: Ending = (services, row, account) => fail(services, row, account, FAILURES.refused);
const expired: Ending = (services, row, account) => fail(services, row, account, FAILURES.expired);

/** The outcome of a transfer in the payee's home. Decides and records it unless it is recorded already. */
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

/** Ends the hold in the payer's home, unless it has ended. */
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

async function instruct({ providers: { payout }, realNow }: Services, { id, accountId, amount, currency, snapshot, note }: TransferRow) {
	if (payout?.kind !== "remote") return "UNKNOWN";
	const { type, identifier, name } = snapshot;
	const recipient = { type, name, ...namesOf(type, identifier) };
	return payout.instruct({ reference: id, accountId, amount: { value: amount, currency }, recipient, note }, realNow);
}
