// The sweep pays each week's interest once.

import { describe, expect, it } from "vitest";
import { findPayable, payDueInterest } from "../../../../src/domains/current-accounts/ledger/job";
import { credit, debit, payInterest } from "../../../../src/domains/current-accounts/ledger/plan";
import { MAX_BALANCE } from "../../../../src/runtime/current-account-terms";
import { addDays, DAY_MS } from "../../../../src/shared/time";
import { moveClock } from "../../../support/clock";
import { bookOf, givenCurrentAccount, postAt, servicesAt, termsWith } from "../../../support/current-accounts";
import { databaseOf } from "../../../support/databases";
import { newId } from "../../../support/factories";
import { beforeTrip, runDueWork } from "../../../support/loans";
import { plansOf } from "../../../support/plans";

const vars = termsWith({ "2020-01-01": 3_650 });
const interestOf = async (id: string) => (await bookOf(id)).entries.filter(({ type }) => type === "INTEREST").map(({ day }) => day);

describe("the weekly interest", () => {
	it("is paid to every due account, and moves on the payday of accounts that earned nothing", async () => {
		const accounts = [];
		for (let n = 0; n < 30; n++) accounts.push(await givenCurrentAccount({ balance: n % 3 === 0 ? 0 : 100_000, vars }));
		await moveClock(7 * DAY_MS);
		await runDueWork(payDueInterest, vars);
		for (const [n, { id, interestDueOn }] of accounts.entries()) {
			expect(await interestOf(id)).toEqual(n % 3 === 0 ? [] : [interestDueOn]);
			expect((await bookOf(id)).account.interestDueOn).toBe(addDays(interestDueOn, 7));
		}
		await runDueWork(payDueInterest, vars);
		for (const { id } of accounts) expect((await interestOf(id)).length).toBeLessThanOrEqual(1);
	});

	it("that was missed for five weeks is paid for each of them", async () => {
		const { id, interestDueOn } = await givenCurrentAccount({ balance: 100_000, vars });
		await moveClock(35 * DAY_MS);
		await runDueWork(payDueInterest, vars);
		expect(await interestOf(id)).toEqual([0, 7, 14, 21, 28].map((days) => addDays(interestDueOn, days)));
	});

	it("is paid once when a posting pays it at the same moment, and the other accounts still get theirs", async () => {
		const first = await givenCurrentAccount({ balance: 100_000, vars });
		const second = await givenCurrentAccount({ user: { id: newId(first.id) }, balance: 100_000, vars });
		await moveClock(7 * DAY_MS);
		const between = beforeTrip(2, () => postAt(first.id, Date.now() + 7 * DAY_MS, vars, credit("MOVEMENT", "m", 1)));
		await runDueWork(payDueInterest, { ...vars, ...between });
		expect(await interestOf(first.id)).toHaveLength(1);
		expect(await interestOf(second.id)).toHaveLength(1);
	});

	it("is not paid before the payday in the account's own time zone", async () => {
		const { id, interestDueOn } = await givenCurrentAccount({ balance: 100_000, vars });
		await databaseOf(id).prepare("update current_accounts set time_zone = 'Pacific/Pago_Pago' where id = ?").bind(id).run();
		await moveClock(Date.parse(`${interestDueOn}T06:00:00Z`) - Date.now());
		await runDueWork(payDueInterest, vars);
		expect(await interestOf(id)).toEqual([]);
		await moveClock(DAY_MS);
		await runDueWork(payDueInterest, vars);
		expect(await interestOf(id)).toEqual([interestDueOn]);
	});

	it("fills an account up to the most that it may hold; the rest stays accrued, and no other account waits for it", async () => {
		const full = await givenCurrentAccount({ balance: MAX_BALANCE, vars });
		const nearly = await givenCurrentAccount({ user: { id: newId(full.id) }, balance: MAX_BALANCE - 40, vars });
		const other = await givenCurrentAccount({ user: { id: newId(full.id) }, balance: 100_000, vars });
		await moveClock(7 * DAY_MS);
		await runDueWork(payDueInterest, vars);
		for (const { id, interestDueOn } of [full, nearly]) {
			const { account } = await bookOf(id);
			expect([account.balance, account.interestDueOn]).toEqual([MAX_BALANCE, addDays(interestDueOn, 7)]);
		}
		expect([await interestOf(full.id), await interestOf(nearly.id), await interestOf(other.id)]).toEqual([
			[],
			[nearly.interestDueOn],
			[other.interestDueOn],
		]);
		await postAt(full.id, Date.now() + 7 * DAY_MS, vars, debit("MOVEMENT", "out", 1_000_000));
		await moveClock(7 * DAY_MS);
		await runDueWork(payDueInterest, vars);
		expect((await bookOf(full.id)).account.balance).toBe(MAX_BALANCE);
	});

	it("is no longer paid to a closed account", async () => {
		const { id } = await givenCurrentAccount({ vars });
		await databaseOf(id).prepare("update current_accounts set status = 'CLOSED' where id = ?").bind(id).run();
		const services = await servicesAt(id, Date.now() + 7 * DAY_MS, vars);
		const { account } = await bookOf(id);
		await expect(services.commit(payInterest(services, account, addDays(account.interestDueOn, 1)))).rejects.toThrow();
	});

	it("finds due accounts by index, without sorting", async () => {
		const services = await servicesAt(newId());
		const plan = (await plansOf(findPayable(services.db.orm, "2026-01-01"))).join("\n");
		expect(plan).toMatch(/USING INDEX current_accounts_interest/);
		expect(plan).not.toMatch(/TEMP B-TREE/);
	});
});
