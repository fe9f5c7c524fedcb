// Ordering transfers, and what the payer and the payee see of them.

import { beforeEach, describe, expect, it } from "vitest";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { blockPayee, deletePayee, getPayee } from "../../../src/domains/payees/operations";
import { getTransfer, listTransfers, orderTransfer } from "../../../src/domains/transfers/operations";
import { combinePayees } from "../../../src/domains/transfers/payee-combination.operations";
import { listCurrentAccountTransactions } from "../../../src/domains/transfers/transaction.operations";
import { MAX_BALANCE } from "../../../src/runtime/current-account-terms";
import { call, expectOk, send } from "../../support/client";
import { trips } from "../../support/credit";
import { givenOrganization, givenUser } from "../../support/factories";
import { beforeCommit, eventsOf } from "../../support/loans";
import { sendMoney } from "../../support/payees";
import { payeeFor, payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, SECOND, withServices } from "../../support/two-homes";

const [HOME] = HOMES;
const CONFLICT = { status: 409, body: { code: "INVALID_STATE" } };
const limits = (daily_transfer_limit: number, maximum_transfer_amount = daily_transfer_limit, minimum_transfer_amount = 1) => ({
	CURRENT_ACCOUNTS: JSON.stringify({ limits: { minimum_transfer_amount, maximum_transfer_amount, daily_transfer_limit } }),
});

beforeEach(openSecond);

describe("a transfer to a user in the same database", () => {
	it("is completed by the order's commit: both balances, both entries, and the payee's use", async () => {
		const payer = await givenPerson(HOME, 10_000);
		const payee = await givenPerson(HOME, 500);
		const { payeeId, accountId } = await payeeFor(payer, payee);
		const ordered = await transfer(payer, accountId, 4_000, { note: "rent" });
		expect(trips(ordered)).toBe(2);
		expect(ordered).toMatchObject({
			status: 201,
			body: {
				status: "COMPLETED",
				amount: { value: 4_000, currency: "KES" },
				payee_id: payeeId,
				payee_account_id: accountId,
				note: "rent",
				failure_reason: null,
				requires_confirmation: false,
			},
		});
		const { id, resource_id, completed_at } = expectOk(ordered);
		expect(resource_id).toBe(`trf_${id.replaceAll("-", "")}`);
		expect(completed_at).not.toBeNull();
		expect(await accountOf(payer)).toMatchObject({ balance: 6_000, held: 0, outTotal: 4_000 });
		expect(await accountOf(payee)).toMatchObject({ balance: 4_500, held: 0, outTotal: 0 });
		const { accounts } = expectOk(await call(getPayee, { as: payer.token, path: { payeeId } }));
		expect(accounts).toMatchObject([{ transaction_count: 1, last_used_at: completed_at }]);
		expect(expectOk(await call(getTransfer, { as: payer.token, path: { transferId: id } }))).toEqual(expectOk(ordered));
		const stranger = await givenPerson(HOME);
		expect((await call(getTransfer, { as: stranger.token, path: { transferId: id } })).status).toBe(404);
		const other = { kind: "USER", name: payer.tag };
		expect(expectOk(await call(getTransfer, { as: payee.token, path: { transferId: id } }))).toMatchObject({
			...{ id, resource_id, status: "COMPLETED", direction: "IN", amount: { value: 4_000, currency: "KES" } },
			...{ counterparty: other, note: "rent", payee_id: null, payee_account_id: null, completed_at },
		});
		const last = async (as: string) => expectOk(await call(listCurrentAccountTransactions, { as, query: { size: "1" } })).data[0];
		expect(await last(payee.token)).toMatchObject({ type: "TRANSFER_IN", amount: 4_000, counterparty: other, note: "rent" });
		expect(await last(payer.token)).toMatchObject({ type: "TRANSFER_OUT", counterparty: { kind: "USER" }, note: "rent", reference: id });
	});

	it("raises transfer.completed for the payer's organization", async () => {
		const { id: organizationId } = await givenOrganization();
		const payer = await givenPerson(Number.parseInt(organizationId.slice(20, 23), 16), 10_000);
		await withServices((services) => {
			const there = services.at(payer.id);
			return there.commit([there.db.orm.update(currentAccounts).set({ organizationId })]);
		});
		const { accountId } = await payeeOf(payer, { type: "BUY_GOODS", till_number: "123456" });
		const { id, completed_at } = expectOk(await transfer(payer, accountId, 1_000));
		expect((await eventsOf(organizationId)).filter(({ type }) => type.startsWith("transfer"))).toEqual([
			{
				type: "transfer.completed",
				key: `transfer.completed:${id}`,
				data: { transfer_id: id, account_id: payer.account.id, amount: 1_000, completed_at },
			},
		]);
	});

	it("is replayed for the same idempotency key, and moves the money once", async () => {
		const payer = await givenPerson(HOME, 10_000);
		const { accountId } = await payeeFor(payer, await givenPerson(HOME));
		const headers = { "idempotency-key": "rent-july" };
		const first = await transfer(payer, accountId, 4_000, { headers });
		expect(await transfer(payer, accountId, 4_000, { headers })).toMatchObject({ status: 201, text: first.text });
		expect(await transfer(payer, accountId, 4_001, { headers })).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
		expect((await accountOf(payer)).balance).toBe(6_000);
	});
});

