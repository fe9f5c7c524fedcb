// What a provider reports again is settled once: a prompt by one payment, a payment of one prompt, and a return.

import { expect, it } from "vitest";
import { settlePrompt } from "../../../src/domains/repayments/prompts/plan";
import { repaymentPrompts } from "../../../src/domains/repayments/prompts/table";
import { settleReturn } from "../../../src/domains/repayments/returns/plan";
import { paymentReturns } from "../../../src/domains/repayments/returns/table";
import type { PaymentRow } from "../../../src/domains/repayments/table";
import { db, newId } from "../../support/factories";
import { eventsOf } from "../../support/loans";
import { services } from "../../support/webhooks";

it("a prompt is settled by its first payment, and a payment settles its first prompt: nothing else raises an event", async () => {
	const organizationId = newId();
	const accountId = newId(organizationId);
	const now = Date.now();
	const about = {
		organizationId,
		provider: "daraja",
		shortCode: "600001",
		amount: 500,
		currency: "KES",
		steps: 1,
		createdAt: now,
	} as const;
	const given = async (account: string) => {
		const id = newId(organizationId);
		const row = { ...about, id, accountId: account, reference: id, status: "SENT", checkoutId: id } as const;
		const [prompt] = await db.insert(repaymentPrompts).values(row).returning();
		if (!prompt) throw new Error("expected the prompt");
		return prompt;
	};
	const [first, second] = [await given(accountId), await given(newId(organizationId))];
	const payment = { id: newId(organizationId), status: "POSTED", accountId, amount: 500 } as unknown as PaymentRow;
	const settle = async (prompt: typeof first, by: PaymentRow) => {
		const there = (await services()).at(organizationId);
		await there.commit(settlePrompt(there, prompt, { ...by, accountId: prompt.accountId }));
		return (await eventsOf(organizationId)).map(({ data }) => [data.prompt_id, data.transaction_id]);
	};
	const told = [[first.id, payment.id]];
	expect(await settle(first, payment)).toEqual(told);
	expect(await settle(first, payment)).toEqual(told);
	expect(await settle(first, { ...payment, id: newId(organizationId) })).toEqual(told);
	expect(await settle(second, payment)).toEqual(told);
	const rows = await db.select().from(repaymentPrompts);
	expect(rows.map(({ id, status }) => [id, status]).toSorted()).toEqual(
		[
			[first.id, "SUCCEEDED"],
			[second.id, "SENT"],
		].toSorted(),
	);
});

it("a return that is reported twice raises one event, and keeps its first receipt", async () => {
	const organizationId = newId();
	const id = newId(organizationId);
	const about = { provider: "daraja", shortCode: "600001", amount: 500, currency: "KES", createdAt: Date.now() } as const;
	const states = { status: "PENDING", attempts: 1, harmlessAttempts: 0, nextAttemptAt: 0, receipt: "RECEIPT" } as const;
	const ids = { id, organizationId, accountId: newId(organizationId), reversalId: newId(organizationId) };
	const [row] = await db
		.insert(paymentReturns)
		.values({ ...about, ...states, ...ids })
		.returning();
	if (!row) throw new Error("expected the return");
	for (const receipt of ["FIRST", "SECOND"]) {
		const there = (await services()).at(organizationId);
		await there.commit(settleReturn(there, row, receipt));
		expect((await eventsOf(organizationId)).map(({ data }) => data.mobile_money_transaction_id)).toEqual(["FIRST"]);
	}
	expect(await db.select().from(paymentReturns)).toMatchObject([{ status: "RETURNED", transactionId: "FIRST" }]);
});
