// Orders, confirms, lists and reads transfers from the user's current account to a saved payee.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { orStaleUnless } from "../../db/guards";
import { byCreation } from "../../db/keyset";
import { first, loose } from "../../db/reads";
import { findSpent, fits, issuerWindow, spend } from "../../http/amount-windows";
import { user } from "../../http/callers/access";
import { homeOfCaller, operation } from "../../http/operation";
import { Links, listReply, openPage, paging } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError, invalidState, LostRace, wrongState } from "../../shared/errors";
import { findAccountById, findOpenAccount, isSpending } from "../current-accounts/accounts/store";
import { findLastRecovery } from "../current-accounts/caution.store";
import { clearUncoded } from "../current-accounts/ledger/store";
import { maySpend, notActive } from "../current-accounts/lifecycle";
import { carryOut, tryCode } from "../otp/procedure";
import { consumeChallenge } from "../otp/store";
import { OtpConfirmation, SEND_REASONS, TRY_REASONS } from "../otp/wire";
import { confirmAccount } from "../payees/store";
import { homeOfUser, lendingReader, ofUser, userNamed } from "../users/model/callers";
import { findReachedUser } from "../users/model/store";
import { executeSoon } from "./job";
import { FAILURES } from "./lifecycle";
import { noticesOf } from "./notices.plan";
import { creditInSameCommit, isInSameDatabase, receiverOf } from "./order.plan";
import { judgeOrder, ORDER_REASONS } from "./order.policy";
import { PURPOSE, placeOrder } from "./order.procedure";
import { complete, confirm, fail } from "./plan";
import { findOwnTransfer, findReachedTransfer, findReceiver, findReceiverBehind, findSender, payeeAccount } from "./store";
import { type TransferRow, transfers } from "./table";
import { findReceived } from "./transaction.store";
import { Transfer, toReceivedTransfer, toTransfer } from "./wire";

const path = z.object({ transferId: z.uuid().toLowerCase() });

export const orderTransfer = operation({
	id: "orderTransfer",
	method: "POST",
	path: "/v1/user/transfers",
	summary: "Transfer money to an account of a payee",
	description:
		"COMPLETED: the money has arrived. PENDING: it is on its way. AWAITING_OTP: it waits five minutes for a one-time password. A transfer needs one if transfers without one would exceed a limit: in a day, since the owner's last password, in a day to payees no password has confirmed, or in a day by all users of the session's issuer. The money of an open transfer is part of the account's hold_amount.",
	access: user,
	request: {
		body: z.object({
			payee_account_id: z.uuid().toLowerCase(),
			amount: z.int().min(1),
			note: z
				.string()
				.trim()
				.min(1)
				.max(140)
				.regex(/^\P{Cc}*$/u, "must not contain control characters")
				.nullish(),
		}),
	},
	response: Transfer,
	status: 201,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE", "PAYEE_CHANGED"],
	reasons: [...ORDER_REASONS, "SIM_EXCHANGED", ...SEND_REASONS],
	async handle({ body: { payee_account_id, amount, note = null }, caller }, services) {
		const { payout } = services.providers;
		const { userId } = caller;
		const window = issuerWindow(caller, amount);
		const { payee, wallet, payer, receiver, recovery, spent } = await services.db.read({
			payee: payeeAccount(payee_account_id, userId),
			wallet: first(findOpenAccount(userId)),
			payer: first(findSender(userId, services.now)),
			receiver: first(findReceiverBehind(payee_account_id, userId)),
			recovery: first(findLastRecovery(userId)),
			spent: window && first(findSpent(services, window)),
		});
		if (!payout) throw new ApiError("SERVICE_UNAVAILABLE");
		if (!payee || !payer) throw new ApiError("NOT_FOUND", { description: "There is no such payee account" });
		const fitsIssuer = !window || fits(window, spent?.uses ?? 0);
		const facts = { wallet, payee, recovery, numberChanged: payer.numberChanged === 1, fitsIssuer };
		const judged = judgeOrder(facts, amount, caller, services);
		if (judged.refusal) throw judged.refusal;
		const { row, writes, options } = await placeOrder(services, { ...judged, payer, payee, receiver, amount, note, payout });
		const isUncoded = row.status === "PENDING" || row.status === "COMPLETED";
		const spending = window && isUncoded ? [spend(services, window)] : [];
		return services.commit([...writes, ...spending], toTransfer(row), options);
	},
});

