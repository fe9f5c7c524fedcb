// Tips: a user gives a payee money at once, from one current account to another.

import * as z from "zod";
import { first } from "../../../src/db/reads";
import { findOpenAccount } from "../../../src/domains/current-accounts/accounts/store";
import { findLastRecovery } from "../../../src/domains/current-accounts/caution.store";
import { post, transferOut } from "../../../src/domains/current-accounts/ledger/plan";
import { creditIn, receiverOf } from "../../../src/domains/transfers/order.plan";
import { judgeOrder } from "../../../src/domains/transfers/order.policy";
import { findReceiverBehind, findSender, payeeAccount } from "../../../src/domains/transfers/store";
import { raise } from "../../../src/events/raise";
import { user } from "../../../src/http/callers/access";
import { operation } from "../../../src/http/operation";
import { ApiError, invalidState } from "../../../src/shared/errors";
import { tipGiven } from "./events";

const Tip = z.object({ id: z.uuid(), amount: z.int(), currency: z.string() }).meta({ id: "Tip" });

export const giveTip = operation({
	id: "giveTip",
	method: "POST",
	path: "/v1/user/tips",
	summary: "Give a tip to a payee who has a current account",
	access: user,
	request: { body: z.object({ payee_account_id: z.uuid().toLowerCase(), amount: z.int().min(1) }) },
	response: Tip,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ body: { payee_account_id, amount }, caller }, services) {
		const { userId } = caller;
		const { payee, wallet, payer, receiver, recovery } = await services.db.read({
			payee: payeeAccount(payee_account_id, userId),
			wallet: first(findOpenAccount(userId)),
			payer: first(findSender(userId, services.now)),
			receiver: first(findReceiverBehind(payee_account_id, userId)),
			recovery: first(findLastRecovery(userId)),
		});

		if (!payee || !payer) throw new ApiError("NOT_FOUND", { description: "There is no such payee account" });
		const facts = { wallet, payee, recovery, numberChanged: payer.numberChanged === 1, fitsIssuer: caller.through === undefined };
		const judged = judgeOrder(facts, amount, caller, services);
		if (judged.refusal) throw judged.refusal;
		if (judged.needsCode) throw invalidState("The amount needs a one-time password: order a transfer");
		const from = judged.wallet;
		const sender = { userId, number: payer.mobileNumber };
		const to = receiverOf(receiver, { sender, amount, currency: from.currency });
		if (!to) throw invalidState("The payee takes no tips");

		const id = services.newId();
		const { dailyTransferLimit: dailyLimit, withoutCode: limits } = judged.limits;
		const withoutCode = { toNewPayee: payee.confirmedAt === null, limits };
		const data = { tip_id: id, account_id: from.id, amount };
		return services.commit(
			[
				...post(services, from, transferOut({ sourceId: id, amount, contra: "TRANSFER", dailyLimit, withoutCode })),
				...(await creditIn(services, { id, amount }, to, sender)),
				raise(services, tipGiven, { organizationId: from.organizationId, entityId: id, data }),
			],
			{ id, amount, currency: from.currency },
		);
	},
});
