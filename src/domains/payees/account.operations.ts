// The accounts of a payee: adds and removes them, and has their names looked up again.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { first } from "../../db/reads";
import { user } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { lookUpSoon } from "./job";
import { linkedUsers } from "./linked-user.procedure";
import { findLinkedHere, wantedFor } from "./linked-user.store";
import { newAccounts, wantedOf } from "./new-account.plan";
import { countUse } from "./plan";
import { MAX_ACCOUNTS } from "./policy";
import { changePayee, findPayee, findQuota } from "./store";
import { type PayeeAccountRow, payeeAccounts } from "./table";
import { beginLookup } from "./verification.plan";
import { Payee, PayeeAccountInput, toPayee } from "./wire";

const path = z.object({ payeeId: z.uuid().toLowerCase() });
const accountPath = path.extend({ accountId: z.uuid().toLowerCase() });

export const addPayeeAccount = operation({
	id: "addPayeeAccount",
	method: "POST",
	path: "/v1/user/payees/{payeeId}/accounts",
	summary: "Add an account to a payee",
	access: user,
	request: { path, body: PayeeAccountInput },
	response: Payee,
	status: 201,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller: { userId } }, services) {
		const { db, now } = services;
		const wanted = await wantedOf(services, [body]);
		const {
			payee: seen,
			accounts,
			used,
			here,
		} = await db.read({
			...findPayee(db.orm, path.payeeId, userId),
			used: first(findQuota(db.orm, userId, now)),
			here: findLinkedHere(db.orm, wanted),
		});
		if (!seen) throw new ApiError("NOT_FOUND");
		const quota = countUse(services, userId, used, { payees: 0, lookups: 1 });
		const added = newAccounts(services, seen, [body], await linkedUsers(services, wanted, here));
		const known = accounts.some((one) => added.some(({ type, identifier }) => one.type === type && one.identifier === identifier));
		if (known) throw new ApiError("INVALID_STATE", { description: "The payee has this account already" });
		if (accounts.length >= MAX_ACCOUNTS) {
			throw new ApiError("INVALID_STATE", { description: `A payee has at most ${MAX_ACCOUNTS} accounts` });
		}
		const { payee, write } = changePayee(services, seen, accounts);
		return services.commit(
			[...quota, write, ...added.map((row) => db.orm.insert(payeeAccounts).values(row)), lookUpSoon(services, payee.id)],
			toPayee(payee, [...accounts, ...added]),
		);
	},
});

export const removePayeeAccount = operation({
	id: "removePayeeAccount",
	method: "DELETE",
	path: "/v1/user/payees/{payeeId}/accounts/{accountId}",
	summary: "Remove an account; the payee remains, even without accounts",
	description: "Transfers that are under way continue.",
	access: user,
	request: { path: accountPath },
	response: Payee,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const { db } = services;
		const { payee: seen, accounts } = await db.read(findPayee(db.orm, path.payeeId, caller.userId));
		if (!seen || !accounts.some(({ id }) => id === path.accountId)) throw new ApiError("NOT_FOUND");
		const { payee, write } = changePayee(services, seen, accounts);
		return services.commit(
			[write, db.orm.delete(payeeAccounts).where(eq(payeeAccounts.id, path.accountId))],
			toPayee(
				payee,
				accounts.filter(({ id }) => id !== path.accountId),
			),
		);
	},
});

export const verifyPayeeAccount = operation({
	id: "verifyPayeeAccount",
	method: "POST",
	path: "/v1/user/payees/{payeeId}/accounts/{accountId}/verify",
	summary: "Look the account's name up again",
	description: "PENDING until the provider has answered.",
	access: user,
	request: { path: accountPath },
	response: Payee,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller: { userId } }, services) {
		const { db, now, providers } = services;
		const {
			payee: seen,
			accounts,
			used,
		} = await db.read({ ...findPayee(db.orm, path.payeeId, userId), used: first(findQuota(db.orm, userId, now)) });
		const account = accounts.find(({ id }) => id === path.accountId);
		if (!seen || !account) throw new ApiError("NOT_FOUND");
		if (account.verification === "PENDING") return toPayee(seen, accounts);
		if (account.type === "INTERNAL") {
			throw new ApiError("INVALID_STATE", { description: "Names of INTERNAL accounts are not looked up" });
		}
		if (!providers.nameLookup) throw new ApiError("SERVICE_UNAVAILABLE");
		const quota = countUse(services, userId, used, { payees: 0, lookups: 1 });
		const wanted = account.type === "SEND_MONEY" ? await wantedFor(services, [{ kind: "PHONE", handle: account.identifier }]) : [];
		const here = await db.read(findLinkedHere(db.orm, wanted));
		const [found] = await linkedUsers(services, wanted, here);
		const owner = found?.userId === userId ? undefined : found;
		const changes = {
			...beginLookup(providers.nameLookup, account, now),
			linkedUserId: owner?.userId ?? null,
			linkedUserTag: owner?.tag ?? null,
			// The user is shown another holder's name, but has paid only the one before.
			...((owner?.userId ?? null) !== account.linkedUserId && { holderChangedAt: now, confirmedAt: null }),
		};
		const verified: PayeeAccountRow = { ...account, ...changes };
		const { payee, write } = changePayee(services, seen, accounts);
		const changed = db.orm.update(payeeAccounts).set(changes).where(eq(payeeAccounts.id, account.id));
		return services.commit(
			[...quota, write, changed, lookUpSoon(services, payee.id)],
			toPayee(
				payee,
				accounts.map((one) => (one.id === account.id ? verified : one)),
			),
		);
	},
});
