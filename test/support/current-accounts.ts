// Current accounts written to D1 as the service writes them, and entries posted to them without an operation.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { newCurrentAccount } from "../../src/domains/current-accounts/accounts/store";
import { type Change, credit, post, selectAccounts } from "../../src/domains/current-accounts/ledger/store";
import { type CurrentAccountRow, currentAccountEntries, currentAccounts } from "../../src/domains/current-accounts/table";
import { atInstant, type JobServices } from "../../src/runtime/services";
import { db, givenUser } from "./factories";
import { servicesFor } from "./outbound";

/** Terms with these annual rates, by the day from which each holds. */
export const termsWith = (rates: Record<string, number>, limits: object = {}) => ({
	CURRENT_ACCOUNTS: JSON.stringify({
		limits,
		interest_rates: Object.entries(rates).map(([from, annual_rate_basis_points]) => ({ from, annual_rate_basis_points })),
	}),
});

/** Services in the home of the id, at an instant. */
export async function servicesAt(id: string, at: number | string = Date.now(), vars: Partial<Env> = {}): Promise<JobServices> {
	const services = await servicesFor({ env: { ...env, ...vars } as Env, ctx: createExecutionContext() });
	return atInstant(services, typeof at === "string" ? Date.parse(at) : at).at(id);
}

type Given = { user?: { id: string }; openedAt?: string; status?: CurrentAccountRow["status"]; balance?: number; vars?: Partial<Env> };

/** An account of a user; ACTIVE and empty by default. */
export async function givenCurrentAccount({ user, openedAt, status = "ACTIVE", balance = 0, vars = {} }: Given = {}) {
	const owner = user ?? (await givenUser());
	const services = await servicesAt(owner.id, openedAt ?? Date.now(), vars);
	const row: CurrentAccountRow = {
		...newCurrentAccount(services, { id: owner.id, homeOrganizationId: null }, "SANDBOX"),
		status,
		walletOnboardingStatus: "ACCOUNT_OPENED",
	};
	await db.insert(currentAccounts).values(row);
	if (balance > 0) await services.commit(post(services, row, credit("MOVEMENT", crypto.randomUUID(), balance)));
	return row;
}

/** The account and its entries as they are stored, and what the entries add up to. */
export async function bookOf(accountId: string) {
	const account = (await selectAccounts(db as never)).find(({ id }) => id === accountId);
	if (!account) throw new Error("there is no such account");
	const entries = (await db.select().from(currentAccountEntries))
		.filter((entry) => entry.accountId === accountId)
		.sort((a, b) => a.position - b.position);
	const sum = (of: (entry: (typeof entries)[number]) => number) => entries.reduce((total, entry) => total + of(entry), 0);
	return { account, entries, balance: sum(({ amount }) => amount), held: sum(({ hold }) => hold) };
}

/** Posts at an instant, on the account as it is stored then. */
export async function postAt(accountId: string, at: number | string, vars: Partial<Env>, ...changes: readonly Change[]): Promise<void> {
	const services = await servicesAt(accountId, at, vars);
	const { account } = await bookOf(accountId);
	await services.commit(post(services, account, ...changes));
}

export const ended = (ctx: ExecutionContext) => waitOnExecutionContext(ctx);
