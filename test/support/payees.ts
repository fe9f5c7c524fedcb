// Payees, created over HTTP.

import type * as z from "zod";
import { names } from "../../src/db/names.table";
import { createPayee } from "../../src/domains/payees/operations";
import type { PayeeAccountInput } from "../../src/domains/payees/wire";
import { call, expectOk } from "./client";
import { db } from "./factories";

export type AccountInput = z.input<typeof PayeeAccountInput>;

export const sendMoney = (mobile_number: string, account_holder_name?: string): AccountInput => ({
	type: "SEND_MONEY",
	mobile_number,
	...(account_holder_name !== undefined && { account_holder_name }),
});

/** Registers the user's tag in the directory. */
export async function givenTag(userId: string): Promise<string> {
	const tag = `@${userId.slice(-12)}`;
	await db.insert(names).values({ kind: "TAG", value: tag, id: userId, createdAt: Date.now() });
	return tag;
}

export const givenPayee = async (as: string, label: string | null, ...accounts: AccountInput[]) =>
	expectOk(await call(createPayee, { as, body: { label, accounts } }));
