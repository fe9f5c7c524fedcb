// People in two databases: the directory, and a second database that is bound even if the tests otherwise run on one.

import { applyD1Migrations, createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { names } from "../../src/db/names.table";
import { DIRECTORY_HOME } from "../../src/db/places";
import { newCurrentAccount } from "../../src/domains/current-accounts/accounts/plan";
import { credit, post } from "../../src/domains/current-accounts/ledger/plan";
import { selectAccounts } from "../../src/domains/current-accounts/ledger/store";
import { type CurrentAccountRow, currentAccounts } from "../../src/domains/current-accounts/table";
import { mintToken } from "../../src/domains/tokens/model/service-token.crypto";
import { phoneName } from "../../src/domains/users/model/store";
import { users } from "../../src/domains/users/model/table";
import { configuration } from "../../src/runtime/config";
import type { JobServices } from "../../src/runtime/services";
import { uuidv7 } from "../../src/shared/ids";
import { environmentWith } from "./environments";
import { servicesFor } from "./outbound";

const bound = (env as { SHARD_0?: D1Database }).SHARD_0;
/** The binding of the second database. Pass it as `vars` with every call. */
export const SECOND = { SHARD_0: bound ?? env.SECOND_DB } as unknown as Partial<Env>;
/** A home in each of the two databases. */
export const HOMES = [DIRECTORY_HOME, 64] as const;

export async function openSecond(): Promise<void> {
	if (!bound) await applyD1Migrations(env.SECOND_DB, env.TEST_MIGRATIONS);
}

/** Runs work in the directory, as the cron does, and waits for the work that it starts. */
export async function withServices<T>(work: (services: JobServices) => Promise<T>, vars: Partial<Env> = {}): Promise<T> {
	const ctx = createExecutionContext();
	const result = await work(await servicesFor({ env: environmentWith({ ...SECOND, ...vars }), ctx }));
	await waitOnExecutionContext(ctx);
	return result;
}

/** An access token of a new session, issued ten seconds ago: before any revocation that the test makes. */
export const sessionToken = async (subject: string, sid: string = crypto.randomUUID()): Promise<string> =>
	mintToken(await configuration(env), {
		kind: "access",
		issuer: "http://localhost",
		subject,
		realNow: Date.now() - 10_000,
		lifetimeSeconds: 900,
		claims: { sid },
	});

export type Person = { id: string; token: string; account: CurrentAccountRow; number: string; tag: string };

let last = 722_000_000;

/** An admitted user in the given home, with a mobile number, a tag and a current account, by default ACTIVE. */
export const givenPerson = (home: number, balance = 0, status: CurrentAccountRow["status"] = "ACTIVE"): Promise<Person> =>
	withServices(async (services) => {
		const id = uuidv7(Date.now(), home);
		const there = services.at(id);
		const number = `+254${++last}`;
		const tag = `@${id.slice(-12)}`;
		const now = there.now;
		const row = { id, status: "ACTIVE" as const, tag, mobileNumber: number, createdAt: now };
		const account: CurrentAccountRow = {
			...newCurrentAccount(there, { id, homeOrganizationId: null }, "SANDBOX"),
			status,
			walletOnboardingStatus: "ACCOUNT_OPENED",
		};
		await services
			.at(DIRECTORY_HOME)
			.commit([
				services.db.orm.insert(names).values({ kind: "PHONE", value: (await phoneName(services, number)).value, id, createdAt: now }),
				services.db.orm.insert(names).values({ kind: "TAG", value: tag, id, createdAt: now }),
			]);
		await there.commit([there.db.orm.insert(users).values(row), there.db.orm.insert(currentAccounts).values(account)]);
		if (balance > 0) await there.commit(post(there, account, credit("MOVEMENT", crypto.randomUUID(), balance)));
		return { id, token: await sessionToken(id), account, number, tag };
	});

/** The person's account as it is stored now. */
export const accountOf = ({ id, account }: Person): Promise<CurrentAccountRow> =>
	withServices(async (services) => {
		const { db } = services.at(id);
		const rows = await db.read(selectAccounts(db.orm));
		const found = rows.find((row) => row.id === account.id);
		if (!found) throw new Error("the account is missing");
		return found;
	});
