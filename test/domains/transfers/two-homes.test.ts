// Transfers between two databases, whose process dies at every round trip to either: due work completes what was left, and the money
// arrives once or not at all.

import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { currentAccountEntries, currentAccounts, HAS_A_SOURCE_OF_OURS } from "../../../src/domains/current-accounts/table";
import { listMyMessages } from "../../../src/domains/messages/inbox.operations";
import { workOnTransfers } from "../../../src/domains/transfers/job";
import { getTransfer, listTransfers } from "../../../src/domains/transfers/operations";
import { incomingTransfers } from "../../../src/domains/transfers/table";
import { listCurrentAccountTransactions } from "../../../src/domains/transfers/transaction.operations";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { allowErrors, expectErrors } from "../../support/log";
import { payeeFor, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

beforeEach(openSecond);

const [HERE, THERE] = HOMES;

const sweepAll = () =>
	withServices(async (services) => {
		for (const here of services.everywhere()) await workOnTransfers(here);
	});

async function settled(): Promise<void> {
	for (let round = 0; round < 3; round++) {
		await moveClock(HOUR_MS);
		await sweepAll();
	}
}

/** The balances of both, and the status of each transfer. */
async function outcome(payer: Person, payee: Person) {
	const [paid, received] = [await accountOf(payer), await accountOf(payee)];
	const { data } = expectOk(await call(listTransfers, { as: payer.token, query: {}, vars: SECOND }));
	return { balances: [paid.balance, received.balance], held: paid.held, statuses: data.map(({ status }) => status) };
}

const close = ({ id, account }: Person) =>
	withServices((services) => {
		const { db, commit } = services.at(id);
		return commit([db.orm.update(currentAccounts).set({ status: "CLOSED" }).where(eq(currentAccounts.id, account.id))]);
	});

describe("a transfer to another database", () => {
	it("is PENDING with its money held, and completed after the answer", async () => {
		const [payer, payee] = [await givenPerson(HERE, 1_000), await givenPerson(THERE)];
		const { accountId } = await payeeFor(payer, payee);
		const ordered = expectOk(await transfer(payer, accountId, 400, { note: "rent" }));
		expect(ordered).toMatchObject({ status: "PENDING", completed_at: null });
		const path = { transferId: ordered.id };
		const read = await call(getTransfer, { as: payer.token, path, vars: SECOND });
		expect(read).toMatchObject({ body: { status: "COMPLETED", failure_reason: null, direction: "OUT" } });
		const received = await call(getTransfer, { as: payee.token, path, vars: SECOND });
		const facts = { counterparty: { kind: "USER", name: payer.tag }, note: "rent" };
		expect(received).toMatchObject({ body: { status: "COMPLETED", direction: "IN", payee_id: null, ...facts } });
		const listed = await call(listCurrentAccountTransactions, { as: payee.token, query: {}, vars: SECOND });
		expect(listed).toMatchObject({ body: { data: [{ type: "TRANSFER_IN", amount: 400, ...facts }] } });
		const told = await call(listMyMessages, { as: payee.token, query: {}, vars: SECOND });
		expect(told).toMatchObject({ body: { data: [{ category: "PAYMENTS", text: "KES 4.00 have arrived in your current account." }] } });
		expect(await outcome(payer, payee)).toEqual({ balances: [600, 400], held: 0, statuses: ["COMPLETED"] });
	});

	it.each(["before", "after"] as const)(
		"survives a crash %s each of its round trips",
		{ tags: ["thorough"], timeout: 120_000 },
		async (when) => {
			allowErrors("background work failed", "request failed");
			let completed = 0;
			for (let trip = 1; ; trip++) {
				const [payer, payee] = [await givenPerson(HERE, 1_000), await givenPerson(THERE)];
				const { accountId } = await payeeFor(payer, payee);
				const { vars, died } = dyingAt(trip, when);
				const headers = { "idempotency-key": "once" };
				const answer = await transfer(payer, accountId, 400, { vars, headers });
				const again = await transfer(payer, accountId, 400, { headers });
				expect(again.status).toBe(201);
				if (answer.ok) expect(again.text).toBe(answer.text);
				await settled();
				expect(await outcome(payer, payee), `${when} trip ${trip}`).toEqual({ balances: [600, 400], held: 0, statuses: ["COMPLETED"] });
				completed++;
				if (!died()) break;
			}
			// The round trips of the order, of the payee's decision there, and of the settlement here.
			expect(completed).toBeGreaterThan(8);
		},
	);

	it.each(["before", "after"] as const)(
		"is released when the payee refuses it, after a crash %s each round trip of the work",
		{ tags: ["thorough"], timeout: 120_000 },
		async (when) => {
			allowErrors("background work failed", "request failed");
			for (let trip = 1; ; trip++) {
				const [payer, payee] = [await givenPerson(HERE, 1_000), await givenPerson(THERE)];
				const { accountId } = await payeeFor(payer, payee);
				// The order's own round trips succeed, and nothing after them does.
				let order = dyingAt(1, "before");
				for (let trips = 2; (await transfer(payer, accountId, 400, order)).status !== 201; trips++) order = dyingAt(trips, "before");
				expect(await outcome(payer, payee)).toMatchObject({ held: 400, statuses: ["PENDING"] });
				await close(payee);
				await moveClock(HOUR_MS);
				const { vars, died } = dyingAt(trip, when);
				await withServices((services) => workOnTransfers(services).catch(() => undefined), vars);
				await settled();
				expect(await outcome(payer, payee)).toEqual({ balances: [1_000, 0], held: 0, statuses: ["FAILED"] });
				if (!died()) break;
			}
		},
	);

	it("is credited once, however many sweeps work on it at once", async () => {
		expectErrors("background work failed", "request failed");
		const [payer, payee] = [await givenPerson(HERE, 1_000), await givenPerson(THERE)];
		const { accountId } = await payeeFor(payer, payee);
		let order = dyingAt(1, "before");
		for (let trips = 2; (await transfer(payer, accountId, 400, order)).status !== 201; trips++) order = dyingAt(trips, "before");
		await moveClock(HOUR_MS);
		await Promise.all([sweepAll(), sweepAll(), sweepAll()]);
		await settled();
		expect(await outcome(payer, payee)).toEqual({ balances: [600, 400], held: 0, statuses: ["COMPLETED"] });
	});

	it("keeps the recorded outcome, although the account is closed afterwards", async () => {
		const [payer, payee] = [await givenPerson(HERE, 1_000), await givenPerson(THERE)];
		const { accountId } = await payeeFor(payer, payee);
		expectOk(await transfer(payer, accountId, 400));
		const recorded = await withServices(async (services) => {
			const { db } = services.at(payee.id);
			const rows = await db.read(db.orm.select().from(incomingTransfers));
			return rows;
		});
		expect(recorded).toMatchObject([{ outcome: "CREDITED", accountId: payee.account.id, amount: 400 }]);
		await expect(
			withServices((services) => {
				const { db, commit } = services.at(payee.id);
				return commit([db.orm.update(incomingTransfers).set({ outcome: "REFUSED", accountId: null })]);
			}),
		).rejects.toThrow();
	});

	it("ends once in each account", async () => {
		const [payer, payee] = [await givenPerson(HERE, 1_000), await givenPerson(THERE)];
		const { accountId } = await payeeFor(payer, payee);
		const { id } = expectOk(await transfer(payer, accountId, 400));
		const entriesOf = (person: Person) =>
			withServices(async (services) => {
				const { db } = services.at(person.id);
				const entries = db.orm
					.select()
					.from(currentAccountEntries)
					.where(and(eq(currentAccountEntries.sourceId, id), HAS_A_SOURCE_OF_OURS));
				const rows = await db.read(entries.orderBy(currentAccountEntries.position));
				return rows.map(({ type, amount, hold }) => [type, amount, hold]);
			});
		expect(await entriesOf(payer)).toEqual([
			["HOLD", 0, 400],
			["SETTLE", -400, -400],
		]);
		expect(await entriesOf(payee)).toEqual([["TRANSFER_IN", 400, 0]]);
	});
});
