// One of several databases is put back to an earlier state, the sweeps run, and nothing that disagrees then is silent. What is
// listed, row by row: `test/tools/disagreements.node.test.ts`.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { createLoanProduct } from "../../src/domains/loan-products/administration.operations";
import { createOrganization, updateOrganization } from "../../src/domains/organizations/operations";
import { insertPayment } from "../../src/domains/repayments/store";
import { type PaymentRow, UNCORRECTED } from "../../src/domains/repayments/table";
import { giveAway } from "../../src/domains/repayments/unmatched/plan";
import { uuidv7 } from "../../src/shared/ids";
import { sweep } from "../../src/wiring/cron";
import { disagreements } from "../../tools/restore/disagreements.ts";
import { call, expectOk } from "../support/client";
import { operatorToken } from "../support/factories";
import { LOAN_PRODUCT } from "../support/loans";
import { payeeFor, transfer } from "../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, SECOND, withServices } from "../support/two-homes";

const [HERE, THERE] = HOMES;
const { SHARD_0: second } = SECOND as unknown as { readonly SHARD_0: D1Database };
const DATABASES = { DB: env.DB, SHARD_0: second } as const;

beforeEach(openSecond);

const sweepAll = () =>
	withServices(async (services) => {
		for (const here of services.everywhere()) await sweep(here);
	});

const disagreeing = () =>
	disagreements(
		Object.entries(DATABASES).map(([name, database]) => ({ name, rows: async (query) => (await database.prepare(query).all()).results })),
	);

/** Keeps what the database holds. Returns what puts it back to that, as Time Travel does. */
async function kept(database: D1Database): Promise<() => Promise<void>> {
	const named = async (type: string) =>
		(
			await database
				.prepare("select name, sql from sqlite_schema where type = ? and name not like 'sqlite_%' and name not like '_cf_%'")
				.bind(type)
				.all<{ name: string; sql: string }>()
		).results;
	const tables = await named("table");
	const rows = await database.batch<Record<string, unknown>>(tables.map(({ name }) => database.prepare(`select * from "${name}"`)));
	return async () => {
		const triggers = await named("trigger");
		const insert = (name: string, row: Record<string, unknown>) =>
			database
				.prepare(
					`insert into "${name}" (${Object.keys(row).join()}) values (${Object.keys(row)
						.map(() => "?")
						.join()})`,
				)
				.bind(...Object.values(row));
		await database.batch([
			database.prepare("pragma defer_foreign_keys = on"),
			...triggers.map(({ name }) => database.prepare(`drop trigger "${name}"`)),
			...tables.map(({ name }) => database.prepare(`delete from "${name}"`)),
			...tables.flatMap(({ name }, index) => (rows[index]?.results ?? []).map((row) => insert(name, row))),
			...triggers.map(({ sql }) => database.prepare(sql)),
		]);
	};
}

/** Somebody here who pays somebody there. */
async function givenPayer() {
	const [payer, payee] = [await givenPerson(HERE, 1_000), await givenPerson(THERE)];
	const { accountId } = await payeeFor(payer, payee);
	const pay = async (amount: number) => {
		const { id } = expectOk(await transfer(payer, accountId, amount));
		await sweepAll();
		return id;
	};
	return { payer, payee, pay };
}

const givenOrganizationEverywhere = async () => {
	const { id } = expectOk(
		await call(createOrganization, { as: await operatorToken(), body: { name: "Acme", slug: "acme" }, vars: SECOND }),
	);
	await sweepAll();
	return id;
};

it("agrees before", async () => {
	const { pay } = await givenPayer();
	await pay(100);
	await givenOrganizationEverywhere();
	expect(await disagreeing()).toEqual([]);
});

it("lists what the database that was put back has forgotten to have received", async () => {
	const { payer, payee, pay } = await givenPayer();
	await pay(100);
	const putBack = await kept(second);
	const lost = await pay(400);
	const organization = await givenOrganizationEverywhere();
	await putBack();
	await sweepAll();
	expect([(await accountOf(payer)).balance, (await accountOf(payee)).balance]).toEqual([500, 100]);
	expect(await disagreeing()).toEqual([
		`organization ${organization}: missing in SHARD_0`,
		`transfer ${lost}: paid in DB, and credited nowhere`,
	]);
});

it("lists what the database that was put back has forgotten to have sent", async () => {
	const { payer, payee, pay } = await givenPayer();
	await pay(100);
	const putBack = await kept(env.DB);
	const lost = await pay(400);
	await putBack();
	await sweepAll();
	expect([(await accountOf(payer)).balance, (await accountOf(payee)).balance]).toEqual([900, 500]);
	expect(await disagreeing()).toEqual([`transfer ${lost}: credited in SHARD_0, and paid nowhere`]);
});

it("lists what the database that was put back no longer has as the others have it", async () => {
	const as = await operatorToken();
	const id = await givenOrganizationEverywhere();
	const putBack = await kept(second);
	const product = expectOk(await call(createLoanProduct, { as, body: LOAN_PRODUCT, vars: SECOND })).id;
	const body = { name: "Acme Credit" };
	expectOk(await call(updateOrganization, { as, path: { organizationId: id }, body, vars: SECOND }));
	expect(await disagreeing()).toEqual([]);
	await putBack();
	await sweepAll();
	expect(await disagreeing()).toEqual([`organization ${id}: name in SHARD_0 not as in DB`, `product ${product}: missing in SHARD_0`]);
});

/** A payment of an unknown payer here, and what matches it with an account there. */
async function givenUnmatched() {
	const payment: PaymentRow = {
		id: uuidv7(Date.now(), HERE),
		...{ organizationId: "operators", mobileMoneyTransactionId: "TX1", transactionIdSent: null, fingerprint: "f" },
		...{ status: "UNMATCHED", accountId: null, postedAsId: null, accountNumber: "7", unmatchedReason: "UNKNOWN_ACCOUNT" },
		...{ amount: 500, currency: "KES", feeAmount: 0, details: { type: "MPESA" } as unknown as PaymentRow["details"] },
		...{ transactedAt: 1, confirmedAt: 1, postedAt: null, failedAt: null, failureReason: null, createdAt: 1, ...UNCORRECTED },
	};
	const account = { id: uuidv7(Date.now(), THERE), organizationId: "o" } as Parameters<typeof giveAway>[2];
	await withServices((services) => services.commit([insertPayment(payment)]));
	const match = () =>
		withServices(async (services) => {
			const { given, writes, carry } = giveAway(services, payment, account);
			await services.commit(writes);
			await carry(services);
			return given.postedAsId;
		});
	return { id: payment.id, match };
}

it("lists a matched payment of which the database that was put back no longer has the copy", async () => {
	const { id, match } = await givenUnmatched();
	const putBack = await kept(second);
	const copy = await match();
	expect(await disagreeing()).toEqual([]);
	await putBack();
	await sweepAll();
	expect(await disagreeing()).toEqual([`payment ${id}: matched in DB, and its copy ${copy} is nowhere`]);
});

it("lists a payment that waits again in the database that was put back, and was posted in another", async () => {
	const { id, match } = await givenUnmatched();
	const putBack = await kept(env.DB);
	const copy = await match();
	await putBack();
	expect(await disagreeing()).toEqual([`payment ${id}: unmatched in DB, and posted in SHARD_0 as ${copy}`]);
});
