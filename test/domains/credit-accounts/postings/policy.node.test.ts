// A posting brings all that it makes due, so that posting nothing after it changes nothing.

import { expect, it } from "vitest";
import type { AccountBook, AccountCycle } from "../../../../src/domains/credit-accounts/book/account-book.policy";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import type { Fact } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { standingOf } from "../../../../src/domains/credit-accounts/book/standing.policy";
import { computePosting, type Posting } from "../../../../src/domains/credit-accounts/postings/policy";
import { cycleOf, factsOf, noPenalty } from "../book/books";

// 100,000 at 5 percent for 30 days from 1 January 2025: installments of 36,721 due on 31 January, 2 March and 1 April.
const START = "2025-01-01";
const late = { ...noPenalty, rateBasisPoints: 200, periodDays: 1 };
const cycle = cycleOf({ penaltyTerms: late }, START) as AccountCycle;

const postTo = (book: AccountBook, facts: readonly Fact[], today: string): Posting => {
	let made = 0;
	const renewal = { autoRenews: true, nextTenure: null, rateSchedule: [] };
	const at = { lastPosition: book.facts.length, today, newId: () => `new-${book.facts.length}-${++made}` };
	return computePosting(book, { allocations: [], penalties: [] }, renewal, { facts, newCycles: [] }, at);
};

it("rolls over what a reversal leaves, on the day on which it was due", () => {
	const paid = factsOf([
		{ kind: "DRAW", valueDate: START, amount: 100_000 },
		{ kind: "REPAYMENT", valueDate: "2025-01-31", amount: 36_721 },
		{ kind: "REPAYMENT", valueDate: "2025-03-02", amount: 36_721 },
		{ kind: "REPAYMENT", valueDate: "2025-04-01", amount: 1_749 },
		{ kind: "REPAYMENT", valueDate: "2025-04-01", amount: 34_972 },
	]);
	const [undo] = factsOf([{ kind: "REVERSAL", valueDate: "2025-04-10", amount: 34_972, reversesId: "f5", id: "undo" }]);
	const posting = postTo({ facts: paid, cycles: [cycle] }, undo ? [undo] : [], "2025-04-10");
	expect(posting.posted).toMatchObject([
		{ id: "undo", position: 6 },
		{ kind: "ROLL_OVER", position: 7, amount: 34_972, valueDate: "2025-04-02" },
	]);
	expect(posting.newCycles).toMatchObject([{ number: 2, startDate: "2025-04-02", rolledFromId: "cycle-1" }]);
	expect(standingOf(posting.ledger)).toMatchObject({ status: "ACTIVE", daysOverdue: 0 });
	expect(balanceOf(posting.ledger).breakdown).toMatchObject({ principal: 34_972n, arrears: 0n, penalty: 0n });
	expect(postTo(posting.book, [], "2025-04-10").posted).toEqual([]);
});

it("rolls over what a backdated payment leaves", () => {
	const facts = factsOf([{ kind: "DRAW", valueDate: START, amount: 100_000 }]);
	const [pay] = factsOf([{ kind: "REPAYMENT", valueDate: "2025-04-01", amount: 75_191, id: "pay" }]);
	const before = postTo({ facts, cycles: [cycle] }, [], "2025-04-10");
	expect(before.posted).toEqual([]);
	const { posted, ledger, book } = postTo(before.book, pay ? [pay] : [], "2025-04-10");
	expect(posted.map(({ kind }) => kind)).toEqual(["REPAYMENT", "ROLL_OVER"]);
	expect(standingOf(ledger)).toMatchObject({ status: "ACTIVE" });
	expect(postTo(book, [], "2025-04-10").posted).toEqual([]);
});
