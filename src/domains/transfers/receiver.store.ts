// Finds who takes the money of a transfer: read in the payee's home, which need not be the payer's.

import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { isOpenOf } from "../current-accounts/accounts/store";
import { accountColumns } from "../current-accounts/ledger/store";
import { type CurrentAccountRow, currentAccounts } from "../current-accounts/table";
import { blocksSender } from "../payees/store";
import { payeeAccounts } from "../payees/table";
import { users } from "../users/table";

export type Sender = { readonly userId: string; readonly number: string | null };

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