export const confirmTransfer = operation({
	id: "confirmTransfer",
	method: "POST",
	path: "/v1/user/transfers/{transferId}/confirm",
	summary: "Confirm a transfer with the one-time password",
	access: user,
	request: { path, body: OtpConfirmation },
	response: Transfer,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: [...ORDER_REASONS, ...TRY_REASONS],
	async handle({ path, body, caller: { userId } }, services) {
		const { db, now, providers } = services;
		const seen = await db.read(first(findOwnTransfer(db.orm, path.transferId, userId)));
		if (!seen) throw new ApiError("NOT_FOUND");
		if (!providers.payout) throw new ApiError("SERVICE_UNAVAILABLE");
		if (!isAwaited(seen, now)) throw notAwaited(seen);
		const challenge = await tryCode(
			services,
			seen.challengeId ?? "",
			{ purpose: PURPOSE, subject: userId, resource: seen.id },
			body.otp_code,
		);
		return carryOut(services, challenge, async () => {
			const { row, account, sender, payee } = await db.read({
				row: first(findOwnTransfer(db.orm, seen.id, userId)),
				account: first(findAccountById(db.orm, seen.accountId)),
				sender: first(findSender(userId, now)),
				// Loose, because the commit of the order already demanded that the payee is as the payer saw them.
				payee: loose(payeeAccount(seen.payeeAccountId, userId)),
			});
			if (!row || !account || !isAwaited(row, now)) throw new LostRace();
			if (!maySpend(account.status)) throw notActive(account);
			const moved = await moveByCode(services, row, account);
			const writes = [
				consumeChallenge(db.orm, challenge, now),
				orStaleUnless(isSpending(account.id)),
				...moved.writes,
				clearUncoded(db.orm, account.id),
				confirmAccount(db.orm, row.payeeAccountId, row.createdAt, now),
				...(await noticesOf(services, sender, moved.row, payee)),
				...executeSoon(services, moved.row),
			];
			return services.commit(writes, toTransfer(moved.row));
		});
	},
});

const notAwaited = ({ status }: TransferRow) =>
	status === "AWAITING_OTP"
		? invalidState("The time for the transfer's code is over: order it again")
		: wrongState("The transfer", status, ["AWAITING_OTP"]);

const isAwaited = ({ status, nextAttemptAt }: TransferRow, now: number) => status === "AWAITING_OTP" && (nextAttemptAt ?? 0) > now;

/** Moves a transfer whose code is right: to its end where one commit can do that, else to PENDING. */
async function moveByCode(
	services: Services,
	row: TransferRow,
	account: Parameters<typeof complete>[2],
): Promise<ReturnType<typeof complete>> {
	const { payout } = services.providers;
	if (row.payeeUserId === null) {
		return payout?.kind === "embedded" ? complete(services, row, account, payout.pay(row.id)) : confirm(services, row);
	}
	if (!isInSameDatabase(services, row.payeeUserId)) return confirm(services, row);
	const sender = { userId: row.userId, number: row.payerNumber };
	const payeeAccount = await services.db.read(first(findReceiver(row.payeeUserId, sender)));
	const receiver = receiverOf(payeeAccount, { sender, amount: row.amount, currency: row.currency });
	if (!receiver) return fail(services, row, account, FAILURES.refused);
	const completed = complete(services, row, account);
	return { row: completed.row, writes: [...completed.writes, ...(await creditInSameCommit(services, row, receiver))] };
}

export const listTransfers = operation({
	id: "listTransfers",
	method: "GET",
	path: "/v1/user/transfers",
	summary: "The user's transfers, newest first",
	access: lendingReader,
	home: homeOfUser,
	request: { query: z.object({ ...paging, ...ofUser }) },
	response: z.object({ data: z.array(Transfer), links: Links }),
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ query, caller }, services) {
		const { db } = services;
		const userId = userNamed(caller, query.user_id);
		const { statement, page } = await openPage(services, query, {
			list: "transfers",
			owner: userId,
			filters: {},
			select: (orm) => orm.select().from(transfers).$dynamic(),
			key: byCreation(transfers),
			where: eq(transfers.userId, userId),
		});
		const { found, rows } = await db.read({
			found: first(findReachedUser(db.orm, userId, caller)),
			rows: statement,
		});
		if (!found) throw new ApiError("NOT_FOUND", { description: "There is no such user" });
		return listReply(services, await page(rows), toTransfer);
	},
});

export const getTransfer = operation({
	id: "getTransfer",
	method: "GET",
	path: "/v1/user/transfers/{transferId}",
	summary: "A transfer",
	description: "For the payer, and once the money has arrived for the payee.",
	access: lendingReader,
	// A user's home has the transfers that they ordered and the money that arrived; for other callers the id names the payer's home.
	home: ({ path, caller }) => homeOfCaller(caller) ?? path.transferId,
	request: { path },
	response: Transfer,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, { db }) {
		const { ordered, received } = await db.read({
			ordered: first(findReachedTransfer(db.orm, path.transferId, caller)),
			received: first(findReceived(db.orm, path.transferId, caller)),
		});
		if (ordered) return toTransfer(ordered);
		if (received) return toReceivedTransfer(received);
		throw new ApiError("NOT_FOUND");
	},
});
