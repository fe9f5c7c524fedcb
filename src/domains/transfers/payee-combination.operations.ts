// Combines two payees: one remains with the accounts of both. Open transfers to the deleted payee then name the payee that remains.

import * as z from "zod";
import { user } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError, badInput } from "../../shared/errors";
import { combineInto } from "../payees/plan";
import { combine, MAX_ACCOUNTS } from "../payees/policy";
import { findPayee } from "../payees/store";
import { Payee, toPayee } from "../payees/wire";
import { repointOpen } from "./store";

export const combinePayees = operation({
	id: "combinePayees",
	method: "POST",
	path: "/v1/user/payees/{payeeId}/combine",
	summary: "Move another payee's accounts to this one, and delete the other",
	description: "The payee is blocked if either was. Of an account that both have, one remains, with the uses of both.",
	access: user,
	request: { path: z.object({ payeeId: z.uuid().toLowerCase() }), body: z.object({ source_payee_id: z.uuid().toLowerCase() }) },
	response: Payee,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller: { userId } }, services) {
		const { db } = services;
		if (body.source_payee_id === path.payeeId) throw badInput("source_payee_id", "must be another payee", "NOT_ALLOWED");
		const found = await db.read({
			target: findPayee(db.orm, path.payeeId, userId),
			source: findPayee(db.orm, body.source_payee_id, userId),
		});
		const { payee: target, accounts: targetAccounts } = found.target;
		const { payee: source, accounts: sourceAccounts } = found.source;
		if (!target || !source) throw new ApiError("NOT_FOUND");
		const [into, from] = [
			{ payee: target, accounts: targetAccounts },
			{ payee: source, accounts: sourceAccounts },
		];
		const combination = combine(into, from);
		if (combination.accounts.length > MAX_ACCOUNTS) {
			throw new ApiError("INVALID_STATE", { description: `A payee has at most ${MAX_ACCOUNTS} accounts` });
		}
		const { payee, writes } = combineInto(services, from, into, combination);
		const accounts = combination.accounts.map((account) => ({ ...account, payeeId: target.id }));
		const { joined } = combination;
		const moved = combination.moved.map(({ id }) => id);
		const repointed = [
			...joined.map(({ kept, double }) => repointOpen(db.orm, [double.id], { payeeId: target.id, payeeAccountId: kept.id })),
			...(moved.length > 0 ? [repointOpen(db.orm, moved, { payeeId: target.id })] : []),
		];
		return services.commit([...writes, ...repointed], toPayee(payee, accounts));
	},
});
