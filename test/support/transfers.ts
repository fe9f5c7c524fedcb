// Transfers between people, over HTTP.

import { createPayee } from "../../src/domains/payees/operations";
import { orderTransfer } from "../../src/domains/transfers/operations";
import { call, expectOk } from "./client";
import type { AccountInput } from "./payees";
import { type Person, SECOND } from "./two-homes";

export const payeeOf = async (payer: Pick<Person, "token">, account: AccountInput) => {
	const payee = expectOk(await call(createPayee, { as: payer.token, body: { accounts: [account] }, vars: SECOND }));
	const [first] = payee.accounts;
	if (!first) throw new Error("expected an account");
	return { payeeId: payee.id, accountId: first.id };
};

/** Creates an INTERNAL payee account for transfers from the payer to the other person. */
export const payeeFor = (payer: Pick<Person, "token">, payee: Pick<Person, "tag">) =>
	payeeOf(payer, { type: "INTERNAL", user_tag: payee.tag });

type Options = { vars?: object; headers?: Record<string, string>; note?: string };

export const transfer = (payer: Pick<Person, "token">, payee_account_id: string, amount: number, { vars, headers, note }: Options = {}) =>
	call(orderTransfer, {
		as: payer.token,
		body: { payee_account_id, amount, ...(note !== undefined && { note }) },
		vars: { ...SECOND, ...vars },
		...(headers && { headers }),
	});
