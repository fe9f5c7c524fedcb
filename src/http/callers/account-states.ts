// What isolates remember of users' accounts and of organizations' references, and how an account is read.

import { chosenLocale, shownIn } from "../../messages/texts";
import type { Services } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import type { Locale } from "../../shared/locale";
import type { AccountState, CallerLookup, UserToken } from "./caller-lookup";
import { blocked, unauthorised } from "./missing-credentials";

/** Account states of users. Reads rely on them for 10 s; otherwise they are a guess that the next read verifies. */
export const accountStates = new BoundedCache<AccountState>(5_000, 10_000);

export function accountStateKey(token: UserToken): string {
	if (token.kind === "identity") return JSON.stringify([token.issuer, token.subject]);
	return token.within === undefined ? token.userId : JSON.stringify([token.userId, token.within]);
}

/** Makes this isolate read the user's account state again, because their sessions changed. */
export const forgetAccountState = (userId: string): void => accountStates.delete(userId);

/** The language of the caller. Of one whose account was not read yet it is the request's `Accept-Language`. */
export function languageOf(subject: { readonly kind: string } | undefined, header: string | undefined, realNow: number): Locale {
	const known = subject && isUserToken(subject) ? accountStates.get(accountStateKey(subject), realNow)?.value : undefined;
	return shownIn(known, chosenLocale(header));
}

const isUserToken = (subject: { readonly kind: string }): subject is UserToken => subject.kind === "user" || subject.kind === "identity";

/** Ids of organizations by id or slug. Neither ever changes, so entries stay valid. */
export const references = new BoundedCache<string>(5_000, Number.POSITIVE_INFINITY);

/** Where the account state of the token's user is read, and how; undefined when an identity is linked to no user. */
export async function accountOf(token: UserToken, services: Services, lookups: CallerLookup) {
	const found = await lookups.accountState(services, token);
	if (!found) return undefined;
	const { there, lookup } = found;
	return {
		there,
		db: there.db.primary ? there.db : there.primary(),
		statement: lookup.statement,
		accountIn(rows: unknown): AccountState | undefined {
			const account = lookup.of(rows);
			if (account) accountStates.set(accountStateKey(token), account, services.realNow);
			return account;
		},
	};
}

/** Returns what was found of the token's user. Throws UNAUTHORISED when there is no such user. */
export function requireUser<T>(found: T | undefined): T {
	if (found === undefined) throw unauthorised("The token belongs to no user of this service");
	return found;
}

/** Throws the refusal of a user who is blocked, or whose session has ended. */
export function refuseUser(token: UserToken, account: AccountState): void {
	if (isOver(token, account)) throw unauthorised("The token's session has ended: sign in, or exchange a token, again");
	if (account.blocked) throw blocked();
}

/** Whether the token's session has ended. */
export function isOver(token: UserToken, { signedOutAt, signedOutExcept, endedSessions }: AccountState): boolean {
	if (token.kind !== "user") return false;
	const { sessionId, issuedAt } = token;
	if (sessionId !== null && endedSessions.includes(sessionId)) return true;
	const kept = sessionId !== null && sessionId === signedOutExcept;
	return !kept && issuedAt < (signedOutAt ?? 0);
}
