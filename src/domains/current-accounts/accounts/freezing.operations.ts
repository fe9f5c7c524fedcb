// Operators freeze a current account and release it again. A frozen one takes money, earns interest and spends nothing.

import * as z from "zod";
import { first } from "../../../db/reads";
import { alone, held, operator } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import type { HandlerServices } from "../../../runtime/services";
import { ApiError, wrongState } from "../../../shared/errors";
import { findUser } from "../../users/model/store";
import { localDayOf } from "../ledger/interest.policy";
import { planFreezing } from "./freezing.plan";
import { findAccountById, ownerOf } from "./store";
import { CurrentAccount, toCurrentAccount } from "./wire";

const request = {
	path: z.object({ accountId: z.uuid().toLowerCase() }),
	body: z.strictObject({ reason: z.string().trim().min(1).max(255) }),
};

type Input = { path: { accountId: string }; body: { reason: string } };

async function move({ path, body: { reason } }: Input, services: HandlerServices, by: "freeze" | "unfreeze") {
	const { db, now, config } = services;
	const { account, owner } = await db.read({
		account: first(findAccountById(db.orm, path.accountId)),
		owner: first(findUser(db.orm, ownerOf(path.accountId))),
	});
	if (!account) throw new ApiError("NOT_FOUND");
	const plan = await planFreezing(services, account, { by, reason, owner });
	if (!plan) throw wrongState("The account", account.status, [by === "freeze" ? "ACTIVE" : "FROZEN"]);
	const { status, writes } = plan;
	return services.commit(
		writes,
		toCurrentAccount({ ...account, status, updatedAt: now }, config.CURRENT_ACCOUNTS, localDayOf(account, now)),
	);
}

export const freezeAccount = operation({
	id: "freezeAccount",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/freeze",
	summary: "Freeze a current account",
	description: "It takes money and spends nothing until it is released. Transfers that are on their way end as usual.",
	access: alone(operator),
	home: ({ path }) => path.accountId,
	request,
	response: CurrentAccount,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	handle: (input, services) => move(input, services, "freeze"),
});

export const unfreezeAccount = operation({
	id: "unfreezeAccount",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/unfreeze",
	summary: "Release a frozen current account",
	access: held(operator),
	home: ({ path }) => path.accountId,
	request,
	response: CurrentAccount,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	handle: (input, services) => move(input, services, "unfreeze"),
});
