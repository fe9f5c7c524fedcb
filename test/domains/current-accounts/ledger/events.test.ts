// The event of each entry that moves the balance, with the balance after it, which only the commit knows.

import { expect, it } from "vitest";
import { payDueInterest } from "../../../../src/domains/current-accounts/ledger/job";
import { credit, debit, hold, release, settle, transferOut } from "../../../../src/domains/current-accounts/ledger/plan";
import { bookOf, givenCurrentAccount, postAt, servicesAt, termsWith } from "../../../support/current-accounts";
import { givenOrganization, givenUser } from "../../../support/factories";
import { eventsOf } from "../../../support/loans";

const vars = termsWith({ "2026-01-01": 365 }) as Partial<Env>;
const OPENED = "2026-03-02T06:00:00Z";
const NEXT_MONDAY = "2026-03-09T06:00:00Z";

it("the ledger raises an event for every entry with money, once and in order, with many posted at once, and for no hold", async () => {
	const { id: organizationId } = await givenOrganization();
	const user = await givenUser({ organizationId });
	const { id } = await givenCurrentAccount({ user, openedAt: OPENED, balance: 1_000_000, vars });
	const [held, settled, sent] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
	const order = { amount: 700, contra: "PAYOUT" as const, dailyLimit: 1_000_000 };
	await postAt(id, OPENED, vars, hold({ ...order, sourceId: held }), hold({ ...order, sourceId: settled }));
	await postAt(id, OPENED, vars, release(held), settle(settled), transferOut({ ...order, sourceId: sent, contra: "TRANSFER" }));
	await Promise.all([1, 2, 3, 4, 5].map((n) => postAt(id, OPENED, vars, credit("MOVEMENT", `in-${n}`, n))));
	// The sweep pays the interest of a Monday, and an entry that of the next.
	const due = await servicesAt(id, NEXT_MONDAY, vars);
	for (const here of due.everywhere()) await payDueInterest(here);
	await postAt(id, "2026-03-16T06:00:00Z", vars, debit("MOVEMENT", "out", 1));

	const { entries } = await bookOf(id);
	const moved = entries.filter(({ amount }) => amount !== 0);
	expect(moved.filter(({ type }) => type === "INTEREST")).toHaveLength(2);
	const posted = (await eventsOf(organizationId)).filter(({ type }) => type === "current_account.transaction_posted");
	expect(posted.map(({ data }) => data)).toEqual(
		moved.map((entry) => {
			const type = entry.type === "SETTLE" ? "TRANSFER_OUT" : entry.type;
			const { amount, balanceAfter: balance } = entry;
			const facts = { account_id: id, user_id: user.id, transaction_id: entry.id, type, amount, balance, currency: "KES" };
			return type === "TRANSFER_OUT" ? { ...facts, transfer_id: entry.sourceId } : facts;
		}),
	);
	expect(posted.map(({ data }) => data.transfer_id).filter(Boolean)).toEqual([settled, sent]);
});
