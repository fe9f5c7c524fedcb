// Lists the entries that moved the balance of a current account.

import * as z from "zod";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, openPage, paging } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { findReachedOpen, openAccountOf } from "../current-accounts/accounts/store";
import { byPosting } from "../current-accounts/ledger/statement.store";
import { NO_OPEN_ACCOUNT } from "../current-accounts/lifecycle";
import { homeOfUser, lendingReader, ofUser, userNamed } from "../users/model/callers";
import { moves, movesWithParties } from "./transaction.store";
import { CurrentAccountTransaction, toTransaction } from "./transaction.wire";

export const listCurrentAccountTransactions = operation({
	id: "listCurrentAccountTransactions",
	method: "GET",
	path: "/v1/user/accounts/current/transactions",
	summary: "List the movements of the user's current account, newest first",
	access: lendingReader,
	home: homeOfUser,
	request: { query: z.object({ ...paging, ...ofUser }) },
	response: z.object({ data: z.array(CurrentAccountTransaction), links: Links }),
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ query, caller }, services) {
		const { db } = services;
		const userId = userNamed(caller, query.user_id);
		const { statement, page } = await openPage(services, query, {
			list: "current-account-moves",
			owner: `user:${userId}`,
			filters: {},
			select: movesWithParties,
			key: byPosting("newest"),
			where: moves(openAccountOf(userId)),
		});
		const { account, rows } = await db.read({
			account: first(findReachedOpen(db.orm, userId, caller)),
			rows: statement,
		});
		if (!account) throw new ApiError("NOT_FOUND", { description: NO_OPEN_ACCOUNT });
		return listReply(services, await page(rows), (row) => toTransaction(row, account.currency));
	},
});
