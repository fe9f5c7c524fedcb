// Users whose money somebody tries to move with a stolen credential, as much of it as possible.

import { eq } from "drizzle-orm";
import { payeeAccounts } from "../../../src/domains/payees/table";
import { orderTransfer } from "../../../src/domains/transfers/operations";
import { type Access, isPublic } from "../../../src/http/callers/access";
import { call } from "../../support/client";
import { wrongCode } from "../../support/current-accounts";
import { everyDatabase } from "../../support/databases";
import { title } from "../../support/doors";
import { db } from "../../support/factories";
import { givenPayee } from "../../support/payees";
import type { Vars } from "../../support/serve";
import type { ValidRequest } from "../../support/valid-request";
import { changes } from "./moved";

/** The thresholds of production. */
export const T = 1_000_000;
export const N = 50_000;
export const VARS = { TRANSFER_OTP_ABOVE: String(T), NEW_PAYEE_OTP_ABOVE: String(N) };
/** A user's whole money, in the tests that try to move as much as possible. */
export const WEALTH = 100_000_000;

/** What has left the user's current accounts, or is on its way; repaying a loan of their own takes nothing from them. */
export async function leftOf(userId: string): Promise<number> {
	const row = await everyDatabase
		.prepare(`select
			(select coalesce(-sum(e.amount), 0) from current_accounts a join current_account_entries e on e.account_id = a.id
				where a.user_id = ?1 and e.amount < 0 and e.type <> 'LOAN_REPAYMENT')
			+ (select coalesce(sum(amount), 0) from transfers where user_id = ?1 and status = 'PENDING') as total`)
		.bind(userId)
		.first<{ total: number }>();
	return row?.total ?? Number.NaN;
}

/** The request as somebody sends it who does not get the codes. */
export function guessed({ body, ...request }: ValidRequest): ValidRequest {
	if (!body) return request;
	return { ...request, body: "otp_code" in body ? { ...body, otp_code: wrongCode(String(body.otp_code)) } : body };
}

/** The operations that change something and that one of these credentials opens. */
export const openTo = (...doors: readonly (keyof Access)[]) =>
	changes.filter(({ access }) => isPublic(access) || doors.some((door) => access[door])).map((op) => [title(op), op] as const);

let tills = 200_000;
/** An account of a payee, which the owner has confirmed by a code or not. */
export async function payable(token: string, confirmed: boolean): Promise<string> {
	const { accounts } = await givenPayee(token, null, { type: "BUY_GOODS", till_number: String(tills++) });
	const id = accounts[0]?.id ?? "";
	if (confirmed) await db.update(payeeAccounts).set({ confirmedAt: 1 }).where(eq(payeeAccounts.id, id));
	return id;
}

/** Orders many transfers, of which some ask for a code that the thief does not have. */
export async function drain(token: string, accountIds: readonly string[], amounts: readonly number[], vars: Vars = VARS): Promise<void> {
	for (const payee_account_id of accountIds)
		for (const amount of amounts) await call(orderTransfer, { as: token, body: { payee_account_id, amount }, vars });
}
