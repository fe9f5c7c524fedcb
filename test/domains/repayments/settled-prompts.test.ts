// A prompt is settled by one payment, and a payment settles one prompt, whatever else names them: the event is told once.

import { expect, it } from "vitest";
import { settlePrompt } from "../../../src/domains/repayments/prompts/plan";
import { repaymentPrompts } from "../../../src/domains/repayments/prompts/table";
import type { PaymentRow } from "../../../src/domains/repayments/table";
import { db, newId } from "../../support/factories";
import { eventsOf } from "../../support/loans";
import { services } from "../../support/webhooks";

it("tells of the first payment of the first prompt alone", async () => {
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
