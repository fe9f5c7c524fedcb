// Carries transfers out after the commit that ordered them, and again until their end is known. Between two homes the payee's decides
// first, once: its row says CREDITED or REFUSED, and only then the payer's home settles or releases. No hold ends by time alone.

import { StaleWrite, UniqueViolation } from "../../db/database";
import { MOST_CONNECTIONS } from "../../runtime/connections";
import type { JobServices, Services } from "../../runtime/services";
import { DAY_MS } from "../../shared/time";
import { findAccountById } from "../current-accounts/accounts/store";
import { namesOf } from "../payees/wire";
import { FAILURES } from "./lifecycle";
import { creditIn, receiverOf } from "./order.plan";
import { complete, fail } from "./plan";
import { countAttempt, findDueTransfers, findIncoming, findReceiver, findTransfer, markTaken } from "./store";
import { type IncomingTransferRow, incomingTransfers, type TransferRow } from "./table";

/** Other entries of the same account may come in between; each round is a fresh read. */
const MAX_ROUNDS = 5;

/** Takes one portion of the transfers that have something due. Whether more may be waiting. */
export async function workOnTransfers(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [due] = await db.read(findDueTransfers(db.orm, now, MOST_CONNECTIONS));
	await Promise.all(due.map((row) => (row.status === "AWAITING_OTP" ? end(services, row.id, expired) : executeAgain(services, row))));
	return due.length === MOST_CONNECTIONS;
}

async function executeAgain(services: JobServices, row: TransferRow): Promise<void> {
	const { db, now, log } = services;
	if (row.createdAt <= now - DAY_MS) log.error("a transfer is pending for more than a day", undefined, { transfer_id: row.id });
	try {
		await services.commit([countAttempt(db.orm, row, now)]);
	} catch (error) {
		// Another sweep carries it out, or it has ended.
		if (error instanceof StaleWrite) return;
		throw error;
	}
	await executeTransfer(services, row);
}

/** Carries the transfer out once the answer is on its way. Its attempt is counted already. */
export const executeSoon = (services: Services, row: TransferRow): void => {
	if (row.status === "PENDING") services.afterwards((job) => executeTransfer(job, row));
};

/** Makes one attempt, which is counted already. */
export async function executeTransfer(services: JobServices, row: TransferRow): Promise<void> {
	if (row.payeeUserId === null) return instruct(services, row);
	const outcome = await decide(services.at(row.payeeUserId), { ...row, payeeUserId: row.payeeUserId });
	await end(services, row.id, outcome === "CREDITED" ? complete : refused);
}

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
		const [[known], [account]] = await db.read(findIncoming(db.orm, id), findReceiver(payeeUserId, sender));
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
		const [[row]] = await db.read(findTransfer(db.orm, id));
		if (!row || row.completedAt !== null) return;
		// The code came in before the transfer expired.
		if (ending === expired && row.status !== "AWAITING_OTP") return;
		const [[account]] = await db.read(findAccountById(db.orm, row.accountId));
		if (!account) throw new Error("the account of a transfer is missing");
		try {
			await services.commit(ending(services, row, account).writes);
			return;
		} catch (error) {
			if (!(error instanceof StaleWrite) || round === MAX_ROUNDS) throw error;
		}
	}
}

/** Tells the payout provider. Whatever it answers, only its report ends the transfer. */
async function instruct(services: JobServices, { id, accountId, amount, currency, snapshot, note }: TransferRow): Promise<void> {
	const { payout } = services.providers;
	if (payout?.kind !== "remote") return;
	const { type, identifier, name } = snapshot;
	const recipient = { type, name, ...namesOf(type, identifier) };
	const instruction = { reference: id, accountId, amount: { value: amount, currency }, recipient, note };
	if ((await payout.instruct(instruction, services.realNow)) !== "ACCEPTED") return;
	await services.commit([markTaken(services.db.orm, id)]);
}
