// Operators close an account on which nothing is owed and nothing overpaid. Money that comes later is kept on it, to be refunded.

import { and, eq, notExists } from "drizzle-orm";
import * as z from "zod";
import { guarded, orStaleUnless } from "../../db/guards";
import { raise } from "../../events/raise";
import { held, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { findPending } from "../disbursements/model/store";
import { readView } from "./account-view.plan";
import { creditAccountClosed } from "./events";
import { findViews, theAccount } from "./ledger.store";
import { accountMembers } from "./postings/events.plan";
import { creditAccounts } from "./table";
import { CreditAccount, toCreditAccount } from "./wire";

export const closeAccount = operation({
	id: "closeAccount",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/close",
	summary: "Close a credit account on which nothing is owed",
	access: held(operator),
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }) },
	response: CreditAccount,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path }, services) {
		const { db, now } = services;
		const { pending, records } = await db.read({
			pending: findPending(db.orm, path.accountId),
			records: findViews(db.orm, theAccount(path.accountId)),
		});
		const view = readView(records, now);
		if (!view || view.account.status === "PENDING") throw new ApiError("NOT_FOUND");
		const { account, balance } = view;
		if (account.status === "CLOSED") throw new ApiError("INVALID_STATE", { description: "The account is closed" });
		if (balance.totalOutstanding > 0n) throw new ApiError("INVALID_STATE", { description: "The account still owes something" });
		if (balance.overpaid > 0n) throw new ApiError("INVALID_STATE", { description: "Refund what was overpaid first" });
		if (pending.length > 0) throw new ApiError("INVALID_STATE", { description: "A payout is on its way" });
		const closed = { status: "CLOSED" as const, nextWorkAt: null, updatedAt: now };
		const data = { ...accountMembers(account), closed_at: toTimestamp(now) };
		return services.commit(
			[
				orStaleUnless(notExists(findPending(db.orm, account.id))),
				guarded(
					db.orm
						.update(creditAccounts)
						.set(closed)
						.where(
							and(
								eq(creditAccounts.id, account.id),
								eq(creditAccounts.lastPosition, account.lastPosition),
								eq(creditAccounts.status, account.status),
							),
						),
				),
				raise(services, creditAccountClosed, { organizationId: account.organizationId, entityId: account.id, data }),
			],
			toCreditAccount({ ...view, account: { ...account, ...closed }, status: "CLOSED", mayTransact: false }),
		);
	},
});
