// Whom somebody means by what they say over the telephone: a mobile number, a name, a @tag, the number of an account.

import { call } from "../api.ts";
import type { BodyOf } from "../typed.ts";

/** As the search takes them. */
export const LEAST_SAID = 2;
export const MOST_SAID = 64;

type Found = BodyOf<"GET /v1/search">;

/** The users whom the search has found by themselves or by their accounts. */
export const usersFound = ({ users, accounts }: Found): readonly string[] => [
	...new Set([...users.map(({ id }) => id), ...accounts.map(({ user_id }) => user_id)]),
];

/** The ids of the users who may be meant; of accounts' owners too. */
export async function usersSaid(text: string, reach: { readonly organization?: null }): Promise<readonly string[]> {
	const q = text.trim().slice(0, MOST_SAID);
	return q.length < LEAST_SAID ? [] : usersFound(await call("GET /v1/search", { query: { q }, ...reach }));
}
