// Where a transfer goes, and whether the payee can take it: read in the payee's home, which need not be the payer's.

import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { MAX_BALANCE } from "../../runtime/current-account-terms";
import type { Services } from "../../runtime/services";
import { isOpenOf } from "../current-accounts/accounts/store";
import { accountColumns } from "../current-accounts/ledger/store";
import { RECEIVING_STATES } from "../current-accounts/lifecycle";
import { type CurrentAccountRow, currentAccounts } from "../current-accounts/table";
import { findLinkedHere, linkedUsers, wantedFor } from "../payees/linked-user.store";
import { blocksSender } from "../payees/store";
import { type PayeeAccountRow, payeeAccounts } from "../payees/table";
import { users } from "../users/table";

export type Sender = { readonly userId: string; readonly number: string | null };
/** An amount, and who sends it. */
export type Remittance = { readonly sender: Sender; readonly amount: number; readonly currency: string };

/** Whether the payee's account is in the same database, so that one commit can hold both sides. */
export const isBeside = (services: Services, userId: string): boolean => services.at(userId).db === services.db;

const { placeholder } = sql;

const selectReceiver = (orm: Orm, payeeUserId: SQL | Placeholder, senderId: Placeholder, number: SQL | Placeholder) =>
	orm
		.select({
			...accountColumns,
			blocksSender: sql<number>`${blocksSender(sql`current_accounts.user_id`, senderId, number)}`.as("blocks_sender"),
		})
		.from(currentAccounts)
		.where(isOpenOf(payeeUserId));
const receiverByUser = prebuilt((orm) => selectReceiver(orm, placeholder("payeeUserId"), placeholder("userId"), placeholder("number")));

/** The payee's open account, and whether they have blocked the sender. */
export const findReceiver = (payeeUserId: string, { userId, number }: Sender) => receiverByUser({ payeeUserId, userId, number });

const payeeBehind = sql`(select a.identifier from ${payeeAccounts} a
	where a.id = ${placeholder("payeeAccountId")} and a.user_id = ${placeholder("senderId")} and a.type = 'INTERNAL')`;
const numberOfSender = sql`(select u.mobile_number from ${users} u where u.id = ${placeholder("senderId")})`;
const receiverBehind = prebuilt((orm) => selectReceiver(orm, payeeBehind, placeholder("senderId"), numberOfSender));

/** The same for the user to whom an INTERNAL account of the sender's payees leads, if they are in the same database. */
export const findReceiverBehind = (payeeAccountId: string, senderId: string) => receiverBehind({ payeeAccountId, senderId });

const notBlocked = prebuilt((orm) =>
	orm.run(orStaleUnless(sql`not ${blocksSender(placeholder("payeeUserId"), placeholder("userId"), placeholder("number"))}`)),
);

/** Belongs to every commit that credits the payee: they may have blocked the sender meanwhile. */
export const orStaleIfBlocked = (payeeUserId: string, { userId, number }: Sender) => notBlocked({ payeeUserId, userId, number });

/** The payee's open account, as `findReceiver` reads it. */
export type Found = (CurrentAccountRow & { readonly blocksSender: number }) | undefined;

/** The account that takes the money, if one does. */
export function receiverOf(account: Found, { amount, currency }: Remittance): CurrentAccountRow | undefined {
	if (account?.blocksSender !== 0 || account.currency !== currency) return undefined;
	const receives = RECEIVING_STATES.some((status) => status === account.status) && account.balance + amount <= MAX_BALANCE;
	return receives ? account : undefined;
}

export type Route =
	/** `receiver` undefined: the payee takes no money from this sender. */
	| { readonly destination: "INTERNAL"; readonly userId: string; readonly receiver: CurrentAccountRow | undefined }
	| { readonly destination: "PAYOUT" };

/**
 * The way to the payee. A mobile number is looked up again, because it may have another holder by now: the money goes to the current
 * account of the user who has it, else to the number itself.
 */
export async function routeTo(
	services: Services,
	{ type, identifier }: PayeeAccountRow,
	remittance: Remittance,
	/** What `findReceiverBehind` has found. */
	behind: Found,
): Promise<Route> {
	if (type === "INTERNAL")
		return isBeside(services, identifier) ? routeBy(identifier, behind, remittance) : internal(services, identifier, remittance);
	if (type !== "SEND_MONEY") return { destination: "PAYOUT" };
	const wanted = await wantedFor(services, [{ kind: "PHONE", handle: identifier }]);
	const [here] = await services.db.read(findLinkedHere(services.db.orm, wanted));
	const [holder] = await linkedUsers(services, wanted, here);
	if (!holder || holder.userId === remittance.sender.userId) return { destination: "PAYOUT" };
	const route = await internal(services, holder.userId, remittance);
	return route.hasAccount ? route : { destination: "PAYOUT" };
}

async function internal(services: Services, userId: string, remittance: Remittance) {
	const { db } = services.at(userId);
	const [[account]] = await db.read(findReceiver(userId, remittance.sender));
	return routeBy(userId, account, remittance);
}

function routeBy(userId: string, account: Found, remittance: Remittance) {
	const hasAccount = account?.currency === remittance.currency && account.status !== "PENDING";
	return { destination: "INTERNAL", userId, receiver: receiverOf(account, remittance), hasAccount } as const;
}
