// Which accounts a payment may have been meant for: what the payer wrote, read as an account number, a tag, a mobile number or a name.

import { call } from "../../api.ts";
import type { CreditAccount, PlatformUser } from "../../typed.ts";
import { usersSaid } from "../said.ts";
import { namesIn } from "./payer-wrote.ts";

export interface Candidate {
	readonly account: CreditAccount;
	readonly borrower?: PlatformUser | undefined;
	/** Why it may be the one. */
	readonly because: string;
}

type Reach = { readonly organization?: null };

/** Credit accounts in the payment's currency that the text may name. */
export async function candidatesFor(text: string, currency: string, reach: Reach): Promise<readonly Candidate[]> {
	const { accountNumber, user } = namesIn(text, currency);
	const [byNumber, byUser] = await Promise.all([
		accountNumber ? accountsOf({ account_number: accountNumber }, reach) : [],
		accountsSaid(user ?? text, reach),
	]);
	const found = new Map<string, Candidate>();
	for (const account of byNumber) found.set(account.id, { account, because: `Account number ${accountNumber}` });
	for (const account of byUser)
		if (!found.has(account.id)) found.set(account.id, { account, because: `Found by ${(user ?? text).trim()}` });
	const candidates = [...found.values()].filter(({ account }) => account.currency === currency);
	if (candidates.length === 0) return [];
	const ids = [...new Set(candidates.map(({ account }) => account.user_id))].slice(0, 100);
	const { data } = await call("GET /v1/platform/users", { query: { ids }, ...reach });
	const people = new Map(data.map((one) => [one.id, one]));
	return candidates.map((one) => ({ ...one, borrower: people.get(one.account.user_id) }));
}

async function accountsOf(query: { account_number: string } | { user_id: string }, reach: Reach): Promise<CreditAccount[]> {
	const { data } = await call("GET /v1/accounts", { query, ...reach });
	return data.filter((account) => account.type === "CREDIT");
}

async function accountsSaid(text: string, reach: Reach): Promise<CreditAccount[]> {
	const users = await usersSaid(text, reach);
	const accounts = await Promise.all(users.map((user_id) => accountsOf({ user_id }, reach)));
	return accounts.flat();
}