describe("an order", () => {
	it.each([
		["of nothing", 0],
		["of a negative amount", -1],
		["of a fraction", 1.5],
		["of a text", "100"],
		["above the maximum", 5_001],
		["below the minimum", 9],
	])("%s is 400", async (_, amount) => {
		const payer = await givenPerson(HOME, 100_000);
		const { accountId } = await payeeFor(payer, await givenPerson(HOME));
		const body = { payee_account_id: accountId, amount };
		expect(await send(orderTransfer, { as: payer.token, body, vars: limits(50_000, 5_000, 10) })).toMatchObject({
			status: 400,
			body: { code: "BAD_REQUEST" },
		});
	});

	it("above what is available, or above the day's limit, is 409", async () => {
		const payer = await givenPerson(HOME, 10_000);
		const { accountId } = await payeeFor(payer, await givenPerson(HOME));
		expect(await transfer(payer, accountId, 10_001)).toMatchObject(CONFLICT);
		const vars = limits(5_000);
		expect((await transfer(payer, accountId, 3_000, { vars })).status).toBe(201);
		expect(await transfer(payer, accountId, 2_001, { vars })).toMatchObject(CONFLICT);
		expect((await transfer(payer, accountId, 2_000, { vars })).status).toBe(201);
	});

	it.each(["PENDING", "FROZEN", "CLOSING"] as const)("from an account that is %s is 409", async (status) => {
		const payer = await givenPerson(HOME, 0, status);
		const { accountId } = await payeeFor(payer, await givenPerson(HOME));
		expect(await transfer(payer, accountId, 1)).toMatchObject(CONFLICT);
	});

	it("without a current account is 409, and to an unknown account or a stranger's 404", async () => {
		const payer = await givenPerson(HOME, 1_000);
		const poor = await givenUser();
		const { accountId } = await payeeFor(poor, payer);
		expect(await transfer(poor, accountId, 1)).toMatchObject(CONFLICT);
		expect((await transfer(payer, accountId, 1)).status).toBe(404);
		expect((await transfer(payer, crypto.randomUUID(), 1)).status).toBe(404);
	});

	it("to a blocked payee is 409, also when the block comes between its read and its commit", async () => {
		const payer = await givenPerson(HOME, 1_000);
		const { payeeId, accountId } = await payeeFor(payer, await givenPerson(HOME));
		const block = () => call(blockPayee, { as: payer.token, path: { payeeId }, body: { reasons: ["OTHER"] } });
		let trips = 0;
		const vars = beforeCommit(async () => {
			trips++;
			expect((await block()).status).toBe(200);
		});
		expect(await call(orderTransfer, { as: payer.token, body: { payee_account_id: accountId, amount: 1 }, vars })).toMatchObject(CONFLICT);
		expect(trips).toBe(1);
		expect(await transfer(payer, accountId, 1)).toMatchObject(CONFLICT);
		expect((await accountOf(payer)).balance).toBe(1_000);
	});

	it("needs the payout provider to be configured", async () => {
		const payer = await givenPerson(HOME, 1_000);
		const { accountId } = await payeeFor(payer, await givenPerson(HOME));
		expect(await transfer(payer, accountId, 1, { vars: { DISBURSER: "http" } })).toMatchObject({ status: 503 });
	});
});

