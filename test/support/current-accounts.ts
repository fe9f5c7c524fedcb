// Current accounts for tests: written to D1 directly, with entries posted by the store, or opened and used over HTTP.

import { createExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { openCurrentAccount } from "../../src/domains/current-accounts/accounts/operations";
import { newCurrentAccount } from "../../src/domains/current-accounts/accounts/plan";
import { startActivation } from "../../src/domains/current-accounts/activations/operations";
import { confirmClosure, startClosure } from "../../src/domains/current-accounts/closures/operations";
import { decide } from "../../src/domains/current-accounts/custodian-reports/decisions.operations";
import { recordMovement } from "../../src/domains/current-accounts/custodian-reports/movements.operations";
import { type Change, credit, post } from "../../src/domains/current-accounts/ledger/plan";
import { selectAccounts } from "../../src/domains/current-accounts/ledger/store";
import { type CurrentAccountRow, currentAccountEntries, currentAccounts } from "../../src/domains/current-accounts/table";
import { listMessages } from "../../src/domains/messages/operations";
import { users } from "../../src/domains/users/model/table";
import { atInstant } from "../../src/runtime/making-services";
import type { JobServices } from "../../src/runtime/services";
import { call, expectOk } from "./client";
import { environmentWith } from "./environments";
import { db, givenOrganization, givenUser, oneTrip, operatorToken } from "./factories";
import { servicesFor } from "./outbound";
import type { Vars } from "./serve";

/** Configured terms: `rates` are annual interest rates in basis points, by the day from which each applies. */
export const termsWith = (rates: Record<string, number>, limits: object = {}): Partial<Env> => ({
	CURRENT_ACCOUNTS: JSON.stringify({
		limits,
		interest_rates: Object.entries(rates).map(([from, annual_rate_basis_points]) => ({ from, annual_rate_basis_points })),
	}),
});

/** Services in the home of the id, with the clock at `at`. */
export async function servicesAt(id: string, at: number | string = Date.now(), vars: Partial<Env> = {}): Promise<JobServices> {
	const services = await servicesFor({ env: environmentWith(vars), ctx: createExecutionContext() });
	return atInstant(services, typeof at === "string" ? Date.parse(at) : at).at(id);
}

type Given = { user?: { id: string }; openedAt?: string; status?: CurrentAccountRow["status"]; balance?: number; vars?: Partial<Env> };

/** An account of a user; ACTIVE and empty by default. */
export async function givenCurrentAccount({ user, openedAt, status = "ACTIVE", balance = 0, vars = {} }: Given = {}) {
	const owner = user ?? (await givenUser());
	const services = await servicesAt(owner.id, openedAt ?? Date.now(), vars);
	const row: CurrentAccountRow = {
		...newCurrentAccount(services, { id: owner.id, homeOrganizationId: await homeOrganizationOf(owner.id) }, "SANDBOX"),
		status,
		walletOnboardingStatus: "ACCOUNT_OPENED",
	};
	await db.insert(currentAccounts).values(row);
	if (balance > 0) await services.commit(post(services, row, credit("MOVEMENT", crypto.randomUUID(), balance)));
	return row;
}

async function homeOrganizationOf(userId: string): Promise<string | null> {
	const [row] = await db.select().from(users).where(eq(users.id, userId));
	return row?.homeOrganizationId ?? null;
}

/** The stored account and entries, with the sums of the entries. */
export async function bookOf(accountId: string) {
	const account = (await selectAccounts(db as never)).find(({ id }) => id === accountId);
	if (!account) throw new Error("there is no such account");
	const entries = (await db.select().from(currentAccountEntries))
		.filter((entry) => entry.accountId === accountId)
		.sort((a, b) => a.position - b.position);
	const sum = (of: (entry: (typeof entries)[number]) => number) => entries.reduce((total, entry) => total + of(entry), 0);
	return { account, entries, balance: sum(({ amount }) => amount), held: sum(({ hold }) => hold) };
}

/** Posts changes to the stored account, with the clock at `at`. */
export async function postAt(accountId: string, at: number | string, vars: Partial<Env>, ...changes: readonly Change[]): Promise<void> {
	const services = await servicesAt(accountId, at, vars);
	const { account } = await bookOf(accountId);
	await services.commit(post(services, account, ...changes));
}

// From here on over HTTP.

/** The latest one-time code sent to the number or address. */
export async function codeSentTo(recipient: string): Promise<string> {
	const { data } = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient } }));
	const code = data.find(({ otp_code }) => otp_code !== null)?.otp_code;
	if (!code) throw new Error("no code was sent");
	return code;
}

/** A code other than the given one. */
export const wrongCode = (code: string): string => (code === "000000" ? "000001" : "000000");

let numbers = 0;
/** A mobile number that no other test uses. */
export const freshNumber = (): string => `+2547${String(20_000_000 + numbers++)}`;

/** A user of a new organization, with a mobile number. */
export async function givenCustomer() {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const number = freshNumber();
	const user = await givenUser({ organizationId: organization.id, mobileNumber: number }, write);
	await written();
	return { organization, number, ...user };
}
export type Customer = Awaited<ReturnType<typeof givenCustomer>>;

export const givenOpened = async (as: string, vars?: Vars) => expectOk(await call(openCurrentAccount, { as, ...(vars && { vars }) }));

export const givenActivation = async (as: string, vars?: Vars) =>
	expectOk(await call(startActivation, { as, body: {}, ...(vars && { vars }) }));

/** Opens an account and makes it ACTIVE without the activation by code. */
export async function givenActive(as: string) {
	const account = await givenOpened(as);
	await db.update(currentAccounts).set({ status: "ACTIVE" }).where(eq(currentAccounts.id, account.id));
	return account;
}

/** A customer with an ACTIVE account. */
export async function givenAccountHolder() {
	const customer = await givenCustomer();
	const account = await givenActive(customer.token);
	return { ...customer, accountId: account.id };
}

export const givenClosure = async (as: string) => expectOk(await call(startClosure, { as, body: { reasons: ["NO_LONGER_USING"] } }));

export const confirmWith = (as: string, otp_code: string, vars?: Vars) =>
	call(confirmClosure, { as, body: { otp_code }, ...(vars && { vars }) });

export async function givenConfirmedClosure(as: string, number: string, vars?: Vars) {
	await givenClosure(as);
	return expectOk(await confirmWith(as, await codeSentTo(number), vars));
}

type Moved = { direction?: "CREDIT" | "DEBIT"; id?: string; at?: number; currency?: string };

export const movementOf = (account_id: string, amount: number, { direction = "CREDIT", id, at, currency = "KES" }: Moved = {}) => ({
	movement_id: id ?? crypto.randomUUID(),
	account_id,
	direction,
	amount,
	currency,
	occurred_at: new Date(at ?? Date.now()).toISOString(),
});

/** Records a deposit or withdrawal, as an operator. */
export const move = async (accountId: string, amount: number, about: Moved = {}, vars?: Vars) =>
	call(recordMovement, { as: await operatorToken(), body: movementOf(accountId, amount, about), ...(vars && { vars }) });

type Verdict = { subject: "CLOSURE" | "ACTIVATION" | "ONBOARDING"; decision: "APPROVED" | "REJECTED"; id?: string; reason?: string };

/** Records the custodian's decision, as an operator. */
export const decideAs = async (subject_id: string, { subject, decision, id, reason }: Verdict, vars?: Vars) =>
	call(decide, {
		as: await operatorToken(),
		body: { decision_id: id ?? crypto.randomUUID(), subject, subject_id, decision, ...(reason && { rejection_reason: reason }) },
		...(vars && { vars }),
	});
