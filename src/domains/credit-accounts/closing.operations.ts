// Operators close an account on which nothing is owed.

import * as z from "zod";
import { held, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { readView } from "./account-view.plan";
import { findToClose, planClosing } from "./closing.plan";
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
		const { pending, records } = await db.read(findToClose(db.orm, path.accountId));
		const view = readView(records, now);
		if (!view || view.account.status === "PENDING") throw new ApiError("NOT_FOUND");
		const plan = planClosing(services, view, pending);
		if (!plan.accepted) throw new ApiError("INVALID_STATE", { description: plan.description });
		const account = { ...view.account, ...plan.closed };
		return services.commit(plan.writes, toCreditAccount({ ...view, account, status: "CLOSED", mayTransact: false }));
	},
});