describe("a payee who takes no money", () => {
	it.each([
		["who has blocked the payer", 0, "ACTIVE"],
		["without an account", 0, "CLOSED"],
		["with a pending account", 0, "PENDING"],
		["whose account would hold more than it may", MAX_BALANCE - 399, "ACTIVE"],
	] as const)("%s fails the transfer, with a reason that does not reveal blocks", async (why, balance, status) => {
		const payer = await givenPerson(HOME, 1_000);
		const payee = await givenPerson(HOME, balance, status);
		const { payeeId, accountId } = await payeeFor(payer, payee);
		if (why === "who has blocked the payer") {
			const theirs = await payeeOf(payee, sendMoney(payer.number));
			expectOk(await call(blockPayee, { as: payee.token, path: { payeeId: theirs.payeeId }, body: { reasons: ["UNWANTED_PAYMENTS"] } }));
		}
		expect(await transfer(payer, accountId, 400)).toMatchObject({
			status: 201,
			body: { status: "FAILED", failure_reason: "PAYEE_UNAVAILABLE" },
		});
		expect(await accountOf(payer)).toMatchObject({ balance: 1_000, held: 0, outTotal: 0 });
		expect(expectOk(await call(getPayee, { as: payer.token, path: { payeeId } })).accounts[0]?.transaction_count).toBe(0);
	});

	it("that blocks the payer between the order's read and its commit gets nothing", async () => {
		const [payer, payee, friend] = [await givenPerson(HOME, 1_000), await givenPerson(HOME), await givenPerson(HOME)];
		const { accountId } = await payeeFor(payer, payee);
		// Payees of the payee who are not the payer, or not blocked, hold back nothing.
		const theirs = await payeeOf(payee, { type: "INTERNAL", user_tag: payer.tag });
		const other = await payeeOf(payee, { type: "INTERNAL", user_tag: friend.tag });
		const block = (payeeId: string) => call(blockPayee, { as: payee.token, path: { payeeId }, body: { reasons: ["OTHER"] } });
		expectOk(await transfer(payer, accountId, 100, { vars: beforeCommit(() => block(other.payeeId)) }));
		const ordered = await transfer(payer, accountId, 400, { vars: beforeCommit(() => block(theirs.payeeId)) });
		expect(ordered).toMatchObject({ status: 201, body: { status: "FAILED", failure_reason: "PAYEE_UNAVAILABLE" } });
		expect([(await accountOf(payer)).balance, (await accountOf(payee)).balance]).toEqual([900, 100]);
	});

	it("takes as much as the account may hold", async () => {
		const payer = await givenPerson(HOME, 1_000);
		const payee = await givenPerson(HOME, MAX_BALANCE - 400);
		const { accountId } = await payeeFor(payer, payee);
		expect(expectOk(await transfer(payer, accountId, 400)).status).toBe("COMPLETED");
		expect((await accountOf(payee)).balance).toBe(MAX_BALANCE);
	});

	it("keeps a block when the payees are combined", async () => {
		const payer = await givenPerson(HOME, 1_000);
		const payee = await givenPerson(HOME);
		const { accountId } = await payeeFor(payer, payee);
		const blocked = await payeeOf(payee, { type: "INTERNAL", user_tag: payer.tag });
		const other = await payeeOf(payee, sendMoney("+254733000001"));
		expectOk(await call(blockPayee, { as: payee.token, path: { payeeId: blocked.payeeId }, body: { reasons: ["OTHER"] } }));
		const path = { payeeId: other.payeeId };
		expectOk(await call(combinePayees, { as: payee.token, path, body: { source_payee_id: blocked.payeeId } }));
		expect(expectOk(await transfer(payer, accountId, 400)).status).toBe("FAILED");
	});
});

describe("the list of transfers", () => {
	it("is newest first, and includes transfers whose payee was deleted", async () => {
		const payer = await givenPerson(HOME, 1_000);
		const { payeeId, accountId } = await payeeFor(payer, await givenPerson(HOME));
		const ids: string[] = [];
		for (const amount of [1, 2, 3]) ids.unshift(expectOk(await transfer(payer, accountId, amount)).id);
		expect((await call(deletePayee, { as: payer.token, path: { payeeId } })).status).toBe(204);
		const first = expectOk(await call(listTransfers, { as: payer.token, query: { size: "2" }, vars: SECOND }));
		const second = expectOk(
			await call(listTransfers, { as: payer.token, query: { size: "2", after: first.links.next ?? "" }, vars: SECOND }),
		);
		expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
		expect(second.links.next).toBeNull();
		expect(expectOk(await call(listTransfers, { as: (await givenUser()).token, query: {} })).data).toEqual([]);
	});
});
