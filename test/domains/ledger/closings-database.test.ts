// The database itself holds what a closed month promises: no statement can break it.
// @module-tag thorough

import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { lastDayOf, monthAfter } from "../../../src/domains/ledger/model/closing.policy";
import { journalEntries, ledgerClosings, ledgerDays, ledgers } from "../../../src/domains/ledger/model/table";
import { addDays } from "../../../src/shared/time";
import { givenBooks, passMonths } from "../../support/closings";
import { db } from "../../support/factories";
import { clock } from "../../support/portfolios";

beforeEach(() => {
	clock.offsetMs = 0;
});

describe("the database", () => {
	const closingOf = (organizationId: string, month: string, lastDay = lastDayOf(month)) =>
		db.insert(ledgerClosings).values({
			...{ organizationId, month, lastDay, approvalId: crypto.randomUUID(), requestedBy: "one", approvedBy: "another", closedAt: 1 },
		});

	it("refuses a month out of turn, with open days or with balances that are not zero, and keeps what is closed", async () => {
		const { id } = await givenBooks();
		const [first = "", second = ""] = await passMonths(2);
		await expect(closingOf(id, second)).rejects.toThrow();
		await expect(closingOf(id, first, addDays(lastDayOf(first), -1))).rejects.toThrow();
		await closingOf(id, first);
		await expect(closingOf(id, first)).rejects.toThrow();
		const wrong = { organizationId: id, day: lastDayOf(second), loanProductId: "another", currency: "KES", balances: { "1110": 5 } };
		await db.insert(ledgerDays).values(wrong);
		await expect(closingOf(id, second)).rejects.toThrow();
		await db.insert(ledgerDays).values({ ...wrong, loanProductId: "a third", balances: { "2110": -5 } });
		await closingOf(id, second);
		await expect(closingOf(id, monthAfter(second))).rejects.toThrow();
		await expect(db.update(ledgerClosings).set({ reason: "another" })).rejects.toThrow();
		await expect(db.delete(ledgerClosings).where(sql`true`)).rejects.toThrow();
	});

	it("takes no entry into a closed month, and opens none again", async () => {
		const { id } = await givenBooks();
		const [month = ""] = await passMonths(1);
		await closingOf(id, month);
		const entryOn = (day: string) =>
			db.insert(journalEntries).values({
				...{
					organizationId: id,
					day,
					id: crypto.randomUUID(),
					source: "LOAN",
					sourceId: "x",
					currency: "KES",
					valueDate: day,
					bookedAt: 1,
				},
				lines: [
					["1110", 5],
					["2110", -5],
				],
			});
		await expect(entryOn(lastDayOf(month))).rejects.toThrow();
		for (const closedThrough of [null, addDays(lastDayOf(month), -1)]) {
			await expect(db.update(ledgers).set({ closedThrough }).where(sql`organization_id = ${id}`)).rejects.toThrow();
		}
		await expect(db.update(ledgers).set({ organizationId: "another" }).where(sql`organization_id = ${id}`)).rejects.toThrow();
		await expect(db.delete(ledgers).where(sql`organization_id = ${id}`)).rejects.toThrow();
		await entryOn(addDays(lastDayOf(month), 1));
	});
});
