// Interest in the book: it is paid before the entries that follow it, and is exact even where a product exceeds a JavaScript number.

import { describe, expect, it } from "vitest";
import { StaleWrite } from "../../../../src/db/database";
import { credit, debit, post, transferOut } from "../../../../src/domains/current-accounts/ledger/plan";
import { bookOf, givenCurrentAccount, postAt, servicesAt, termsWith } from "../../../support/current-accounts";
import { givenOrganization, givenUser } from "../../../support/factories";
import { eventsOf } from "../../../support/loans";

const vars = termsWith({ "2026-01-01": 365 }) as Partial<Env>;
/** A Monday. */
const OPENED = "2026-03-02T06:00:00Z";
const given = (balance: number) => givenCurrentAccount({ openedAt: OPENED, balance, vars });
const interestOf = async (id: string) =>
	(await bookOf(id)).entries.filter(({ type }) => type === "INTEREST").map(({ day, amount, balanceAfter }) => [day, amount, balanceAfter]);

describe("interest", () => {
	it("of 3.65 % is a ten-thousandth of the balance for each night, paid on Mondays before the first entry", async () => {
		const { id } = await given(1_000_000);
		await postAt(id, "2026-03-05T06:00:00Z", vars, debit("MOVEMENT", "half", 500_000));
		await postAt(id, "2026-03-11T06:00:00Z", vars, credit("MOVEMENT", "later", 1));
		// Three nights of 100 and four of 50, paid on the Monday, although nothing was posted before Wednesday.
		expect(await interestOf(id)).toEqual([["2026-03-09", 500, 500_500]]);
		const { account } = await bookOf(id);
		expect([account.balance, account.interestDueOn]).toEqual([500_501, "2026-03-16"]);
	});

	it("pays every missed week as if it had been paid in time", async () => {
		const { id: late } = await given(123_456_789);
		const { id: punctual } = await given(123_456_789);
		for (const monday of ["2026-03-09", "2026-03-16", "2026-03-23", "2026-03-30"]) {
			await postAt(punctual, `${monday}T06:00:00Z`, vars, credit("MOVEMENT", `${monday}-in`, 1), debit("MOVEMENT", `${monday}-out`, 1));
		}
		await postAt(late, "2026-04-02T06:00:00Z", vars, credit("MOVEMENT", "in", 1), debit("MOVEMENT", "out", 1));
		expect(await interestOf(late)).toHaveLength(4);
		expect((await interestOf(late)).map(([day, amount]) => [day, amount])).toEqual(
			(await interestOf(punctual)).map(([day, amount]) => [day, amount]),
		);
	});

	it("is exact where balance and index multiply beyond 2^53", async () => {
		const balance = 999_999_999_999;
		const { id } = await given(balance);
		await postAt(id, "2026-03-08T06:00:00Z", vars, debit("MOVEMENT", "out", balance - 7));
		await postAt(id, "2026-03-09T06:00:00Z", vars, credit("MOVEMENT", "in", 1));
		const expected = (BigInt(balance) * 365n * 6n + 7n * 365n) / 3_650_000n;
		expect(await interestOf(id)).toEqual([["2026-03-09", Number(expected), 7 + Number(expected)]]);
	});

	it("below one unit stays accrued until it adds up to a unit", async () => {
		const { id } = await given(9_000);
		await postAt(id, "2026-03-09T06:00:00Z", vars, credit("MOVEMENT", "a", 1));
		// 9,000 earn 6.3 in a week, of which 0.3 stay.
		expect(await interestOf(id)).toEqual([["2026-03-09", 6, 9_006]]);
		await postAt(id, "2026-03-16T06:00:00Z", vars, credit("MOVEMENT", "b", 1));
		expect((await interestOf(id)).map(([, amount]) => amount)).toEqual([6, 6]);
		await postAt(id, "2026-03-23T06:00:00Z", vars, credit("MOVEMENT", "c", 1));
		expect((await interestOf(id)).map(([, amount]) => amount)).toEqual([6, 6, 6]);
		await postAt(id, "2026-03-30T06:00:00Z", vars, credit("MOVEMENT", "d", 1));
		// 25.2 in four weeks, and a little on the interest.
		expect((await interestOf(id)).map(([, amount]) => amount)).toEqual([6, 6, 6, 7]);
	});

	it("raises events only on the paydays on which there is some", async () => {
		const { id: organizationId } = await givenOrganization();
		const user = await givenUser({ organizationId });
		const { id } = await givenCurrentAccount({ openedAt: OPENED, balance: 1_000, vars, user });
		const told = async () => (await eventsOf(organizationId)).filter(({ data }) => data.account_id === id).map(({ data }) => data.type);
		expect(await told()).toEqual(["MOVEMENT"]);
		await postAt(id, "2026-03-09T06:00:00Z", vars, credit("MOVEMENT", "a", 1));
		await postAt(id, "2026-03-16T06:00:00Z", vars, credit("MOVEMENT", "b", 1));
		expect(await told()).toEqual(["MOVEMENT", "MOVEMENT", "INTEREST", "MOVEMENT"]);
	});

	it("stays accrued where it would exceed the most that an account may hold", async () => {
		const { id } = await given(1_000_000_000_000);
		await postAt(id, "2026-03-09T06:00:00Z", vars, debit("MOVEMENT", "a", 1));
		expect(await interestOf(id)).toEqual([]);
		await postAt(id, "2026-03-16T06:00:00Z", vars, debit("MOVEMENT", "b", 1));
		expect(await interestOf(id)).toEqual([["2026-03-16", 1, 1_000_000_000_000]]);
	});

	it("can be spent by the entry that it precedes", async () => {
		const { id } = await given(1_000_000);
		const order = { sourceId: "t", amount: 1_000_700, dailyLimit: 2_000_000, contra: "TRANSFER" as const };
		await postAt(id, "2026-03-09T06:00:00Z", vars, transferOut(order));
		expect((await bookOf(id)).account.balance).toBe(0);
	});

	it("is paid once when two commits find the same week due", async () => {
		const { id } = await given(1_000_000);
		const { account } = await bookOf(id);
		const services = await servicesAt(id, "2026-03-09T06:00:00Z", vars);
		await services.commit(post(services, account, credit("MOVEMENT", "a", 1)));
		await expect(services.commit(post(services, account, credit("MOVEMENT", "b", 1)))).rejects.toBeInstanceOf(StaleWrite);
		expect(await interestOf(id)).toHaveLength(1);
	});

	it("is due before any entry: a call that does not know of it posts nothing", async () => {
		const { id } = await given(1_000_000);
		const { account } = await bookOf(id);
		const services = await servicesAt(id, "2026-03-09T06:00:00Z", vars);
		const unaware = { ...account, interestDueOn: "2026-03-16" } as const;
		await expect(services.commit(post(services, unaware, credit("MOVEMENT", "a", 1)))).rejects.toBeInstanceOf(StaleWrite);
		expect((await bookOf(id)).entries).toHaveLength(1);
	});

	it("closes the days before its payday to new entries, even if nothing was paid", async () => {
		const { id } = await given(1);
		const { account } = await bookOf(id);
		const monday = await servicesAt(id, "2026-03-09T06:00:00Z", vars);
		await monday.commit(post(monday, account));
		await expect(postAt(id, "2026-03-08T06:00:00Z", vars, credit("MOVEMENT", "a", 1))).rejects.toBeInstanceOf(StaleWrite);
	});
});
