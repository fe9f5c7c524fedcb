// Opening and reading current accounts, and their list of transactions.

import { describe, expect, it } from "vitest";
import { isAccountNumber } from "../../../../src/domains/credit-accounts/account-number.policy";
import {
	getCurrentAccount,
	openCurrentAccount,
	openCurrentAccountDeprecated,
} from "../../../../src/domains/current-accounts/accounts/operations";
import { hold, settle } from "../../../../src/domains/current-accounts/ledger/plan";
import { currentAccounts } from "../../../../src/domains/current-accounts/table";
import { listCurrentAccountTransactions } from "../../../../src/domains/transfers/transaction.operations";
import { call, expectOk } from "../../../support/client";
import { trips } from "../../../support/credit";
import { givenAccountHolder, givenCustomer, givenOpened, move, postAt, termsWith } from "../../../support/current-accounts";
import { db, givenUser } from "../../../support/factories";
import { beforeCommit, eventsOf } from "../../../support/loans";
import { servePath } from "../../../support/serve";

describe("opening an account", () => {
	it("answers 201 with an account that can be activated, and raises current_account.opened", async () => {
		const { id, token: as, organization } = await givenCustomer();
		const opened = await call(openCurrentAccount, { as });
		expect(opened.status).toBe(201);
		const account = expectOk(opened);
		expect(account).toMatchObject({
			account_id: account.id,
			resource_id: `acc_${account.id.replaceAll("-", "")}`,
			user_id: id,
			type: "CURRENT",
			status: "PENDING",
			wallet_onboarding_status: "ACCOUNT_OPENED",
			wallet_onboarding_rejection_reasons: [],
			onboarding_status: "PENDING",
			onboarding_rejection_reasons: [],
			activatable: true,
			external_provider: "SANDBOX",
			available_balance: 0,
			balance: { total_balance: 0, hold_amount: 0, available_balance: 0 },
			currency: "KES",
			interest: { deposit: { annual_rate_basis_points: 0, payout_frequency: "WEEKLY" } },
		});
		expect(Object.keys(account.limits)).toEqual(["minimum_transfer_amount", "maximum_transfer_amount", "daily_transfer_limit"]);
		expect(isAccountNumber(account.account_number)).toBe(true);
		expect(await eventsOf(organization.id)).toEqual([
			{
				type: "current_account.opened",
				key: `current_account.opened:${account.id}`,
				data: { account_id: account.id, user_id: id },
			},
		]);
	});

	it("a second time answers 200 with the same account", async () => {
		const { token: as } = await givenCustomer();
		const first = await givenOpened(as);
		const second = await call(openCurrentAccount, { as });
		expect(second.status).toBe(200);
		expect(expectOk(second)).toEqual(first);
		expect(await db.select().from(currentAccounts)).toHaveLength(1);
	});

	it("twice concurrently makes one account, and both calls return it", async () => {
		const { token: as, organization } = await givenCustomer();
		const vars = beforeCommit(() => call(openCurrentAccount, { as }));
		const late = await call(openCurrentAccount, { as, vars });
		expect(late.status).toBe(200);
		expect(await db.select().from(currentAccounts)).toHaveLength(1);
		expect(await eventsOf(organization.id)).toHaveLength(1);
	});

	it("works for a user without an organization, and raises nothing", async () => {
		const { token: as } = await givenUser();
		expect((await call(openCurrentAccount, { as })).status).toBe(201);
	});

	it("answers 503 while no custodian is configured", async () => {
		const { token: as } = await givenUser();
		const answer = await call(openCurrentAccount, { as, vars: { CUSTODIAN: "http" } });
		expect(answer.body).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
		expect(await db.select().from(currentAccounts)).toHaveLength(0);
	});

	it("costs one read and one commit", async () => {
		const { token: as } = await givenCustomer();
		expect(trips(await call(openCurrentAccount, { as }))).toBe(2);
		expect(trips(await call(getCurrentAccount, { as }))).toBe(1);
	});
});

