// Builds the statements on transfers.

import { and, eq, inArray, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { insertOf, prebuilt } from "../../db/prebuilt";
import { type Reader, reachOf } from "../../db/reach";
import { fact } from "../../db/reads";
import { findAccountById, isOpenOf } from "../current-accounts/accounts/store";
import { accountColumns } from "../current-accounts/ledger/store";
import { type CurrentAccountRow, currentAccounts } from "../current-accounts/table";
import { cautionSince, hasChangedSince } from "../mobile-number-changes/store";
import { blocksSender, findPayeeAccount } from "../payees/store";
import { payeeAccounts, payees } from "../payees/table";
import { users } from "../users/model/table";
import { incomingTransfers, transfers } from "./table";

const transfer = alias(transfers, "transfer");
const eachPayeeAccount = alias(payeeAccounts, "payee_account");
const payee = alias(payees, "payee");
const user = alias(users, "user");

const { placeholder } = sql;

const senderById = prebuilt((orm) =>
	orm
		.select({
			id: users.id,
			mobileNumber: users.mobileNumber,
			email: users.email,
			name: sql<string>`coalesce(${users.displayName}, ${users.tag})`.as("name"),
			numberChanged: sql<number>`${hasChangedSince(placeholder("id"), placeholder("since"))}`.as("number_changed"),
		})
		.from(users)
		.where(eq(users.id, placeholder("id"))),
);

/** Who orders a transfer, and whether their number has changed so recently that transfers are limited. */
export const findSender = (id: string, now: number) => senderById({ id, since: cautionSince(now) });

export const findTransfer = (orm: Orm, id: string) => orm.select().from(transfers).where(eq(transfers.id, id));

/** The account that a transfer pays from. */
export const findAccountOf = (orm: Orm, id: string) =>
	findAccountById(orm, sql`(select ${transfer.accountId} from ${transfers} ${transfer} where ${transfer.id} = ${id})`);

export const findOwnTransfer = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(transfers)
		.where(and(eq(transfers.id, id), eq(transfers.userId, userId)));

/** The transfer, if the caller reaches it. */
export const findReachedTransfer = (orm: Orm, id: string, caller: Reader) =>
	orm
		.select()
		.from(transfers)
		.where(and(eq(transfers.id, id), reachOf(caller, transfers)));

export const findDueTransfers = (orm: Orm, now: number, limit: number) =>
	orm.select().from(transfers).where(lte(transfers.nextAttemptAt, now)).orderBy(transfers.nextAttemptAt).limit(limit);

export const findIncoming = (orm: Orm, transferId: string) =>
	orm.select().from(incomingTransfers).where(eq(incomingTransfers.transferId, transferId));

/** Makes the next attempt due now. Stale if the provider has taken the instruction by then, or the transfer has ended. */
export const executeSooner = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(transfers)
			.set({ nextAttemptAt: now })
			.where(and(eq(transfers.id, id), eq(transfers.status, "PENDING"), eq(transfers.taken, false))),
	);

/** The payout provider has the instruction. From here on only its report ends the transfer. */
export const markTaken = (orm: Orm, id: string): Write =>
	orm
		.update(transfers)
		.set({ taken: true, nextAttemptAt: null })
		.where(and(eq(transfers.id, id), eq(transfers.status, "PENDING")));

/** When payees are combined, open transfers name the account that remains, so that they count as its uses. */
export const repointOpen = (orm: Orm, payeeAccountIds: readonly string[], to: { payeeId: string; payeeAccountId?: string }): Write =>
	orm
		.update(transfers)
		.set(to)
		.where(and(inArray(transfers.payeeAccountId, [...payeeAccountIds]), sql`${transfers.status} in ('AWAITING_OTP', 'PENDING')`));

export const insertTransfer = insertOf(transfers);

/** The payee's account that a user pays. The commit is stale if its holder has changed since, or the user has blocked the payee. */
export const payeeAccount = (accountId: string, userId: string) =>
	fact(findPayeeAccount(accountId, userId), {
		unchanged: ({
			linkedUserId,
			holderChangedAt,
		}) => sql`exists (select 1 from ${payeeAccounts} ${eachPayeeAccount} join ${payees} ${payee} on ${payee.id} = ${eachPayeeAccount.payeeId}
			where ${eachPayeeAccount.id} = ${accountId} and not ${payee.isBlocked}
				and ${eachPayeeAccount.linkedUserId} is ${linkedUserId} and ${eachPayeeAccount.holderChangedAt} is ${holderChangedAt})`,
	});

export type Sender = { readonly userId: string; readonly number: string | null };

const selectReceiver = (orm: Orm, payeeUserId: SQL | Placeholder, senderId: Placeholder, number: SQL | Placeholder) =>
	orm
		.select({
			...accountColumns,
			blocksSender: sql<number>`${blocksSender(sql`${currentAccounts.userId}`, senderId, number)}`.as("blocks_sender"),
		})
		.from(currentAccounts)
		.where(isOpenOf(payeeUserId));
const receiverByUser = prebuilt((orm) => selectReceiver(orm, placeholder("payeeUserId"), placeholder("userId"), placeholder("number")));

/** The payee's open account, and whether they have blocked the sender. */
export const findReceiver = (payeeUserId: string, { userId, number }: Sender) => receiverByUser({ payeeUserId, userId, number });

const payeeBehind = sql`(select ${eachPayeeAccount.identifier} from ${payeeAccounts} ${eachPayeeAccount}
	where ${eachPayeeAccount.id} = ${placeholder("payeeAccountId")} and ${eachPayeeAccount.userId} = ${placeholder("senderId")} and ${eachPayeeAccount.type} = 'INTERNAL')`;

const numberOfSender = sql`(select ${user.mobileNumber} from ${users} ${user} where ${user.id} = ${placeholder("senderId")})`;

const receiverBehind = prebuilt((orm) => selectReceiver(orm, payeeBehind, placeholder("senderId"), numberOfSender));

/** The same for the user whom an INTERNAL account of the sender's payee names, if they are in the same database. */
export const findReceiverBehind = (payeeAccountId: string, senderId: string) => receiverBehind({ payeeAccountId, senderId });

const notBlocked = prebuilt((orm) =>
	orm.run(orStaleUnless(sql`not ${blocksSender(placeholder("payeeUserId"), placeholder("userId"), placeholder("number"))}`)),
);

/** Belongs to every commit that credits the payee: they may have blocked the sender meanwhile. */
export const orStaleIfBlocked = (payeeUserId: string, { userId, number }: Sender) => notBlocked({ payeeUserId, userId, number });

/** The payee's open account, as `findReceiver` reads it. */
export type Found = (CurrentAccountRow & { readonly blocksSender: number }) | undefined;