describe("the deprecated operation", () => {
	const DEPRECATION = {
		deprecation: "@1767225600",
		sunset: "Fri, 31 Dec 2027 00:00:00 GMT",
		link: '</v1/user/accounts/current>; rel="successor-version"',
	};
	const headersOf = ({ headers }: { headers: Headers }) =>
		Object.fromEntries(Object.keys(DEPRECATION).map((name) => [name, headers.get(name)]));

	it("opens the same account, and its headers name its end and its successor", async () => {
		const { token: as } = await givenCustomer();
		const opened = await call(openCurrentAccountDeprecated, { as });
		expect(opened.status).toBe(201);
		expect(headersOf(opened)).toEqual(DEPRECATION);
		for (const again of [openCurrentAccount, openCurrentAccountDeprecated])
			expect(await call(again, { as })).toMatchObject({ status: 200, body: expectOk(opened) });
	});

	it("names them on refusals too", async () => {
		const { token: as } = await givenUser({ status: "WAITING_LIST" });
		const refused = await call(openCurrentAccountDeprecated, { as });
		expect(refused.body).toMatchObject({ code: "WAITING_LIST" });
		expect(headersOf(refused)).toEqual(DEPRECATION);
		expect(headersOf(await servePath("/v1/me/current-account", { method: "POST" }))).toEqual(DEPRECATION);
	});

	it("needs no body and no content type", async () => {
		const { token } = await givenCustomer();
		const response = await servePath("/v1/me/current-account", { method: "POST", headers: { authorization: `Bearer ${token}` } });
		expect(response.status).toBe(201);
	});
});

describe("reading an account", () => {
	it("is 404 before it is opened", async () => {
		const { token: as } = await givenCustomer();
		expect((await call(getCurrentAccount, { as })).status).toBe(404);
		expect((await call(listCurrentAccountTransactions, { as, query: {} })).status).toBe(404);
	});

	it("shows balance, hold, limits and the rate of the day", async () => {
		const { token: as, accountId } = await givenAccountHolder();
		expectOk(await move(accountId, 1_000));
		await postAt(accountId, Date.now(), {}, hold({ sourceId: "t", amount: 300, contra: "TRANSFER", dailyLimit: 1_000 }));
		const limits = { minimum_transfer_amount: 5, maximum_transfer_amount: 500, daily_transfer_limit: 900 };
		const account = expectOk(await call(getCurrentAccount, { as, vars: termsWith({ "2026-01-01": 250, "2099-01-01": 900 }, limits) }));
		expect(account).toMatchObject({
			status: "ACTIVE",
			onboarding_status: "ACTIVE",
			activatable: false,
			available_balance: 700,
			balance: { total_balance: 1_000, hold_amount: 300, available_balance: 700 },
			limits,
			interest: { deposit: { annual_rate_basis_points: 250 } },
		});
	});
});

describe("the transactions of an account", () => {
	it("are the entries that moved the balance, newest first, with the balance after each", async () => {
		const { token: as, accountId } = await givenAccountHolder();
		expectOk(await move(accountId, 1_000, { id: "m-1" }));
		const sourceId = crypto.randomUUID();
		await postAt(accountId, Date.now(), {}, hold({ sourceId, amount: 300, contra: "TRANSFER", dailyLimit: 1_000 }));
		await postAt(accountId, Date.now(), {}, settle(sourceId));
		expectOk(await move(accountId, 200, { id: "m-2", direction: "DEBIT" }));
		const { data, links } = expectOk(await call(listCurrentAccountTransactions, { as, query: {} }));
		expect(
			data.map(({ type, amount, running_balance, currency, reference }) => [type, amount, running_balance, currency, reference]),
		).toEqual([
			["MOVEMENT", -200, 500, "KES", "m-2"],
			["TRANSFER_OUT", -300, 700, "KES", sourceId],
			["MOVEMENT", 1_000, 1_000, "KES", "m-1"],
		]);
		expect(links).toEqual({ next: null, prev: null });
	});

	it("come page by page in both directions, without gaps while new ones arrive", async () => {
		const { token: as, accountId } = await givenAccountHolder();
		for (const amount of [1, 2, 3, 4, 5]) expectOk(await move(accountId, amount));
		const page = async (query: object) => expectOk(await call(listCurrentAccountTransactions, { as, query: { size: "2", ...query } }));
		const amounts = ({ data }: { data: { amount: number }[] }) => data.map(({ amount }) => amount);
		const first = await page({});
		expectOk(await move(accountId, 6));
		const second = await page({ after: first.links.next ?? "" });
		const third = await page({ after: second.links.next ?? "" });
		expect([amounts(first), amounts(second), amounts(third)]).toEqual([[5, 4], [3, 2], [1]]);
		expect(third.links.next).toBeNull();
		expect(amounts(await page({ before: third.links.prev ?? "" }))).toEqual([3, 2]);
	});
});
